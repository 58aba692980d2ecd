"""Othello solved to its end: the margin in discs for the side to move, in the ordinary game or in the misère."""

import numpy as np

from .bits import first, popcount, square_bit
from .jit import lean_kernel as kernel
from .othello import flips, mobility
from .othello_table import EXACT, LOWER, UPPER, find, keep, limits_in, position_key, square_in
from .othello_work import HALTED, NODES, rank, spend

FEW = 5  # up to so many empty squares the hash table costs more than it saves
INFINITE_MARGIN = 100

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_QUADRANTS = np.array([0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F << 32, 0xF0F0F0F0 << 32], dtype=np.uint64)


@kernel("int64(uint64, uint64, int64)")
def _margin(own: np.uint64, opp: np.uint64, objective: int) -> int:
    return objective * (popcount(own) - popcount(opp))


@kernel("int64(uint64, uint64, int64, int64)")
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


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64[::1])")
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


@kernel("int64(uint64, uint64, uint64, int64, int64, int64, int64[::1])")
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


@kernel("uint64(uint64)")
def _odd_regions(empty: np.uint64) -> np.uint64:
    """The quadrants with an odd number of empty squares: who plays there first also plays there last."""
    odd = _ZERO
    for quadrant in range(4):
        if popcount(empty & _QUADRANTS[quadrant]) & 1:
            odd |= _QUADRANTS[quadrant]
    return odd


@kernel("int64(uint64, uint64, uint64, int64, int64, int64, int64[::1])")
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


@kernel("int64(uint64, uint64, int64, int64, uint64, int64, uint64[:, ::1], int64[::1], int64[::1])")
def solve(
    own: np.uint64,
    opp: np.uint64,
    alpha: int,
    beta: int,
    playable: np.uint64,
    objective: int,
    table: np.ndarray,
    work: np.ndarray,
    control: np.ndarray,
) -> int:
    """The margin between alpha and beta, a bound outside; without meaning once the work is halted."""
    empty = playable & ~(own | opp)
    empties = popcount(empty)
    if empties <= FEW:
        return _solve_few(own, opp, empty, alpha, beta, objective, work) 
    if spend(work, control):
        return 0
    moves = mobility(own, opp, empty)
    if moves == _ZERO:
        if mobility(opp, own, empty) == _ZERO:
            return _margin(own, opp, objective)
        return -solve(opp, own, -beta, -alpha, playable, objective, table, work, control)
    key = position_key(own, opp, np.uint64(objective))
    entry = find(table, key)
    low, high = limits_in(entry, empties)
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    row = rank(own, opp, moves, square_in(entry), playable, work)
    best, best_square = -INFINITE_MARGIN, 0
    for place in range(row, row + popcount(moves)):
        square = work[place] & 63
        flipped = flips(own, opp, square)
        mine, yours = own | flipped | square_bit(square), opp ^ flipped
        floor = max(alpha, best)
        score = floor + 1
        if place > row:
            score = -solve(yours, mine, -floor - 1, -floor, playable, objective, table, work, control)
        if place == row or floor < score < beta:
            score = -solve(yours, mine, -beta, -floor, playable, objective, table, work, control)
        if work[HALTED]:
            return 0
        if score > best:
            best, best_square = score, square
            if best >= beta:
                break
    keep(table, key, 0, empties, LOWER if best >= beta else EXACT if best > alpha else UPPER, best, best_square)
    return best
