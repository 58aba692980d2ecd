"""Stones placed and taken back on the board of shapes and, in renju, on the state that its forbidden points need."""

from typing import TypeAlias

import numpy as np

from .bits import square_bit
from .gomoku import line_of, place_of
from .gomoku_shapes import BLACK_EXACT, TURN, WIDTH, place_stone, take_back
from .jit import lean_kernel
from .layout import NUM_LINES, STONES

STOP, NODES, NODE_LIMIT = range(3)  # of the control array

# What a search works on: the board, its state for renju, its notes, the hash table and the control array.
Work: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
WORK = "Tuple((int64[::1], uint64[::1], int64[::1], uint64[:,::1], int64[::1]))"


@lean_kernel("void(int64[::1], uint64[::1], int64, int64)")
def _toggle(board: np.ndarray, state: np.ndarray, color: int, cell: int) -> None:
    """Keep up the bit rows that the forbidden points of renju are found on."""
    if board[BLACK_EXACT] == 0:
        return
    row, column = cell // board[WIDTH], cell % board[WIDTH]
    for direction in range(4):
        line = STONES + color * NUM_LINES + line_of(direction, row, column)
        state[line] ^= square_bit(place_of(direction, row, column))


@lean_kernel("void(int64[::1], uint64[::1], int64)")
def play(board: np.ndarray, state: np.ndarray, cell: int) -> None:
    """Play on an empty point that completes no row."""
    _toggle(board, state, board[TURN], cell)
    place_stone(board, cell)


@lean_kernel("void(int64[::1], uint64[::1])")
def undo(board: np.ndarray, state: np.ndarray) -> None:
    """Take the last stone back."""
    cell = take_back(board)
    _toggle(board, state, board[TURN], cell)
