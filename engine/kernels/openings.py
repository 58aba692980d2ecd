"""Random first moves, so that games differ."""

import numpy as np

from .board import legal_moves, play
from .gomoku import CELL_SHIFT, is_empty
from .jit import lean_kernel
from .layout import GOING_ON, RESULT, RULE, SIDE, SIZE
from .renju import forbidden
from .rng import below

_SPREAD = 2  # two steps of at most so many points from the middle of a group
_TRIES = 64


@lean_kernel("boolean(uint64[::1], int64, uint64[::1], int16[::1])")
def scatter(state: np.ndarray, plies: int, rng: np.ndarray, moves: np.ndarray) -> bool:
    """Play random legal moves; False when the game ended on the way."""
    for _ in range(plies):
        if np.int64(state[RESULT]) != GOING_ON:
            return False
        play(state, np.int64(moves[below(rng, legal_moves(state, moves))]))
    return np.int64(state[RESULT]) == GOING_ON


@lean_kernel("int64(uint64[::1], int64, uint64[::1])")
def _near(state: np.ndarray, middle: int, rng: np.ndarray) -> int:
    """A legal Gomoku move near a point, -1 when none was met."""
    size, width = np.int64(state[SIZE]), 2 * _SPREAD + 1
    for _ in range(_TRIES):
        row = middle // size + below(rng, width) + below(rng, width) - 2 * _SPREAD
        column = middle % size + below(rng, width) + below(rng, width) - 2 * _SPREAD
        if not (0 <= row < size and 0 <= column < size and is_empty(state, row << CELL_SHIFT | column)):
            continue
        move = row * size + column
        if not (state[RULE] == np.uint64(2) and state[SIDE] == np.uint64(0) and forbidden(state, move)):
            return move
    return -1


@lean_kernel("boolean(uint64[::1], int64, int64, uint64[::1])")
def gather_near(state: np.ndarray, middle: int, plies: int, rng: np.ndarray) -> bool:
    """Play random Gomoku moves near a point; False when the game ended or there was no room."""
    for _ in range(plies):
        move = _near(state, middle, rng)
        if move < 0:
            return False
        play(state, move)
        if np.int64(state[RESULT]) != GOING_ON:
            return False
    return True
