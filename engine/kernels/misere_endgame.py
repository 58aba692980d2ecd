"""Whether a side of misère Gomoku can be forced to complete a row, on what is left of the board.

Every stone is a burden: it brings an own set nearer to its end, or spares the opponent one of his. So a point is at
least as good a move as another for either side if it lies in no set that the other does not lie in: after one that
failed those that are no better are not tried, and where there is a dead point, in no set, nothing else is. Two dead
points cancel each other. Positions are kept by their sets, not by their stones.
"""

import numpy as np

from .bits import first, last, popcount, signed, square_bit
from .gomoku_play import NODE_LIMIT, NODES, STOP
from .gomoku_table import EQUAL, NO_CELL, find, score_of, store
from .jit import inlined_kernel, kernel, lean_kernel
from .misere_sets import (
    MOST_POINTS,
    MOST_SETS,
    WHOLE,
    WORK,
    Work,
    is_safe,
    is_single,
    key_of,
    load,
    play,
    unions,
)
from .rng import mix

UNKNOWN, NO, YES = -1, 0, 1

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_DEAD, _TURN, _ATTACKER = (np.uint64(3**40 + number * 3**30) for number in (2, 3, 4))


@inlined_kernel(f"void({WORK}, int64, int64, int64)")
def _weigh(work: Work, ply: int, side: int, whole: int) -> None:
    """Add the weights of a side's sets to their points, and tell these where they lie; all poison is one."""
    sets, _, counts, weights, places, _, _, _, _ = work
    for index in range(counts[ply, side]):
        points = sets[ply, side, index]
        weight, place = whole >> popcount(points), square_bit(MOST_SETS if is_single(points) else index)
        while points:
            point = first(points)
            weights[ply, point] += weight
            places[ply, side, point] |= place
            points &= points - _ONE


@inlined_kernel(f"void({WORK}, int64, int64)")
def _weigh_all(work: Work, ply: int, attacker: int) -> None:
    """Set the points' places and weights; these are of the defender's sets."""
    work[3][ply], work[4][ply] = 0, _ZERO
    _weigh(work, ply, attacker, 0)
    _weigh(work, ply, 1 - attacker, WHOLE)


@inlined_kernel(f"boolean({WORK}, int64, int64, int64)")
def _is_as_good(work: Work, ply: int, point: int, other: int) -> bool:
    """True when a point lies in no set that the other one does not lie in."""
    places = work[4]
    more = places[ply, 0, point] & ~places[ply, 0, other] | places[ply, 1, point] & ~places[ply, 1, other]
    return more == _ZERO


@inlined_kernel(f"uint64({WORK}, int64, uint64, int64)")
def _without_worse(work: Work, ply: int, points: np.uint64, tried: int) -> np.uint64:
    """The points that one which was tried in vain is not as good as."""
    kept = points
    while points:
        if _is_as_good(work, ply, tried, first(points)):
            kept ^= square_bit(first(points))
        points &= points - _ONE
    return kept


@inlined_kernel(f"int64({WORK}, int64, uint64)")
def _pick(work: Work, ply: int, points: np.uint64) -> int:
    """The point to try next: what refuted a neighbor, or else what means least to the defender's sets."""
    weights, refutation = work[3], work[5][ply]
    if refutation < MOST_POINTS and points & square_bit(refutation):
        return int(refutation)
    best = first(points)
    while points:
        point = first(points)
        points &= points - _ONE
        if weights[ply, point] < weights[ply, best]:
            best = point
    return best


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
    if is_safe(work, ply, 1 - attacker, popcount(empty) - (side == attacker)):
        return NO, _ZERO, 0
    live, poison = unions(work, ply, side)
    other_live, other_poison = unions(work, ply, 1 - side)
    dead = empty & ~(live | other_live)
    moves = empty & ~(dead | poison)
    spare = dead & (~dead + _ONE) if popcount(dead) & 1 else _ZERO
    if moves | spare == _ZERO:
        return YES if side != attacker else NO, _ZERO, 0
    word = key_of(work, ply, side, other_live, other_poison) + key_of(work, ply, 1 - side, live, poison)
    word += _DEAD if spare else _ZERO
    key = signed(mix(mix(word + _TURN * np.uint64(side)) + _ATTACKER * np.uint64(attacker)))
    entry = find(work[7], key)
    if entry:
        return score_of(entry, 0), _ZERO, key
    if spare:
        return UNKNOWN, spare, key
    _weigh_all(work, ply, attacker)
    return UNKNOWN, moves, key


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
        play(work, ply, side, point)
        result = _visit(work, empty ^ square_bit(point), 1 - side, attacker, ply + 1)
        if result == UNKNOWN:
            return UNKNOWN
        if result == wanted:
            refutations[ply] = point
            break
        moves = _without_worse(work, ply, moves, point)
    effort = last(np.uint64(control[NODES] - before + 1))
    store(table, key, result, EQUAL, effort, NO_CELL, 0)
    return result


@lean_kernel(f"void({WORK}, int64, boolean, int8[::1])")
def _spread(work: Work, point: int, is_liked: bool, values: np.ndarray) -> None:
    """Give the value of a root's move to those that are as good, if the mover likes it, or else to those as bad."""
    for other in range(len(values)):
        if _is_as_good(work, 0, other, point) if is_liked else _is_as_good(work, 0, point, other):
            values[other] = values[point]


@lean_kernel(f"void({WORK}, int64, int64, int8[::1])")
def _judge_moves(work: Work, side: int, attacker: int, values: np.ndarray) -> None:
    """Judge the root's moves one after another; the first that an attacking mover likes ends it."""
    empty, wanted = (_ONE << np.uint64(len(values))) - _ONE, YES if side == attacker else NO
    _weigh_all(work, 0, attacker)
    moves, poison = empty, unions(work, 0, side)[1]
    while poison:
        values[first(poison)] = 1 - wanted
        poison &= poison - _ONE
    while moves:
        point = _pick(work, 0, moves)
        moves ^= square_bit(point)
        if values[point] != UNKNOWN:
            continue
        play(work, 0, side, point)
        values[point] = _visit(work, empty ^ square_bit(point), 1 - side, attacker, 1)
        if values[point] == UNKNOWN:
            return
        _spread(work, point, values[point] == wanted, values)
        if values[point] == wanted and side == attacker:
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

    The sets, at most MOST_SETS of a side, are bits of the empty points, of which there are as many as numbers that
    stand for them; the table may be kept as long as these numbers mean the same points.
    """
    plies, points, most = len(salts) + 2, len(salts), max(len(black), len(white))
    work = (
        np.empty((plies, 2, most), np.uint64),
        np.empty((plies, 2, most), np.uint64),
        np.zeros((plies, 2), np.int64),
        np.empty((plies, points), np.int64),
        np.empty((plies, 2, points), np.uint64),
        np.full(plies, NO_CELL, np.int64),
        salts,
        table,
        control,
    )
    load(work, black, 0)
    load(work, white, 1)
    _judge_moves(work, side, attacker, values)
