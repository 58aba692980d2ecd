"""The hash table of a proof search: how far each position is from being won or lost for its side to move.

An entry has the key, then phi, delta, a point and a length in plies. Phi is how much it would take to show that the
side to move gets what it wants (the attacker a win, the defender none), delta that it does not; 0 is shown, INFINITE
never to be shown.
"""

import numpy as np

from .jit import lean_kernel

INFINITE = (1 << 20) - 1
NO_CELL = (1 << 10) - 1
_DELTA_SHIFT, _CELL_SHIFT, _LENGTH_SHIFT = 20, 40, 50


@lean_kernel("int64(int64)")
def phi_of(entry: int) -> int:
    """What it takes to show a success of the side to move."""
    return entry & INFINITE


@lean_kernel("int64(int64)")
def delta_of(entry: int) -> int:
    """What it takes to show a failure of the side to move."""
    return entry >> _DELTA_SHIFT & INFINITE


@lean_kernel("int64(int64)")
def cell_of(entry: int) -> int:
    """The point that succeeds, or that resists longest; NO_CELL when there is none or any will do."""
    return entry >> _CELL_SHIFT & NO_CELL


@lean_kernel("int64(int64)")
def length_of(entry: int) -> int:
    """The plies to the end of what is shown."""
    return entry >> _LENGTH_SHIFT & 1023


@lean_kernel("int64(int64, int64, int64, int64)")
def entry_of(phi: int, delta: int, cell: int, length: int) -> int:
    """An entry of these."""
    return phi | delta << _DELTA_SHIFT | cell << _CELL_SHIFT | length << _LENGTH_SHIFT


@lean_kernel("int64(uint64[:,::1], int64)")
def find_entry(table: np.ndarray, key: int) -> int:
    """The entry of a position, 0 when there is none."""
    slot = key & len(table) - 2
    for index in range(slot, slot + 2):
        if table[index, 0] == np.uint64(key):
            return int(np.int64(table[index, 1]))
    return 0


@lean_kernel("boolean(int64)")
def _is_shown(entry: int) -> bool:
    return entry != 0 and (phi_of(entry) == 0 or delta_of(entry) == 0)


@lean_kernel("void(uint64[:,::1], int64, int64)")
def store_entry(table: np.ndarray, key: int, entry: int) -> None:
    """Keep an entry; rather one that shows nothing is lost than one that does."""
    slot = key & len(table) - 2
    if table[slot, 0] != np.uint64(key):
        first, second = np.int64(table[slot, 1]), np.int64(table[slot + 1, 1])
        is_second = table[slot + 1, 0] == np.uint64(key)
        if is_second or _is_shown(first) or (first > second and not _is_shown(second)):
            slot += 1
    table[slot, 0], table[slot, 1] = np.uint64(key), np.uint64(entry)
