"""Othello's next move where threads search together, from a row that is sorted."""

import numpy as np

from .claims import claim_of, is_claimed, lay
from .jit import lean_kernel

_SQUARE = 63


@lean_kernel("uint64(uint64[::1], uint64, int64[::1], int64, int64)")
def claim_next(claims: np.ndarray, key: np.uint64, row: np.ndarray, place: int, end: int) -> np.uint64:
    """Bring the first move of a row that nobody searches yet to this place, or leave all as they are; claim it.

    The key is the node's.
    """
    free = place
    while free < end and is_claimed(claims, claim_of(key, row[free] & _SQUARE)):
        free += 1
    if free == end:
        free = place
    entry = row[free]
    for index in range(free, place, -1):
        row[index] = row[index - 1]
    row[place] = entry
    claim = claim_of(key, entry & _SQUARE)
    lay(claims, claim)
    return claim
