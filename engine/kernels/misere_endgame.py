"""Whether a side of misère Gomoku can be forced to complete a row, on what is left of the board.

Of each side only the rows count that it can still complete: as the set of empty points that such a row misses. Sets
that contain another of the same side are dropped, for that one is complete before. A point that is alone in a set is
poison for the side. Points that lie in the same sets are equals, points in no set are dead: two of these cancel each
other, for whoever profits answers one with the other. Positions are kept by their sets, not by their stones.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, last, popcount, signed, square_bit
from .gomoku_play import NODE_LIMIT, NODES, STOP
from .gomoku_table import EQUAL, NO_CELL, find, score_of, store
from .jit import inlined_kernel, kernel, lean_kernel
from .rng import mix

MOST_POINTS = 60  # empty ones: more have no bits
UNKNOWN, NO, YES = -1, 0, 1

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_WHOLE = 1 << 32  # what a complete set weighs; each point that it misses halves that
_POISON, _SHARED, _DEAD, _TURN, _ATTACKER = (np.uint64(3**40 + number * 3**30) for number in range(5))

# What a search works on: the sets [ply, side, set], the sums that stand for their points, their counts [ply, side], the
# points' weights and signs [ply, point], the moves that refuted [ply], the points' numbers, hash table and control.
Work: TypeAlias = tuple[np.ndarray, ...]
WORK = (
    "Tuple((uint64[:,:,::1], uint64[:,:,::1], int64[:,::1], int64[:,::1], uint64[:,::1], int64[::1], uint64[::1],"
    " uint64[:,::1], int64[::1]))"
)


@inlined_kernel("boolean(uint64)")
def _is_single(points: np.uint64) -> bool:
    return points & (points - _ONE) == _ZERO


@inlined_kernel(f"boolean({WORK}, int64, int64)")
def _is_safe(work: Work, ply: int, side: int) -> bool:
    """True when the side need never complete a set: taking the points of least weight, it keeps the sum this low."""
    sets, total = work[0], 0
    for index in range(work[2][ply, side]):
        total += _WHOLE >> popcount(sets[ply, side, index])
    return total < _WHOLE // 2


@inlined_kernel(f"UniTuple(uint64, 2)({WORK}, int64, int64)")
def _unions(work: Work, ply: int, side: int) -> tuple[np.uint64, np.uint64]:
    """The points in a side's sets, and those that are poison for it."""
    sets, live, poison = work[0], _ZERO, _ZERO
    for index in range(work[2][ply, side]):
        points = sets[ply, side, index]
        live |= points
        if _is_single(points):
            poison |= points
    return live, poison


@inlined_kernel(f"uint64({WORK}, int64, int64, uint64, uint64)")
def _key_of(work: Work, ply: int, side: int, live: np.uint64, poison: np.uint64) -> np.uint64:
    """What stands for a side's sets; of poison it only counts whether the other side may take it, and what for."""
    sets, sums, key = work[0], work[1], _ZERO
    for index in range(work[2][ply, side]):
        points, word = sets[ply, side, index], sums[ply, side, index]
        if _is_single(points) and points & poison:
            word = _SHARED
        elif _is_single(points) and points & live == _ZERO:
            word = _POISON
        key += mix(word + np.uint64(side))
    return key


@inlined_kernel(f"void({WORK}, int64, int64, int64)")
def _weigh(work: Work, ply: int, side: int, whole: int) -> None:
    """Add the weights of a side's sets to their points, and to their signs what tells equals."""
    sets, sums, counts, weights, signs, _, _, _, _ = work
    for index in range(counts[ply, side]):
        points = sets[ply, side, index]
        weight, sign = whole >> popcount(points), sums[ply, side, index]
        sign = mix((_POISON if _is_single(points) else sign) + np.uint64(side))
        while points:
            point = first(points)
            weights[ply, point] += weight
            signs[ply, point] += sign
            points &= points - _ONE


@inlined_kernel(f"uint64({WORK}, int64, uint64, int64)")
def _one_of_each(work: Work, ply: int, points: np.uint64, attacker: int) -> np.uint64:
    """The points without those that equal another; weights, which are of the defender's sets, and signs are set."""
    work[3][ply], work[4][ply] = 0, _ZERO
    _weigh(work, ply, attacker, 0)
    _weigh(work, ply, 1 - attacker, _WHOLE)
    signs, kept = work[4], _ZERO
    while points:
        point = first(points)
        points &= points - _ONE
        kept |= square_bit(point)
        others = points
        while others:
            other = first(others)
            others &= others - _ONE
            if signs[ply, other] == signs[ply, point]:
                points ^= square_bit(other)
    return kept


@inlined_kernel(f"int64({WORK}, int64, uint64)")
def _pick(work: Work, ply: int, points: np.uint64) -> int:
    """The point to try next: what refuted a neighbor, or else what means least to the defender's sets."""
    weights, best, least = work[3], work[5][ply], np.int64(1) << 60
    if best < MOST_POINTS and points & square_bit(best):
        return int(best)
    while points:
        point = first(points)
        points &= points - _ONE
        if weights[ply, point] < least:
            best, least = point, weights[ply, point]
    return int(best)


@inlined_kernel(f"boolean({WORK}, int64, int64, int64, uint64)")
def _contains_one(work: Work, ply: int, side: int, count: int, points: np.uint64) -> bool:
    """True when one of the side's first sets lies in these points."""
    sets = work[0]
    for index in range(count):  # noqa: SIM110, a generator makes an object
        if sets[ply, side, index] & ~points == _ZERO:
            return True
    return False


@inlined_kernel(f"void({WORK}, int64, int64, int64)")
def _play(work: Work, ply: int, side: int, point: int) -> None:
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


@inlined_kernel("boolean(int64[::1])")
def _is_stopped(control: np.ndarray) -> bool:
    """Count a node, unless the search is to end: then True."""
    if control[STOP] or (control[NODE_LIMIT] and control[NODES] >= control[NODE_LIMIT]):
        return True
    control[NODES] += 1
    return False


@inlined_kernel(f"Tuple((int64, uint64, int64))({WORK}, uint64, int64, int64, int64)")
def _look(work: Work, empty: np.uint64, side: int, attacker: int, ply: int) -> tuple[int, np.uint64, int]:
    """What is known without trying a move, or UNKNOWN; then the moves to try, and the position's key."""
    if _is_safe(work, ply, 1 - attacker):
        return NO, _ZERO, 0
    live, poison = _unions(work, ply, side)
    other_live, other_poison = _unions(work, ply, 1 - side)
    dead = empty & ~(live | other_live)
    moves = empty & ~(dead | poison)
    spare = dead & (~dead + _ONE) if popcount(dead) & 1 else _ZERO
    if moves | spare == _ZERO:
        return YES if side != attacker else NO, _ZERO, 0
    word = _key_of(work, ply, side, other_live, other_poison) + _key_of(work, ply, 1 - side, live, poison)
    word += _DEAD if spare else _ZERO
    key = signed(mix(mix(word + _TURN * np.uint64(side)) + _ATTACKER * np.uint64(attacker)))
    entry = find(work[7], key)
    if entry:
        return score_of(entry, 0), _ZERO, key
    return UNKNOWN, _one_of_each(work, ply, moves, attacker) | spare, key


@lean_kernel(f"int64({WORK}, uint64, int64, int64, int64)")
def _visit(work: Work, empty: np.uint64, side: int, attacker: int, ply: int) -> int:
    """Whether the attacker can make the other side complete a set, with this side to move."""
    refutations, table, control = work[5], work[7], work[8]
    if _is_stopped(control):
        return UNKNOWN
    result, moves, key = _look(work, empty, side, attacker, ply)
    if result != UNKNOWN:
        return result
    wanted, before = YES if side == attacker else NO, control[NODES]
    while moves:
        point = _pick(work, ply, moves)
        moves ^= square_bit(point)
        _play(work, ply, side, point)
        result = _visit(work, empty ^ square_bit(point), 1 - side, attacker, ply + 1)
        if result == UNKNOWN:
            return UNKNOWN
        if result == wanted:
            refutations[ply] = point
            break
    effort = last(np.uint64(control[NODES] - before + 1))
    store(table, key, result, EQUAL, effort, NO_CELL, 0)
    return result


@lean_kernel(f"void({WORK}, uint64[::1], int64)")
def _load(work: Work, points: np.ndarray, side: int) -> None:
    """Write a side's sets at the root."""
    sets, sums, counts, salts = work[0], work[1], work[2], work[6]
    counts[0, side] = len(points)
    for index in range(len(points)):
        sets[0, side, index], total, left = points[index], _ZERO, points[index]
        while left:
            total ^= salts[first(left)]
            left &= left - _ONE
        sums[0, side, index] = total


@lean_kernel(f"void({WORK}, int64, int64, int8[::1])")
def _judge_moves(work: Work, side: int, attacker: int, values: np.ndarray) -> None:
    """Judge the root's moves one after another; one that the attacker is glad of ends it."""
    empty = (_ONE << np.uint64(len(values))) - _ONE
    poison, signs = _unions(work, 0, side)[1], work[4]
    moves = _one_of_each(work, 0, empty & ~poison, attacker)
    while poison:
        values[first(poison)] = NO if side == attacker else YES
        poison &= poison - _ONE
    while moves:
        point = _pick(work, 0, moves)
        moves ^= square_bit(point)
        _play(work, 0, side, point)
        value = _visit(work, empty ^ square_bit(point), 1 - side, attacker, 1)
        for other in range(len(values)):
            if signs[0, other] == signs[0, point]:
                values[other] = value
        if value == UNKNOWN or (value == YES and side == attacker):
            return


@kernel("void(uint64[::1], uint64[::1], uint64[::1], int64, int64, uint64[:,::1], int64[::1], int8[::1])")
def judge(
    black: np.ndarray,
    white: np.ndarray,
    salts: np.ndarray,
    side: int,
    attacker: int,
    table: np.ndarray,
    control: np.ndarray,
    values: np.ndarray,
) -> None:
    """Write for each empty point whether the attacker succeeds after a move there; UNKNOWN is left as it was.

    The sets are bits of the empty points, of which there are as many as numbers that stand for them; the table may be
    kept as long as these numbers mean the same points.
    """
    plies, points, most = len(salts) + 2, len(salts), max(len(black), len(white))
    work = (
        np.empty((plies, 2, most), np.uint64),
        np.empty((plies, 2, most), np.uint64),
        np.zeros((plies, 2), np.int64),
        np.empty((plies, points), np.int64),
        np.empty((plies, points), np.uint64),
        np.full(plies, NO_CELL, np.int64),
        salts,
        table,
        control,
    )
    _load(work, black, 0)
    _load(work, white, 1)
    _judge_moves(work, side, attacker, values)
