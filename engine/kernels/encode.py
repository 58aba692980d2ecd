"""Positions as the input planes of nets, always seen by the side to move.

The order of the planes is that of the tables in the nets' folder; a test compares the two.
"""

import numpy as np

from .bits import first, popcount, square_bit
from .gomoku import empty_columns
from .gomoku import legal_moves as gomoku_moves
from .gomoku_lines import EDGE, FIVE, HALF, shapes_of_line
from .jit import kernel
from .layout import (
    ANTIDIAGONALS,
    BLACK_DISCS,
    COLUMNS,
    DIAGONALS,
    EMPTIES,
    FREESTYLE,
    GOMOKU,
    GUARD,
    IN_A_ROW,
    KIND,
    NUM_LINES,
    OBJECTIVE,
    RENJU,
    ROWS,
    RULE,
    SIDE,
    SIZE,
    STANDARD,
    STONES,
    WHITE_DISCS,
)
from .othello import legal_moves as othello_moves
from .othello import mobility, playable_squares
from .renju import forbidden

NUM_GOMOKU_PLANES, NUM_OTHELLO_PLANES, NUM_CLASSIC_PLANES = 16, 9, 4

_OWN, _OPP, _BOARD, _SHAPES, _FORBIDDEN, _STANDARD, _RENJU, _BLACK_IN_RENJU, _OBJECTIVE = 0, 1, 2, 3, 11, 12, 13, 14, 15
_NUM_SHAPES = 4  # of each side: five, open four, four, open three
_ODD = 7  # Othello: the number of empty squares is odd

_ZERO, _ONE, _EIGHT = np.uint64(0), np.uint64(1), np.uint64(8)
_NOT_LEFT, _NOT_RIGHT = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)


@kernel("void(uint64[::1], float32[:, ::1], int64, int64, int64, int64, int64)")
def _draw_shapes(
    state: np.ndarray, planes: np.ndarray, index: int, low: int, cell: int, step: int, length: int
) -> None:
    """Mark what a stone on each empty cell of a line would make; the line begins at bit `low`, on `cell`."""
    needed, rule = np.int64(state[IN_A_ROW]), np.int64(state[RULE])
    black = state[STONES + index] >> np.uint64(GUARD + low)
    white = state[STONES + NUM_LINES + index] >> np.uint64(GUARD + low)
    if length < needed or max(popcount(black), popcount(white)) < needed - 3:
        return
    exact = 0 if rule == FREESTYLE else (1 << HALF) - 1 if rule == RENJU else (1 << 2 * HALF - 2) - 1
    stones = np.int64(black) << EDGE | np.int64(white) << (EDGE + HALF)
    bottom, middle, top, _, _ = shapes_of_line(stones, length, needed, exact)
    marked = middle | top
    while marked:
        place = first(np.uint64(marked))
        marked &= marked - 1
        code = (bottom >> place & 1) | (middle >> place & 1) << 1 | (top >> place & 1) << 2
        color, point = place // HALF, cell + step * (place % HALF - EDGE)
        shapes = _SHAPES if color == np.int64(state[SIDE]) else _SHAPES + _NUM_SHAPES
        planes[shapes + FIVE - code, point] = 1.0
        if rule == RENJU and color == 0:
            planes[_FORBIDDEN, point] = 1.0  # suspected: a double four or three begins with one
    if rule == RENJU and popcount(black) >= needed:
        for place in range(length):
            planes[_FORBIDDEN, cell + step * place] = 1.0  # suspected: there may be an overline


@kernel("void(uint64[::1], float32[:, ::1], int64)")
def _draw_all_shapes(state: np.ndarray, planes: np.ndarray, size: int) -> None:
    for number in range(size):
        _draw_shapes(state, planes, ROWS + number, 0, number * size, 1, size)
        _draw_shapes(state, planes, COLUMNS + number, 0, number, size, size)
    for difference in range(1 - size, size):  # row - column
        low, length = max(0, -difference), size - abs(difference)
        cell = (low + difference) * size + low
        _draw_shapes(state, planes, DIAGONALS + 19 + difference, low, cell, size + 1, length)
    for total in range(2 * size - 1):  # row + column
        low = max(0, total - size + 1)
        cell, length = (total - low) * size + low, min(total, size - 1) - low + 1
        _draw_shapes(state, planes, ANTIDIAGONALS + total, low, cell, 1 - size, length)


@kernel("void(uint64[::1], float32[:, ::1])")
def _clear_suspects(state: np.ndarray, planes: np.ndarray) -> None:
    """Leave only the points that are really forbidden."""
    size = np.int64(state[SIZE])
    for row in range(size):
        empty = empty_columns(state, row)
        for column in range(size):
            move = row * size + column
            if planes[_FORBIDDEN, move] != 0.0:
                is_empty = empty & square_bit(GUARD + column) != _ZERO
                planes[_FORBIDDEN, move] = 1.0 if is_empty and forbidden(state, move) else 0.0


@kernel("void(uint64[::1], float32[:, ::1])")
def _draw_gomoku(state: np.ndarray, planes: np.ndarray) -> None:
    size, side, rule = np.int64(state[SIZE]), np.int64(state[SIDE]), np.int64(state[RULE])
    planes[:] = 0.0
    for row in range(size):
        own = state[STONES + side * NUM_LINES + ROWS + row] >> np.uint64(GUARD)
        opp = state[STONES + (1 - side) * NUM_LINES + ROWS + row] >> np.uint64(GUARD)
        for column in range(size):
            planes[_OWN, row * size + column] = np.float32((own >> np.uint64(column)) & _ONE)
            planes[_OPP, row * size + column] = np.float32((opp >> np.uint64(column)) & _ONE)
    _draw_all_shapes(state, planes, size)
    planes[_BOARD] = 1.0
    planes[_OBJECTIVE] = 1.0 if state[OBJECTIVE] == _ZERO else -1.0
    if rule == STANDARD:
        planes[_STANDARD] = 1.0
    if rule == RENJU:
        _clear_suspects(state, planes)
        planes[_RENJU] = 1.0
        planes[_BLACK_IN_RENJU] = 1.0 - side


@kernel("uint64(uint64)")
def _around(squares: np.uint64) -> np.uint64:
    """A set with all its neighbors, some of them off a small board."""
    wide = squares | ((squares & _NOT_RIGHT) << _ONE) | ((squares & _NOT_LEFT) >> _ONE)
    return wide | (wide << _EIGHT) | (wide >> _EIGHT)


@kernel("void(uint64[::1], float32[:, ::1])")
def _draw_othello(state: np.ndarray, planes: np.ndarray) -> None:
    size, side = np.int64(state[SIZE]), np.int64(state[SIDE])
    playable = playable_squares(size)
    own, opp = state[BLACK_DISCS + side], state[WHITE_DISCS - side]
    exposed = _around(playable & ~(own | opp))
    moves, replies = mobility(own, opp, playable), mobility(opp, own, playable)
    for plane, squares in enumerate((own, opp, moves, replies, own & exposed, opp & exposed)):
        for row in range(size):
            line = squares >> np.uint64(8 * row)
            for column in range(size):
                planes[plane, row * size + column] = np.float32((line >> np.uint64(column)) & _ONE)
    planes[_ODD - 1] = 1.0
    planes[_ODD] = np.float32(state[EMPTIES] & _ONE)
    planes[_ODD + 1] = 1.0 if state[OBJECTIVE] == _ZERO else -1.0


@kernel("void(uint64[::1], float32[:, ::1], int16[::1])")
def _draw_classic(state: np.ndarray, planes: np.ndarray, moves: np.ndarray) -> None:
    """Draw own stones, the opponent's, the legal moves, and whether black is to move."""
    size, side = np.int64(state[SIZE]), np.int64(state[SIDE])
    is_gomoku = np.int64(state[KIND]) == GOMOKU
    planes[:] = 0.0
    for plane in range(2):
        color = side if plane == 0 else 1 - side
        for row in range(size):
            if is_gomoku:
                line = state[STONES + color * NUM_LINES + ROWS + row] >> np.uint64(GUARD)
            else:
                line = state[BLACK_DISCS + color] >> np.uint64(8 * row)
            for column in range(size):
                planes[plane, row * size + column] = np.float32((line >> np.uint64(column)) & _ONE)
    count = gomoku_moves(state, moves) if is_gomoku else othello_moves(state, moves)
    for place in range(count):
        if moves[place] < size * size:
            planes[2, moves[place]] = 1.0
    planes[3] = 1.0 - side


@kernel("void(uint64[:, ::1], float32[:, :, :, ::1])")
def encode(states: np.ndarray, planes: np.ndarray) -> None:
    """Write the planes of states of one game and one size; in renju a state is changed for a while and put back.

    As many planes as the classic net sees are its planes.
    """
    batch, num_planes, size, _ = planes.shape
    flat, moves = planes.reshape(batch, num_planes, size * size), np.empty(size * size + 1, np.int16)
    for position in range(batch):
        if num_planes == NUM_CLASSIC_PLANES:
            _draw_classic(states[position], flat[position], moves)
        elif np.int64(states[position, KIND]) == GOMOKU:
            _draw_gomoku(states[position], flat[position])
        else:
            _draw_othello(states[position], flat[position])
