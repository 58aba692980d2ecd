"""Gomoku on bit rows: four lines through every cell and color, so that a move sets four words."""

import numpy as np

from .bits import first, last, popcount, square_bit
from .jit import lean_kernel
from .layout import (
    ANTIDIAGONALS,
    BLACK_WON,
    COLUMNS,
    DIAGONALS,
    DRAWN,
    EMPTIES,
    FREESTYLE,
    GOING_ON,
    GUARD,
    IN_A_ROW,
    NUM_LINES,
    RENJU,
    RESULT,
    ROWS,
    RULE,
    SIDE,
    SIZE,
    STONES,
)
from .renju import forbidden

CELL_SHIFT, CELL_MASK = 5, 31  # a cell as one number without a division: row << CELL_SHIFT | column

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@lean_kernel("int64(int64, int64, int64)")
def line_of(direction: int, row: int, column: int) -> int:
    """The line through a cell: along its row, its column, its diagonal or its antidiagonal."""
    if direction == 0:
        return ROWS + row
    if direction == 1:
        return COLUMNS + column
    if direction == 2:
        return DIAGONALS + 19 + row - column
    return ANTIDIAGONALS + row + column


@lean_kernel("int64(int64, int64, int64)")
def place_of(direction: int, row: int, column: int) -> int:
    """The bit of a cell on its line."""
    return GUARD + (row if direction == 1 else column)


@lean_kernel("uint64(uint64[::1], int64)")
def empty_columns(state: np.ndarray, row: int) -> np.uint64:
    """The empty cells of a row, at bit GUARD + column."""
    taken = state[STONES + ROWS + row] | state[STONES + NUM_LINES + ROWS + row]
    return ~taken & ((square_bit(np.int64(state[SIZE])) - _ONE) << np.uint64(GUARD))


@lean_kernel("boolean(uint64[::1], int64)")
def needs_exactly(state: np.ndarray, side: int) -> bool:
    """True for a side that does not win with more than enough in a row."""
    rule = np.int64(state[RULE])
    return rule != FREESTYLE and (rule != RENJU or side == 0)


@lean_kernel("void(uint64[::1], int64, int64, int64)")
def place(state: np.ndarray, side: int, row: int, column: int) -> None:
    """Set the stone's bit on its four lines."""
    for direction in range(4):
        line = STONES + side * NUM_LINES + line_of(direction, row, column)
        state[line] |= square_bit(place_of(direction, row, column))


@lean_kernel("int64(uint64, int64)")
def run_length(line: np.uint64, place: int) -> int:
    """How many stones stand in a row through a place, if one stands there."""
    line |= square_bit(place)
    above = first(~(line >> np.uint64(place)))
    below = 63 - last(~(line << np.uint64(63 - place)))
    return above + below - 1


@lean_kernel("boolean(uint64[::1], int64, int64, int64, int64, boolean)")
def completes(state: np.ndarray, side: int, row: int, column: int, in_a_row: int, exactly: bool) -> bool:
    """True when a stone of this side on this cell stands in a winning row."""
    for direction in range(4):
        line = state[STONES + side * NUM_LINES + line_of(direction, row, column)]
        length = run_length(line, place_of(direction, row, column))
        if length == in_a_row or (length > in_a_row and not exactly):
            return True
    return False


@lean_kernel("int64(uint64[::1])")
def _result_without_win(state: np.ndarray) -> int:
    if state[EMPTIES] == _ZERO:
        return DRAWN
    if np.int64(state[RULE]) != RENJU or state[SIDE] != _ZERO:
        return GOING_ON
    size = np.int64(state[SIZE])
    for row in range(size):
        columns = empty_columns(state, row)
        while columns:
            if not forbidden(state, row * size + first(columns) - GUARD):
                return GOING_ON
            columns &= columns - _ONE
    return DRAWN


@lean_kernel("void(uint64[::1], int64)")
def play_on(state: np.ndarray, move: int) -> None:
    """Play a legal move in place that is known not to end the game."""
    size, side = np.int64(state[SIZE]), np.int64(state[SIDE])
    place(state, side, move // size, move % size)
    state[EMPTIES] -= _ONE
    state[SIDE] = np.uint64(1 - side)


@lean_kernel("void(uint64[::1], int64)")
def play(state: np.ndarray, move: int) -> None:
    """Play a legal move in place."""
    size, side = np.int64(state[SIZE]), np.int64(state[SIDE])
    row, column = move // size, move % size
    play_on(state, move)
    if completes(state, side, row, column, np.int64(state[IN_A_ROW]), needs_exactly(state, side)):
        state[RESULT] = np.uint64(BLACK_WON + side)
    else:
        state[RESULT] = np.uint64(_result_without_win(state))


@lean_kernel("int64(uint64[::1], int16[::1])")
def legal_moves(state: np.ndarray, out: np.ndarray) -> int:
    """Write the legal moves in ascending order and return how many."""
    if state[RESULT] != np.uint64(GOING_ON):
        return 0
    size = np.int64(state[SIZE])
    filtered = np.int64(state[RULE]) == RENJU and state[SIDE] == _ZERO
    count = 0
    for row in range(size):
        columns = empty_columns(state, row)
        while columns:
            move = row * size + first(columns) - GUARD
            columns &= columns - _ONE
            if not (filtered and forbidden(state, move)):
                out[count] = move
                count += 1
    return count


@lean_kernel("int64(uint64[::1], int16[::1])")
def empty_list(state: np.ndarray, cells: np.ndarray) -> int:
    """Write the empty points as cells and return how many."""
    count = 0
    for row in range(np.int64(state[SIZE])):
        columns = empty_columns(state, row)
        while columns:
            cells[count] = row << CELL_SHIFT | first(columns) - GUARD
            count += 1
            columns &= columns - _ONE
    return count


@lean_kernel("boolean(uint64[::1], int64)")
def is_empty(state: np.ndarray, cell: int) -> bool:
    """True for an empty cell; cells off the board are not empty."""
    row = cell >> CELL_SHIFT
    if not 0 <= row < np.int64(state[SIZE]):
        return False
    return empty_columns(state, row) & square_bit(GUARD + (cell & CELL_MASK)) != _ZERO


@lean_kernel("int64(int64, int64, int64)")
def _cell_at(direction: int, index: int, place: int) -> int:
    """The cell at a place of a line."""
    along = place - GUARD
    if direction == 0:
        return (index - ROWS) << CELL_SHIFT | along
    if direction == 1:
        return along << CELL_SHIFT | (index - COLUMNS)
    if direction == 2:
        return (index - DIAGONALS - 19 + along) << CELL_SHIFT | along
    return (index - ANTIDIAGONALS - along) << CELL_SHIFT | along


@lean_kernel("uint64(uint64, int64, int64, boolean)")
def _if_completing(line: np.uint64, place: int, in_a_row: int, exactly: bool) -> np.uint64:
    """The set of this place when a stone there completes a row, else the empty set."""
    length = run_length(line, place)
    return square_bit(place) if length == in_a_row or (length > in_a_row and not exactly) else _ZERO


@lean_kernel("int64(uint64[::1], int64, int64, uint64, int16[::1], int64)")
def _append_empty(
    state: np.ndarray, direction: int, index: int, places: np.uint64, cells: np.ndarray, count: int
) -> int:
    """Append those of some places on a line that are empty cells; returns the new count."""
    while places:
        cell = _cell_at(direction, index, first(places))
        places &= places - _ONE
        if is_empty(state, cell):
            cells[count] = cell
            count += 1
    return count


@lean_kernel("int64(uint64[::1], int64, int64, int64, boolean, int16[::1], int64)")
def place_completing(
    state: np.ndarray, side: int, cell: int, in_a_row: int, exactly: bool, cells: np.ndarray, count: int
) -> int:
    """Set a stone and append the cells where the side would now complete a row with it; returns the new count."""
    row, column = cell >> CELL_SHIFT, cell & CELL_MASK
    for direction in range(4):
        index, place = line_of(direction, row, column), place_of(direction, row, column)
        line = state[STONES + side * NUM_LINES + index] | square_bit(place)
        state[STONES + side * NUM_LINES + index] = line
        if popcount(line) < in_a_row - 1:
            continue
        above = place + first(~(line >> np.uint64(place)))
        below = place - 63 + last(~(line << np.uint64(63 - place)))
        ends = _if_completing(line, above, in_a_row, exactly) | _if_completing(line, below, in_a_row, exactly)
        if ends:
            count = _append_empty(state, direction, index, ends, cells, count)
    return count


@lean_kernel("int64(uint64[::1], int64, int16[::1])")
def completing(state: np.ndarray, side: int, cells: np.ndarray) -> int:
    """Write the cells where the side completes a row, some of them twice, and return how many."""
    in_a_row, exactly = np.int64(state[IN_A_ROW]), needs_exactly(state, side)
    count = 0
    for index in range(NUM_LINES):
        line = state[STONES + side * NUM_LINES + index]
        if popcount(line) < in_a_row - 1:
            continue
        direction = 0 if index < COLUMNS else 1 if index < DIAGONALS else 2 if index < ANTIDIAGONALS else 3
        ends, found = ((line << _ONE) | (line >> _ONE)) & ~line, _ZERO
        while ends:
            found |= _if_completing(line, first(ends), in_a_row, exactly)
            ends &= ends - _ONE
        count = _append_empty(state, direction, index, found, cells, count)
    return count
