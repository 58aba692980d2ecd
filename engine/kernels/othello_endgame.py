"""Othello solved to its end: the margin in discs for the side to move, in the ordinary game or in the misère."""

import numpy as np

from .bits import first, popcount, square_bit
from .jit import lean_kernel
from .othello import flips, mobility
from .othello_table import NO_SQUARE, UNKNOWN, bound_of, keep, position_key, recall, salt_of
from .othello_work import DESK, HALTED, NODES, OBJECTIVE, Desk, playable_in, put, rank, spend

FEW = 5  # up to so many empty squares the hash table costs more than it saves
INFINITE_MARGIN = 100

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_QUADRANTS = np.array([0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32], dtype=np.uint64)


@lean_kernel("int64(uint64, uint64, int64)")
def _margin(own: np.uint64, opp: np.uint64, objective: int) -> int:
    return objective * (popcount(own) - popcount(opp))


@lean_kernel("int64(uint64, uint64, int64, int64)")
def _last_one(own: np.uint64, opp: np.uint64, square: int, objective: int) -> int:
    """The result with one empty square left: whoever can fills it."""
    margin = popcount(own) - popcount(opp)
    flipped = flips(own, opp, square)
    if flipped:
        return objective * (margin + 2 * popcount(flipped) + 1)
    flipped = flips(opp, own, square)
    if flipped:
        return objective * (margin - 2 * popcount(flipped) - 1)
    return objective * margin


@lean_kernel("int64(uint64, uint64, int64, int64, int64, int64, int64[::1])")
def _try_two(
    own: np.uint64, opp: np.uint64, square: int, other: int, beta: int, objective: int, work: np.ndarray
) -> int:
    """The best of two last squares, -INFINITE_MARGIN when neither can be played."""
    best = -INFINITE_MARGIN
    flipped = flips(own, opp, square)
    if flipped:
        work[NODES] += 1
        best = -_last_one(opp ^ flipped, own | flipped | square_bit(square), other, objective)
        if best >= beta:
            return best
    flipped = flips(own, opp, other)
    if flipped:
        work[NODES] += 1
        best = max(best, -_last_one(opp ^ flipped, own | flipped | square_bit(other), square, objective))
    return best


@lean_kernel("int64(uint64, uint64, uint64, int64, int64, int64, int64[::1])")
def _last_two(
    own: np.uint64, opp: np.uint64, empty: np.uint64, alpha: int, beta: int, objective: int, work: np.ndarray
) -> int:
    square, other = first(empty), first(empty & (empty - _ONE))
    work[NODES] += 1
    best = _try_two(own, opp, square, other, beta, objective, work)
    if best > -INFINITE_MARGIN:
        return best
    best = -_try_two(opp, own, square, other, -alpha, objective, work)
    return best if best < INFINITE_MARGIN else _margin(own, opp, objective)


@lean_kernel("uint64(uint64)")
def _odd_regions(empty: np.uint64) -> np.uint64:
    """The quadrants with an odd number of empty squares: who plays there first also plays there last."""
    odd = _ZERO
    for quadrant in range(4):
        if popcount(empty & _QUADRANTS[quadrant]) & 1:
            odd |= _QUADRANTS[quadrant]
    return odd


@lean_kernel("int64(uint64, uint64, uint64, int64, int64, int64, int64[::1])")
def _solve_few(
    own: np.uint64, opp: np.uint64, empty: np.uint64, alpha: int, beta: int, objective: int, work: np.ndarray
) -> int:
    """Without hash table, moves in odd regions first."""
    if popcount(empty) == 2:
        return _last_two(own, opp, empty, alpha, beta, objective, work)
    work[NODES] += 1
    moves = mobility(own, opp, empty)
    if moves == _ZERO:
        if mobility(opp, own, empty) == _ZERO:
            return _margin(own, opp, objective)
        return -_solve_few(opp, own, empty, -beta, -alpha, objective, work)
    best = -INFINITE_MARGIN
    odd = _odd_regions(empty)
    while moves:
        square = first(moves & odd if moves & odd else moves)
        bit = square_bit(square)
        moves ^= bit
        flipped = flips(own, opp, square)
        score = -_solve_few(opp ^ flipped, own | flipped | bit, empty ^ bit, -beta, -max(alpha, best), objective, work)
        if score > best:
            best = score
            if best >= beta:
                break
    return best


@lean_kernel(f"int64(uint64, uint64, int64, int64, {DESK})")
def solve(own: np.uint64, opp: np.uint64, alpha: int, beta: int, desk: Desk) -> int:
    """The margin if it lies between alpha and beta, else a bound; without meaning once the work is halted."""
    table, work, control = desk
    empty, objective = playable_in(work) & ~(own | opp), work[OBJECTIVE]
    moves, empties = mobility(own, opp, empty), popcount(empty)
    if empties <= FEW:
        return _solve_few(own, opp, empty, alpha, beta, objective, work)
    if moves == _ZERO and mobility(opp, own, empty) != _ZERO:
        return -solve(opp, own, -beta, -alpha, desk)
    if spend(work, control) or moves == _ZERO:
        return _margin(own, opp, objective)
    key = position_key(own, opp, salt_of(objective, True))
    known, squares = recall(table, key, empties, alpha, beta)
    if known != UNKNOWN:
        return known
    row, best, best_square = rank(own, opp, moves, squares, work), -INFINITE_MARGIN, NO_SQUARE
    for place in range(row, row + popcount(moves)):
        floor = max(alpha, best)
        ceiling = beta if place == row else floor + 1
        mine, yours = put(own, opp, work[place] & 63)
        score = -solve(yours, mine, -ceiling, -floor, desk)
        if ceiling <= score < beta:
            score = -solve(yours, mine, -beta, -floor, desk)
        if score > best:
            best, best_square = score, work[place] & 63
        if best >= beta or work[HALTED]:
            break
    if not work[HALTED]:
        keep(table, key, 0, empties, bound_of(best, alpha, beta), best, best_square)
    return best
