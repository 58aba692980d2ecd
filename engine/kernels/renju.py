"""Renju: the points forbidden to black, read off the eleven cells around a point on each of its four lines.

A window is such a line as bits, the point in its middle. What a black stone makes there is packed into a code: the
length of its row, its fours (0, 1 or 2), and how far above and below one more stone would make a straight four.
"""

import numpy as np

from .bits import first, last, popcount, square_bit
from .jit import kernel
from .layout import ANTIDIAGONALS, COLUMNS, DIAGONALS, GUARD, NUM_LINES, ROWS, SIZE, STONES

ALLOWED, FIVE, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = range(5)

_MIDDLE = 5
_WINDOW = 0b11111_1_11111
_NEAR = 0b01111_0_11110  # where the other stones of a three or a four stand
_FOURS_AT, _ABOVE_AT, _BELOW_AT, _CODE_BITS = 4, 8, 12, 16


@kernel("UniTuple(int64, 2)(int64, int64, int64)")
def _place(direction: int, row: int, column: int) -> tuple[int, int]:
    """The line through a cell, and its bit there."""
    if direction == 0:
        return ROWS + row, GUARD + column
    if direction == 1:
        return COLUMNS + column, GUARD + row
    if direction == 2:
        return DIAGONALS + 19 + row - column, GUARD + column
    return ANTIDIAGONALS + row + column, GUARD + column


@kernel("UniTuple(int64, 2)(int64, int64, int64, int64)")
def _along(direction: int, row: int, column: int, offset: int) -> tuple[int, int]:
    """The cell that many bits above."""
    if direction == 0:
        return row, column + offset
    if direction == 1:
        return row + offset, column
    if direction == 2:
        return row + offset, column + offset
    return row - offset, column + offset


@kernel("int64(int64, int64, int64, int64)")
def _board_window(direction: int, row: int, column: int, size: int) -> int:
    """The cells of a window that are on the board."""
    right, down = size - 1 - column, size - 1 - row
    below, above = column, right
    if direction == 1:
        below, above = row, down
    elif direction == 2:
        below, above = min(row, column), min(down, right)
    elif direction == 3:
        below, above = min(down, column), min(row, right)
    return _WINDOW >> max(_MIDDLE - above, 0) & _WINDOW << max(_MIDDLE - below, 0)


@kernel("int64(uint64[::1], int64, int64, int64, int64)")
def _stone_window(state: np.ndarray, color: int, direction: int, row: int, column: int) -> int:
    line, place = _place(direction, row, column)
    return int(state[STONES + color * NUM_LINES + line] >> np.uint64(place - _MIDDLE) & np.uint64(_WINDOW))


@kernel("void(uint64[::1], int64, int64)")
def _toggle(state: np.ndarray, row: int, column: int) -> None:
    """Put a black stone on a cell, or take it away."""
    for direction in range(4):
        line, place = _place(direction, row, column)
        state[STONES + line] ^= square_bit(place)


@kernel("UniTuple(int64, 2)(int64)")
def _ends(black: int) -> tuple[int, int]:
    """The first cells below and above the row through the middle; -1 and 11 are beyond the window."""
    above = _MIDDLE + first(np.uint64(~(black >> _MIDDLE)))
    below = last(np.uint64((~black & 0b11111) << 1 | 1)) - 1
    return below, above


@kernel("boolean(int64, int64)")
def _completes_five(black: int, cell: int) -> bool:
    below, above = _ends(black | 1 << cell)
    return above - below == 6


@kernel("boolean(int64, int64, int64)")
def _makes_straight_four(black: int, empty: int, cell: int) -> bool:
    """True when a stone here makes four in a row that either end completes to exactly five."""
    below, above = _ends(black | 1 << cell)
    if above - below != 5:
        return False
    ends = 1 << below | 1 << above
    return empty & ends == ends and black & (ends << 1 | ends >> 1) & ~(0b1111 << (below + 1)) == 0


@kernel("int64(int64, int64)")
def _code(black: int, empty: int) -> int:
    """What the black stone in the middle of a window makes."""
    below, above = _ends(black)
    length = above - below - 1
    free_above, free_below = empty >> above & 1 == 1, below >= 0 and empty >> below & 1 == 1
    five_above = free_above and _completes_five(black, above)
    five_below = free_below and _completes_five(black, below)
    if five_above or five_below:
        fours = 1 if length == 4 or not (five_above and five_below) else 2
        return length | fours << _FOURS_AT
    code = length
    if free_above and _makes_straight_four(black, empty, above):
        code |= (above - _MIDDLE) << _ABOVE_AT
    if free_below and _makes_straight_four(black, empty, below):
        code |= (_MIDDLE - below) << _BELOW_AT
    return code


@kernel("boolean(uint64[::1], int64, int64)")
def _is_crowded(state: np.ndarray, row: int, column: int) -> bool:
    """True when enough black stones are near to forbid the cell: two on two lines, or four on one."""
    lines = 0
    for direction in range(4):
        near = popcount(np.uint64(_stone_window(state, 0, direction, row, column) & _NEAR))
        lines += (near > 1) + (near > 3)
    return lines > 1


@kernel("int64(uint64[::1], int64, int64)")
def _codes(state: np.ndarray, row: int, column: int) -> int:
    """The codes of the four lines, the first one lowest."""
    codes = 0
    for direction in range(4):
        black = _stone_window(state, 0, direction, row, column)
        if popcount(np.uint64(black & _NEAR)) < 2:
            continue
        white = _stone_window(state, 1, direction, row, column)
        empty = _board_window(direction, row, column, np.int64(state[SIZE])) & ~(black | white)
        code = _code(black | 1 << _MIDDLE, empty & ~(1 << _MIDDLE))
        codes |= code << (_CODE_BITS * direction)
    return codes


@kernel("int64(int64)")
def _without_threes(codes: int) -> int:
    """The verdict as far as it does not depend on threes."""
    longest, fours, is_five = 0, 0, False
    for _ in range(4):
        length = codes & 15
        longest = max(longest, length)
        is_five |= length == 5
        fours += codes >> _FOURS_AT & 3
        codes >>= _CODE_BITS
    if is_five:
        return FIVE
    if longest > 5:
        return OVERLINE
    return DOUBLE_FOUR if fours > 1 else ALLOWED


@kernel("int64(int64)")
def _num_extensible(codes: int) -> int:
    """The lines on which one more stone would make a straight four."""
    lines = 0
    for direction in range(4):
        lines += codes >> (_CODE_BITS * direction + _ABOVE_AT) & 0xFF != 0
    return lines


@kernel("int64(uint64[::1], int64, int64)")
def verdict(state: np.ndarray, row: int, column: int) -> int:
    """The first that black makes on this empty cell; the state is changed for a while and put back."""
    codes = _codes(state, row, column)
    found = _without_threes(codes)
    if found != ALLOWED or _num_extensible(codes) < 2:
        return found
    _toggle(state, row, column)
    threes = 0
    for direction in range(4):
        code = codes >> (_CODE_BITS * direction)
        above, below = code >> _ABOVE_AT & 15, code >> _BELOW_AT & 15
        up_row, up_column = _along(direction, row, column, above)
        down_row, down_column = _along(direction, row, column, -below)
        threes += (above > 0 and verdict(state, up_row, up_column) == ALLOWED) or (
            below > 0 and verdict(state, down_row, down_column) == ALLOWED
        )
    _toggle(state, row, column)
    return DOUBLE_THREE if threes > 1 else ALLOWED


@kernel("boolean(uint64[::1], int64)")
def forbidden(state: np.ndarray, move: int) -> bool:
    """True for an empty point where black makes an overline, a double-four or a double-three and no five."""
    size = np.int64(state[SIZE])
    row, column = move // size, move % size
    return _is_crowded(state, row, column) and verdict(state, row, column) > FIVE
