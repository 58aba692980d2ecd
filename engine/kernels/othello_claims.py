"""What the threads that search one root are at: who meets a move that another one is searching tries the next one.

All share an array of claims, each in a place that its hash tells. A claim that is lost or overwritten costs time only.
"""

import numpy as np

from .jit import inlined_kernel, lean_kernel
from .rng import mix

CLAIMS = 1 << 10  # that find a place; at any time a thread has as many as its search is deep

_ZERO, _SQUARE = np.uint64(0), 63


@inlined_kernel("uint64(uint64, int64)")
def _claim_of(key: np.uint64, entry: int) -> np.uint64:
    return mix(key + np.uint64(1 + (entry & _SQUARE)))


@inlined_kernel("boolean(uint64[::1], uint64)")
def _is_claimed(claims: np.ndarray, claim: np.uint64) -> bool:
    return claims[claim & np.uint64(len(claims) - 1)] == claim


@lean_kernel("uint64(uint64[::1], uint64, int64[::1], int64, int64)")
def claim_next(claims: np.ndarray, key: np.uint64, row: np.ndarray, place: int, end: int) -> np.uint64:
    """Bring the first move of a row that nobody searches yet to this place, or leave all as they are; claim it.

    The key is the node's.
    """
    free = place
    while free < end and _is_claimed(claims, _claim_of(key, row[free])):
        free += 1
    if free == end:
        free = place
    entry = row[free]
    for index in range(free, place, -1):
        row[index] = row[index - 1]
    row[place] = entry
    claim = _claim_of(key, entry)
    claims[claim & np.uint64(len(claims) - 1)] = claim
    return claim


@inlined_kernel("void(uint64[::1], uint64)")
def give_back(claims: np.ndarray, claim: np.uint64) -> None:
    """End a claim; 0 is none."""
    if claim != _ZERO and _is_claimed(claims, claim):
        claims[claim & np.uint64(len(claims) - 1)] = _ZERO
