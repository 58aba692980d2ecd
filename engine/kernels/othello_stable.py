"""Discs that nobody can turn any more."""

import numpy as np

from .jit import kernel
from .othello import WHOLE_BOARD

_ONE, _SEVEN, _EIGHT, _NINE = np.uint64(1), np.uint64(7), np.uint64(8), np.uint64(9)


def _border(size: int) -> tuple[np.uint64, np.uint64]:
    rows = range(size)
    sides = sum(1 << (8 * row + column) for row in rows for column in (0, size - 1))
    ends = sum(1 << (8 * row + column) for row in (0, size - 1) for column in rows)
    return np.uint64(sides), np.uint64(ends)


_SIDES, _ENDS = _border(8)  # left and right columns, top and bottom rows
_SMALL_SIDES, _SMALL_ENDS = _border(6)


@kernel("uint64(uint64)")
def border(playable: np.uint64) -> np.uint64:
    """The squares on the four edges of the board."""
    return _SIDES | _ENDS if playable == WHOLE_BOARD else _SMALL_SIDES | _SMALL_ENDS


@kernel("uint64(uint64)")
def _full_rows(empty: np.uint64) -> np.uint64:
    rows = (empty | (empty >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    rows = (rows | (rows >> np.uint64(2))) & np.uint64(0x0303030303030303)
    rows = (rows | (rows >> np.uint64(1))) & np.uint64(0x0101010101010101)
    return ~(rows * np.uint64(0xFF))


@kernel("uint64(uint64)")
def _full_columns(empty: np.uint64) -> np.uint64:
    columns = empty | (empty >> np.uint64(32))
    columns |= columns >> np.uint64(16)
    columns |= columns >> np.uint64(8)
    return ~((columns & np.uint64(0xFF)) * np.uint64(0x0101010101010101))


@kernel("uint64(uint64)")
def _full_diagonals(empty: np.uint64) -> np.uint64:
    lines = empty | ((empty & np.uint64(0x7F7F7F7F7F7F7F7F)) << np.uint64(9))
    lines |= (lines & np.uint64(0x3F3F3F3F3F3F3F3F)) << np.uint64(18)
    lines |= (lines & np.uint64(0x0F0F0F0F0F0F0F0F)) << np.uint64(36)
    lines |= (lines & np.uint64(0xFEFEFEFEFEFEFEFE)) >> np.uint64(9)
    lines |= (lines & np.uint64(0xFCFCFCFCFCFCFCFC)) >> np.uint64(18)
    return ~(lines | ((lines & np.uint64(0xF0F0F0F0F0F0F0F0)) >> np.uint64(36)))


@kernel("uint64(uint64)")
def _full_antidiagonals(empty: np.uint64) -> np.uint64:
    lines = empty | ((empty & np.uint64(0xFEFEFEFEFEFEFEFE)) << np.uint64(7))
    lines |= (lines & np.uint64(0xFCFCFCFCFCFCFCFC)) << np.uint64(14)
    lines |= (lines & np.uint64(0xF0F0F0F0F0F0F0F0)) << np.uint64(28)
    lines |= (lines & np.uint64(0x7F7F7F7F7F7F7F7F)) >> np.uint64(7)
    lines |= (lines & np.uint64(0x3F3F3F3F3F3F3F3F)) >> np.uint64(14)
    return ~(lines | ((lines & np.uint64(0x0F0F0F0F0F0F0F0F)) >> np.uint64(28)))


@kernel("uint64(uint64, uint64, uint64, uint64, uint64)")
def _grown(own: np.uint64, rows: np.uint64, columns: np.uint64, diagonals: np.uint64, anti: np.uint64) -> np.uint64:
    """The discs held on all four lines, by the edge, by a full line or by a stable neighbor."""
    stable, before = own & rows & columns & diagonals & anti, ~own
    while stable != before:
        before = stable
        held = (rows | (stable << _ONE) | (stable >> _ONE)) & (columns | (stable << _EIGHT) | (stable >> _EIGHT))
        held &= (diagonals | (stable << _NINE) | (stable >> _NINE)) & (anti | (stable << _SEVEN) | (stable >> _SEVEN))
        stable = own & held
    return stable


@kernel("UniTuple(uint64, 2)(uint64, uint64, uint64)")
def stable_discs(own: np.uint64, opp: np.uint64, playable: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The stable discs of both sides: some may be missed, none is wrongly counted."""
    empty = playable & ~(own | opp)
    sides = _SIDES if playable == WHOLE_BOARD else _SMALL_SIDES
    ends = _ENDS if playable == WHOLE_BOARD else _SMALL_ENDS
    rows, columns = _full_rows(empty) | sides, _full_columns(empty) | ends
    diagonals, anti = _full_diagonals(empty) | sides | ends, _full_antidiagonals(empty) | sides | ends
    return _grown(own, rows, columns, diagonals, anti), _grown(opp, rows, columns, diagonals, anti)
