"""What a position of misère Gomoku is worth to the side to move, by counted windows and points.

Own lines are the danger: a point where a side would complete a row is lost to it, and whoever is left without a
harmless point has failed. Counted are the opponent's windows and points less the own ones, by what they miss; the
parity of the points that are lost to nobody, after which each side lives on what is its alone; and the seat.
"""

import numpy as np

from .gomoku_lines import WINDOW_BITS
from .gomoku_shapes import (
    BOTH_FIVES,
    CLASS_COUNTS,
    COUNTS,
    FREE,
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_FOUR_AND_THREE,
    MAKES_FOURS,
    MAKES_OPEN_FOUR,
    MAKES_THREE,
    MAKES_THREES,
    NUM_CLASSES,
    TURN,
    WIDTH,
)
from .jit import lean_kernel
from .misere_weights import NUM_FEATURES, STAGES, UNIT_BITS, WEIGHTS, table_of


@lean_kernel("int64(int64[::1], int64)")
def _windows(board: np.ndarray, missing: int) -> int:
    """The opponent's windows that miss so many stones, less the own ones."""
    own, other = board[COUNTS + board[TURN]], board[COUNTS + 1 - board[TURN]]
    shift, field = WINDOW_BITS * (missing - 1), (1 << WINDOW_BITS) - 1
    return (other >> shift & field) - (own >> shift & field)


@lean_kernel("int64(int64[::1], int64)")
def _points(board: np.ndarray, makes: int) -> int:
    """The opponent's points of a class, less the own ones."""
    own, other = board[TURN] * NUM_CLASSES, (1 - board[TURN]) * NUM_CLASSES
    return board[CLASS_COUNTS + other + makes] - board[CLASS_COUNTS + own + makes]


@lean_kernel("int64(int64)")
def _odd(count: int) -> int:
    """1 for an odd number, -1 for an even one."""
    return 2 * (count & 1) - 1


@lean_kernel("UniTuple(int64, 11)(int64[::1])")
def features(board: np.ndarray) -> tuple[int, ...]:
    """What is counted, in the order of the weights."""
    lost = board[CLASS_COUNTS + MAKES_FIVE] + board[CLASS_COUNTS + NUM_CLASSES + MAKES_FIVE] - board[BOTH_FIVES]
    return (
        _windows(board, 1),
        _windows(board, 2),
        _windows(board, 3),
        _windows(board, 4),
        _points(board, MAKES_FIVE),
        _points(board, MAKES_OPEN_FOUR),
        _points(board, MAKES_FOUR) + _points(board, MAKES_FOUR_AND_THREE) + _points(board, MAKES_FOURS),
        _points(board, MAKES_THREE) + _points(board, MAKES_THREES),
        _odd(board[FREE] - lost),
        _odd(board[FREE]),
        1,
    )


@lean_kernel("int64(int64[::1])")
def stage(board: np.ndarray) -> int:
    """How much of the board is still empty, 0..STAGES."""
    return board[FREE] * STAGES // (board[WIDTH] * board[WIDTH])


@lean_kernel("int64(int64[::1])")
def misere_value(board: np.ndarray) -> int:
    """The score of a position of the misère that is not over."""
    counted, table, row, total = features(board), table_of(board[WIDTH]), stage(board), 0
    for feature in range(NUM_FEATURES):
        total += WEIGHTS[table, row, feature] * counted[feature]
    return total >> UNIT_BITS
