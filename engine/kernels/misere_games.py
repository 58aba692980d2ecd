"""Whole games of misère Gomoku by one look ahead, for fitting and comparing weights."""

import numpy as np

from .gomoku_moves import class_of
from .gomoku_shapes import BOARD_WORDS, FREE, MAKES_FIVE, MOST_CELLS, TURN, WIDTH, place_stone, set_up, take_back
from .jit import kernel, lean_kernel
from .misere_value import features, stage
from .misere_weights import NUM_FEATURES, UNIT_BITS
from .rng import below

RECORD_WORDS = NUM_FEATURES + 2  # the features, the stage, the side to move

_FINE = 1 << 30


@lean_kernel("float64(uint64[::1])")
def gumbel(rng: np.ndarray) -> float:
    """Noise that makes the greatest of some scores a choice by softmax."""
    return -np.log(-np.log((below(rng, _FINE) + 0.5) / _FINE))


@lean_kernel("float64(int64[::1], int64[:, :, ::1], int64)")
def weighted(board: np.ndarray, weights: np.ndarray, table: int) -> float:
    """The score of a position by one of the tables."""
    counted, row, total = features(board), stage(board), 0
    for feature in range(NUM_FEATURES):
        total += weights[table, row, feature] * counted[feature]
    return total / (1 << UNIT_BITS)


@lean_kernel("int64(int64[::1], uint8[::1], int64[:, :, ::1], int64, float64, uint64[::1])")
def best_point(
    board: np.ndarray, taken: np.ndarray, weights: np.ndarray, table: int, noise: float, rng: np.ndarray
) -> int:
    """The point after which the opponent's score is least, give or take the noise; -1 when each completes a row."""
    best, chosen = -np.inf, -1
    for cell in range(board[WIDTH] * board[WIDTH]):
        if taken[cell] or class_of(board, board[TURN] * MOST_CELLS + cell) == MAKES_FIVE:
            continue
        place_stone(board, cell)
        score = noise * gumbel(rng) - weighted(board, weights, table)
        take_back(board)
        if score > best:
            best, chosen = score, cell
    return chosen


@lean_kernel("void(int64[::1], int64[::1])")
def _record(board: np.ndarray, record: np.ndarray) -> None:
    counted = features(board)
    for feature in range(NUM_FEATURES):
        record[feature] = counted[feature]
    record[NUM_FEATURES], record[NUM_FEATURES + 1] = stage(board), board[TURN]


@kernel("UniTuple(int64, 2)(uint64[::1], uint8[::1], int64[:, :, ::1], float64, uint64[::1], int64[:, ::1])")
def play_game(
    state: np.ndarray, taken: np.ndarray, weights: np.ndarray, noise: float, rng: np.ndarray, records: np.ndarray
) -> tuple[int, int]:
    """Play on to the end, black by the first table of weights, white by the second, and record each position.

    Returns who was forced to complete a row, 0 black, 1 white, -1 nobody, and the number of records; the points that
    are taken are kept up.
    """
    board, count = np.empty(BOARD_WORDS, np.int64), 0
    set_up(board, state, -1)
    while board[FREE]:
        _record(board, records[count])
        count += 1
        cell = best_point(board, taken, weights, board[TURN], noise, rng)
        if cell < 0:
            return board[TURN], count
        taken[cell] = 1
        place_stone(board, cell)
    return -1, count
