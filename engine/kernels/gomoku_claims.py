"""Gomoku's next point where threads search together, from a list that is sorted as far as it was looked at."""

import numpy as np

from .claims import claim_of, is_claimed, lay
from .gomoku_moves import CELL_BITS, LIST_HEAD, LIST_WORDS, LISTS, pick
from .jit import lean_kernel


@lean_kernel("uint64(uint64[::1], uint64, int64[::1], int64, int64, int64)")
def claim_next(claims: np.ndarray, key: np.uint64, notes: np.ndarray, ply: int, index: int, end: int) -> np.uint64:
    """Bring the best point that nobody searches yet to this index, or just the best one; claim it.

    The key is the node's; points from the end on are not looked at.
    """
    begin, free = LISTS + LIST_WORDS * ply + LIST_HEAD, index
    while free < end and is_claimed(claims, claim_of(key, pick(notes, ply, free))):
        free += 1
    if free == end:
        free = index
    entry = notes[begin + free]
    for place in range(begin + free, begin + index, -1):
        notes[place] = notes[place - 1]
    notes[begin + index] = entry
    claim = claim_of(key, entry & (1 << CELL_BITS) - 1)
    lay(claims, claim)
    return claim
