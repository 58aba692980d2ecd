"""What is left of the board in misère Gomoku: for each side the sets of empty points that its open rows still miss.

Sets that contain another of the same side are dropped, for that one is complete before. A point that is alone in a set
is poison for the side.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, popcount, square_bit
from .jit import inlined_kernel, lean_kernel
from .rng import mix

MOST_POINTS, MOST_SETS = 60, 63  # empty points, and sets of a side: more have no bits
WHOLE = 1 << 32  # what a complete set weighs; each point that it misses halves that

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_POISON, _SHARED = np.uint64(3**40), np.uint64(3**39)

# What a search works on: the sets [ply, side, set], the sums that stand for their points, their counts [ply, side], the
# points' weights [ply, point], the sets that each lies in [ply, side, point], the moves that refuted [ply], the points'
# numbers, hash table and control.
Work: TypeAlias = tuple[np.ndarray, ...]
WORK = (
    "Tuple((uint64[:,:,::1], uint64[:,:,::1], int64[:,::1], int64[:,::1], uint64[:,:,::1], int64[::1], uint64[::1],"
    " uint64[:,::1], int64[::1]))"
)


@inlined_kernel("boolean(uint64)")
def is_single(points: np.uint64) -> bool:
    """True for a set of one point."""
    return points & (points - _ONE) == _ZERO


@inlined_kernel(f"UniTuple(uint64, 2)({WORK}, int64, int64)")
def unions(work: Work, ply: int, side: int) -> tuple[np.uint64, np.uint64]:
    """The points in a side's sets, and those that are poison for it."""
    sets, live, poison = work[0], _ZERO, _ZERO
    for index in range(work[2][ply, side]):
        points = sets[ply, side, index]
        live |= points
        if is_single(points):
            poison |= points
    return live, poison


@inlined_kernel(f"boolean({WORK}, int64, int64, int64)")
def is_safe(work: Work, ply: int, side: int, points: int) -> bool:
    """True when the side need never complete a set, with so many empty points when it is to move next.

    Taking the points of least weight, it keeps the sum of its sets' weights this low. It is forced only where every
    point is poison, and each of them weighs half: one if it moves last, or else two at least.
    """
    sets, total = work[0], 0
    for index in range(work[2][ply, side]):
        total += WHOLE >> popcount(sets[ply, side, index])
    return total < (WHOLE // 2 if points & 1 else WHOLE)


@inlined_kernel(f"uint64({WORK}, int64, int64, uint64, uint64)")
def key_of(work: Work, ply: int, side: int, live: np.uint64, poison: np.uint64) -> np.uint64:
    """What stands for a side's sets; of poison it only counts whether the other side may take it, and what for."""
    sets, sums, key = work[0], work[1], _ZERO
    for index in range(work[2][ply, side]):
        points, word = sets[ply, side, index], sums[ply, side, index]
        if is_single(points) and points & poison:
            word = _SHARED
        elif is_single(points) and points & live == _ZERO:
            word = _POISON
        key += mix(word + np.uint64(side))
    return key


@lean_kernel(f"void({WORK}, uint64[::1], int64)")
def load(work: Work, points: np.ndarray, side: int) -> None:
    """Write a side's sets at the root."""
    sets, sums, counts, salts = work[0], work[1], work[2], work[6]
    counts[0, side] = len(points)
    for index in range(len(points)):
        sets[0, side, index], total, left = points[index], _ZERO, points[index]
        while left:
            total ^= salts[first(left)]
            left &= left - _ONE
        sums[0, side, index] = total


@inlined_kernel(f"boolean({WORK}, int64, int64, int64, uint64)")
def _contains_one(work: Work, ply: int, side: int, count: int, points: np.uint64) -> bool:
    """True when one of the side's first sets lies in these points."""
    sets = work[0]
    for index in range(count):  # noqa: SIM110, a generator makes an object
        if sets[ply, side, index] & ~points == _ZERO:
            return True
    return False


@inlined_kernel(f"void({WORK}, int64, int64, int64)")
def play(work: Work, ply: int, side: int, point: int) -> None:
    """Write the next ply's sets: the own ones without the point, the other side's that do not need it."""
    sets, sums, counts, _, _, _, salts, _, _ = work
    stone, count, other = square_bit(point), 0, 1 - side
    for index in range(counts[ply, side]):
        if sets[ply, side, index] & stone:
            sets[ply + 1, side, count] = sets[ply, side, index] ^ stone
            sums[ply + 1, side, count] = sums[ply, side, index] ^ salts[point]
            count += 1
    changed = count
    for index in range(counts[ply, side]):
        points = sets[ply, side, index]
        if points & stone == _ZERO and not _contains_one(work, ply + 1, side, changed, points):
            sets[ply + 1, side, count], sums[ply + 1, side, count] = points, sums[ply, side, index]
            count += 1
    counts[ply + 1, side], count = count, 0
    for index in range(counts[ply, other]):
        if sets[ply, other, index] & stone == _ZERO:
            sets[ply + 1, other, count] = sets[ply, other, index]
            sums[ply + 1, other, count] = sums[ply, other, index]
            count += 1
    counts[ply + 1, other] = count
