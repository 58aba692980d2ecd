"""Othello solved from further away: the learned tables order the moves, then the plain solver takes over."""

import numpy as np

from .bits import first, popcount, square_bit
from .claims import give_back
from .jit import lean_kernel
from .othello import WHOLE_BOARD, flips, mobility
from .othello_endgame import INFINITE_MARGIN, solve
from .othello_midgame import BENCH, FAR, SALT, Bench, enter, enter_next, explore, static_value, window
from .othello_patterns import turn
from .othello_stable import stable_discs
from .othello_table import (
    NO_SQUARE,
    NO_SQUARES,
    UNKNOWN,
    bound_of,
    find,
    keep,
    position_key,
    rank_in,
    recall,
    salt_of,
    squares_in,
)
from .othello_work import HALTED, OBJECTIVE, ROW, insert, spend

NEAR = 11  # empty squares up to which the plain solver is faster
CLAIMED_FROM = 14  # likewise: what is solved sooner is not worth sharing

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SQUARES = 64
_MOBILE = 100  # what a reply of the opponent's counts in the order of moves


@lean_kernel("int64(int64)")
def _ordering_depth(empties: int) -> int:
    """How deep to look at each move before it is solved."""
    return 0 if empties < 15 else 1 if empties < 19 else 2 if empties < 23 else 3


@lean_kernel("int64(uint64, uint64, int64, int64, int64)")
def bounded(own: np.uint64, opp: np.uint64, alpha: int, beta: int, objective: int) -> int:
    """A bound that stable discs alone set outside alpha and beta, else UNKNOWN."""
    if alpha < 8 and beta > -8:
        return UNKNOWN  # half of the board is seldom stable
    mine, yours = stable_discs(own, opp, WHOLE_BOARD)
    if objective < 0:
        mine, yours = yours, mine
    if _SQUARES - 2 * popcount(yours) <= alpha:
        return _SQUARES - 2 * popcount(yours)
    least = 2 * popcount(mine) - _SQUARES
    return least if least >= beta else UNKNOWN


@lean_kernel(f"int64(uint64, uint64, uint64, int64, int64, {BENCH})")
def _ended_below(own: np.uint64, opp: np.uint64, moves: np.uint64, beta: int, objective: int, bench: Bench) -> int:
    """A score of at least beta that the hash table knows after some move, else UNKNOWN."""
    table, salt = bench[0], salt_of(objective, True)
    empties = popcount(~(own | opp))
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        flipped = flips(own, opp, square)
        mine, yours = own | flipped | square_bit(square), opp ^ flipped
        known, _ = recall(table, position_key(yours, mine, salt), empties - 1, -beta, FAR)
        if known != UNKNOWN and -known >= beta:
            return -known
    return UNKNOWN


@lean_kernel(f"int64(uint64, uint64, uint64, int64, {BENCH})")
def _rank(own: np.uint64, opp: np.uint64, moves: np.uint64, known: int, bench: Bench) -> int:
    """Put the moves into this node's row, the likely best first, and return where the row begins."""
    work = bench[1]
    empties = popcount(~(own | opp))
    row = end = ROW * (1 + empties)
    depth = _ordering_depth(empties)
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        mine, yours = enter(own, opp, square, bench)
        weight = -_MOBILE * popcount(mobility(yours, mine, ~(mine | yours)))
        place = rank_in(known, square)
        if place > 0:
            weight = 10 * FAR * place
        elif depth > 0:
            weight -= explore(yours, mine, depth, -FAR, FAR, bench)
        else:
            weight -= static_value(yours, mine, empties - 1, bench)
        insert(work, row, end, (weight << 6) | square)
        end += 1
    return row


@lean_kernel(f"Tuple((int64, int64, uint64))(uint64, uint64, uint64, int64, int64, {BENCH})")
def _begin(
    own: np.uint64, opp: np.uint64, moves: np.uint64, alpha: int, beta: int, bench: Bench
) -> tuple[int, int, np.uint64]:
    """Count a node; its score if that is known, else UNKNOWN, its likely best squares, its key."""
    table, work, control, _, _, _ = bench
    objective = work[OBJECTIVE]
    if spend(work, control) or moves == _ZERO:
        return objective * (popcount(own) - popcount(opp)), NO_SQUARES, _ZERO
    score = bounded(own, opp, alpha, beta, objective)
    if score != UNKNOWN:
        return score, NO_SQUARES, _ZERO
    key = position_key(own, opp, salt_of(objective, True))
    score, squares = recall(table, key, popcount(~(own | opp)), alpha, beta)
    if score == UNKNOWN:
        score = _ended_below(own, opp, moves, beta, objective, bench)
    if squares == NO_SQUARES:
        squares = squares_in(find(table, position_key(own, opp, np.uint64(work[SALT]))))
    return score, squares, key


@lean_kernel(f"int64(uint64, uint64, int64, int64, {BENCH})")
def solve_far(own: np.uint64, opp: np.uint64, alpha: int, beta: int, bench: Bench) -> int:
    """The margin if it lies between alpha and beta, else a bound; without meaning once the work is halted."""
    table, work, control, numbers, _, claims = bench
    moves, empties = mobility(own, opp, ~(own | opp)), popcount(~(own | opp))
    if empties <= NEAR:
        return solve(own, opp, alpha, beta, (table, work, control))
    if moves == _ZERO and mobility(opp, own, ~(own | opp)) != _ZERO:
        turn(numbers[empties], numbers[empties])
        score = -solve_far(opp, own, -beta, -alpha, bench)
        turn(numbers[empties], numbers[empties])
        return score
    score, squares, key = _begin(own, opp, moves, alpha, beta, bench)
    if score != UNKNOWN:
        return score
    row, best, best_square = _rank(own, opp, moves, squares, bench), -INFINITE_MARGIN, NO_SQUARE
    for place in range(row, row + popcount(moves)):
        floor, ceiling = window(alpha, best, beta, place - row)
        mine, yours, claim = enter_next(own, opp, moves, row, place, key if empties >= CLAIMED_FROM else _ZERO, bench)
        score = -solve_far(yours, mine, -ceiling, -floor, bench)
        if ceiling <= score < beta:
            score = -solve_far(yours, mine, -beta, -floor, bench)
        give_back(claims, claim)
        if score > best:
            best, best_square = score, work[place] & 63
        if best >= beta or work[HALTED]:
            break
    if not work[HALTED]:
        keep(table, key, 0, empties, bound_of(best, alpha, beta), best, best_square)
    return best
