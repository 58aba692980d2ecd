"""What the reference players of Othello compute: a plain alpha-beta over three evaluations, and a helpmate."""

import numpy as np

from .bits import first, popcount, signed
from .jit import kernel, lean_kernel
from .layout import BLACK_DISCS, SIDE, SIZE, WHITE_DISCS
from .othello import mobility, move_of, playable_squares
from .othello_table import NO_SQUARES
from .othello_value import final_score, value
from .othello_work import OBJECTIVE, PLAYABLE, WORDS, put, rank

ORDINARY, FLIPPED, SQUARES = 0, 1, 2  # the evaluation, the same with its sign changed, the table of squares reversed
INFINITE = 2_000_000

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def _square_table() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The textbook's worth of squares, by their distance from the two edges."""
    worth = {(0, 0): 100, (0, 1): -20, (1, 1): -50, (0, 2): 10, (0, 3): 5, (1, 2): -2, (1, 3): -2}
    return np.array(
        [
            worth.get((min(near), max(near)), -1)
            for near in ((min(row, 7 - row), min(column, 7 - column)) for row in range(8) for column in range(8))
        ],
        np.int64,
    )


_SQUARES = _square_table()
_SMALL = np.array([0, 1, 2, 5, 6, 7])  # 6x6 leaves out the two middle lines


@lean_kernel("int64(uint64, int64)")
def _worth(discs: np.uint64, size: int) -> int:
    total = 0
    while discs:
        square = first(discs)
        discs &= discs - _ONE
        total += _SQUARES[square if size == 8 else 8 * _SMALL[square >> 3] + _SMALL[square & 7]]
    return total


@lean_kernel("int64(uint64, uint64, uint64, int64)")
def _evaluate(own: np.uint64, opp: np.uint64, playable: np.uint64, evaluation: int) -> int:
    """The score for the side with `own`, which is to move, in the terms of its aim."""
    if evaluation == ORDINARY:
        return value(own, opp, playable, 1)
    if evaluation == FLIPPED:
        return -value(own, opp, playable, 1)
    size = 8 if popcount(playable) == 64 else 6
    return _worth(opp, size) - _worth(own, size)


@lean_kernel("int64(uint64, uint64, int64, int64, int64, int64, int64[::1])")
def _search(
    own: np.uint64, opp: np.uint64, depth: int, alpha: int, beta: int, evaluation: int, work: np.ndarray
) -> int:
    """The score by alpha-beta; a pass costs no depth."""
    playable = np.uint64(work[PLAYABLE])
    moves = mobility(own, opp, playable)
    if moves == _ZERO:
        if mobility(opp, own, playable) == _ZERO:
            return final_score(own, opp, work[OBJECTIVE])
        return -_search(opp, own, depth, -beta, -alpha, evaluation, work)
    if depth == 0:
        return _evaluate(own, opp, playable, evaluation)
    row = rank(own, opp, moves, NO_SQUARES, work)
    for place in range(row, row + popcount(moves)):
        mine, yours = put(own, opp, work[place] & 63)
        alpha = max(alpha, -_search(yours, mine, depth - 1, -beta, -alpha, evaluation, work))
        if alpha >= beta:
            break
    return alpha


@kernel("int64(uint64[::1], int64, int64, int16[::1], int64[::1])")
def score_moves(state: np.ndarray, depth: int, evaluation: int, moves: np.ndarray, scores: np.ndarray) -> int:
    """Write the moves that are no pass with their scores at this depth, which covers each move itself; count them."""
    size, mover = signed(state[SIZE]), signed(state[SIDE])
    own, opp, playable = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover], playable_squares(size)
    work = np.zeros(WORDS, np.int64)
    work[OBJECTIVE], work[PLAYABLE] = 1 if evaluation == ORDINARY else -1, signed(playable)
    left, count = mobility(own, opp, playable), 0
    while left:
        square = first(left)
        left &= left - _ONE
        mine, yours = put(own, opp, square)
        moves[count] = move_of(square, size)
        scores[count] = -_search(yours, mine, depth - 1, -INFINITE, INFINITE, evaluation, work)
        count += 1
    return count


@lean_kernel("int64(uint64, uint64, uint64, int64, int64)")
def _helped(own: np.uint64, opp: np.uint64, playable: np.uint64, depth: int, sign: int) -> int:
    """The least value for the first side that both together can reach; the sign tells whether `own` is the first."""
    moves = mobility(own, opp, playable)
    if moves == _ZERO and mobility(opp, own, playable) != _ZERO and depth > 0:
        return _helped(opp, own, playable, depth, -sign)
    if depth == 0 or moves == _ZERO:
        return sign * value(own, opp, playable, 1)
    least = INFINITE
    while moves:
        mine, yours = put(own, opp, first(moves))
        moves &= moves - _ONE
        least = min(least, _helped(yours, mine, playable, depth - 1, -sign))
    return least


@kernel("int64(uint64[::1], int64, int16[::1], int64[::1])")
def score_helped(state: np.ndarray, depth: int, moves: np.ndarray, scores: np.ndarray) -> int:
    """Write the moves that are no pass with the least value that both sides together reach after them; count them."""
    size, mover = signed(state[SIZE]), signed(state[SIDE])
    own, opp, playable = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover], playable_squares(size)
    left, count = mobility(own, opp, playable), 0
    while left:
        square = first(left)
        left &= left - _ONE
        mine, yours = put(own, opp, square)
        moves[count] = move_of(square, size)
        scores[count] = _helped(yours, mine, playable, depth - 1, -1)
        count += 1
    return count
