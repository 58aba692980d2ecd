"""A board of shapes led from one position to another of the same game: only the lines that differ are read anew."""

import numpy as np

from .bits import first
from .gomoku_lines import EDGE, HALF
from .gomoku_shapes import (
    BLACK_EXACT,
    EXACT,
    FREE,
    KEY,
    KEYS,
    LENGTH_SHIFT,
    LINE_WORDS,
    LINES,
    MISERE,
    MOST_CELLS,
    NEEDED,
    NUM_PLACED,
    TURN,
    WIDTH,
    lay_line,
    set_up,
)
from .jit import lean_kernel
from .layout import (
    ANTIDIAGONALS,
    COLUMNS,
    DIAGONALS,
    EMPTIES,
    FREESTYLE,
    GUARD,
    IN_A_ROW,
    NUM_LINES,
    RENJU,
    ROWS,
    RULE,
    SIDE,
    SIZE,
    STONES,
)


@lean_kernel("boolean(int64[::1], uint64[::1])")
def _is_same_game(board: np.ndarray, state: np.ndarray) -> bool:
    rule = np.int64(state[RULE])
    same_rule = (board[EXACT] == 0) == (rule == FREESTYLE) and (board[BLACK_EXACT] != 0) == (rule == RENJU)
    same_board = board[WIDTH] == np.int64(state[SIZE]) and board[NEEDED] == np.int64(state[IN_A_ROW])
    return same_rule and same_board and board[MISERE] == 0


@lean_kernel("int64(uint64[::1], int64, int64)")
def _stones(state: np.ndarray, line: int, shift: int) -> int:
    """The stones of both colors on a line of the state, as a line of the board has them."""
    black = np.int64(state[STONES + line] >> np.uint64(GUARD + shift))
    white = np.int64(state[STONES + NUM_LINES + line] >> np.uint64(GUARD + shift))
    return int(black << EDGE | white << EDGE + HALF)


@lean_kernel("void(int64[::1], int64, int64)")
def _refresh(board: np.ndarray, index: int, stones: int) -> None:
    line = LINES + LINE_WORDS * index
    now = stones | board[line] & 31 << LENGTH_SHIFT
    if board[line] != now:
        lay_line(board, line, now)


@lean_kernel("void(int64[::1], int64, int64)")
def _refresh_row(board: np.ndarray, row: int, stones: int) -> None:
    """Refresh a row, and the key for what changed on it."""
    changed = stones ^ board[LINES + LINE_WORDS * row] & ~(31 << LENGTH_SHIFT)
    while changed:
        place = first(changed)
        changed &= changed - 1
        cell = row * board[WIDTH] + (place & HALF - 1) - EDGE
        board[KEY] ^= board[KEYS + place // HALF * MOST_CELLS + cell]
    _refresh(board, row, stones)


@lean_kernel("void(int64[::1], uint64[::1])")
def refresh(board: np.ndarray, state: np.ndarray) -> None:
    """Read a state of the ordinary game onto a board that holds another position, or zeros at first."""
    if not _is_same_game(board, state):
        set_up(board, state, 1)
        return
    board[TURN], board[FREE], board[NUM_PLACED] = np.int64(state[SIDE]), np.int64(state[EMPTIES]), 0
    size = board[WIDTH]
    for number in range(size):
        _refresh_row(board, number, _stones(state, ROWS + number, 0))
        _refresh(board, size + number, _stones(state, COLUMNS + number, 0))
    for start in range(1 - size, size):
        index, shift = 2 * (start + 2 * size - 1), max(start, 0)
        _refresh(board, index, _stones(state, DIAGONALS + 19 - start, shift))
        _refresh(board, index + 1, _stones(state, ANTIDIAGONALS + size - 1 + start, shift))
