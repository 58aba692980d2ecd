"""The fours that a side can make, listed in the notes of a search for wins by fours."""

import numpy as np

from .bits import first
from .gomoku_lines import HALF, LOW_HALF
from .gomoku_moves import class_of
from .gomoku_shapes import (
    HIGH,
    LOW,
    MAKES_FOUR,
    MIDDLE,
    MOST_CELLS,
    ORIGIN,
    PLACE_BITS,
    PLACES,
    STEP,
    TURN,
    WIDTH,
)
from .jit import lean_kernel

# The notes: the line that is looked at, then the lists of fours, one after another: order << CELL_BITS | point.
LISTS = MOST_CELLS + 2
NOTES_WORDS = LISTS + MOST_CELLS * (MOST_CELLS // 2 + 2)
CELL_BITS = 10
NEW, FAVORITE = 1, 1 << 8  # added to the order: on a line of the last stone, or what won before
CLASS_SHIFT = 2


@lean_kernel("int64(int64[::1], int64[::1], int64, int64, int64)")
def list_new_fours(board: np.ndarray, notes: np.ndarray, cell: int, color: int, end: int) -> int:
    """List the points that make a four on a line of this stone, and return the end of the list."""
    for direction in range(4):
        line = board[PLACES + 4 * cell + direction] >> PLACE_BITS
        low, middle, high = board[line + LOW], board[line + MIDDLE], board[line + HIGH]
        fours = (low & middle | high & ~low) >> HALF * color & LOW_HALF
        while fours:
            point = board[line + ORIGIN] + board[line + STEP] * first(fours)
            fours &= fours - 1
            order = class_of(board, color * MOST_CELLS + point) << CLASS_SHIFT | NEW
            notes[end] = order << CELL_BITS | point
            end += 1
    return end


@lean_kernel("int64(int64[::1], int64[::1], int64, int64, int64)")
def list_fours(board: np.ndarray, notes: np.ndarray, cell: int, begin: int, end: int) -> int:
    """List the fours of the side to move, whose last stone and whose fours before it are given, behind those."""
    color = board[TURN]
    old = new = list_new_fours(board, notes, cell, color, end)
    for place in range(begin, end):
        point = notes[place] & (1 << CELL_BITS) - 1
        makes = class_of(board, color * MOST_CELLS + point)
        if makes < MAKES_FOUR:
            continue
        listed = False
        for other in range(end, old):
            listed |= notes[other] & (1 << CELL_BITS) - 1 == point
        if not listed:
            notes[new] = makes << CLASS_SHIFT + CELL_BITS | point
            new += 1
    return new


@lean_kernel("int64(int64[::1], int64[::1])")
def list_all_fours(board: np.ndarray, notes: np.ndarray) -> int:
    """List the fours of the side to move on the whole board."""
    end = LISTS
    for cell in range(board[WIDTH] * board[WIDTH]):
        makes = class_of(board, board[TURN] * MOST_CELLS + cell)
        if makes >= MAKES_FOUR:
            notes[end] = makes << CLASS_SHIFT + CELL_BITS | cell
            end += 1
    return end


@lean_kernel("int64(int64[::1], int64, int64)")
def pick_four(notes: np.ndarray, begin: int, end: int) -> int:
    """The most promising point of a list, which comes to stand at its beginning."""
    best = begin
    for place in range(begin + 1, end):
        if notes[place] > notes[best]:
            best = place
    notes[begin], notes[best] = notes[best], notes[begin]
    return notes[begin] & (1 << CELL_BITS) - 1
