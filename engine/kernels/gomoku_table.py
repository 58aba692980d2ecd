"""The hash table of the Gomoku search: pairs of entries, the deeper of two in the first, the latest in the second.

The first word of an entry is the key crossed with the second: what two threads wrote at the same time matches nothing.
"""

import numpy as np

from .jit import lean_kernel
from .scores import PROVEN

EQUAL, AT_LEAST, AT_MOST = 1, 2, 3  # what a score says
NO_CELL = 1023

_OFFSET = 1 << 20  # keeps scores positive
_BOUND_SHIFT, _DEPTH_SHIFT, _SCORE_SHIFT = 10, 12, 21
MOST_DEPTH = 511


@lean_kernel("int64(int64)")
def depth_of(entry: int) -> int:
    """How deep the position was searched."""
    return entry >> _DEPTH_SHIFT & MOST_DEPTH


@lean_kernel("int64(int64)")
def cell_of(entry: int) -> int:
    """The best point, or NO_CELL."""
    return entry & NO_CELL if entry else NO_CELL


@lean_kernel("int64(int64, int64)")
def score_of(entry: int, ply: int) -> int:
    """The score as seen from the root."""
    score = (entry >> _SCORE_SHIFT) - _OFFSET
    if score >= PROVEN:
        return score - ply
    return score + ply if score <= -PROVEN else score


@lean_kernel("boolean(int64, int64, int64, int64, int64)")
def answers(entry: int, depth: int, alpha: int, beta: int, ply: int) -> bool:
    """True when an entry is deep enough, or a proof, and says enough for this window."""
    if entry == 0:
        return False
    bound, score = entry >> _BOUND_SHIFT & 3, score_of(entry, ply)
    if depth_of(entry) < depth and abs(score) < PROVEN:
        return False
    return bound == EQUAL or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)


@lean_kernel("boolean(int64, int64)")
def equals(entry: int, depth: int) -> bool:
    """True when an entry is the full result of just this depth."""
    return entry != 0 and depth_of(entry) == depth and entry >> _BOUND_SHIFT & 3 == EQUAL


@lean_kernel("int64(uint64[:,::1], int64)")
def find(table: np.ndarray, key: int) -> int:
    """The entry of a position, 0 when there is none."""
    slot = key & len(table) - 2
    for index in range(slot, slot + 2):
        entry = table[index, 1]
        if table[index, 0] ^ entry == np.uint64(key):
            return int(np.int64(entry))
    return 0


@lean_kernel("void(uint64[:,::1], int64, int64, int64, int64, int64, int64)")
def store(table: np.ndarray, key: int, score: int, bound: int, depth: int, cell: int, ply: int) -> None:
    """Keep a result; a proven score is kept as seen from its position."""
    if score >= PROVEN:
        score += ply
    elif score <= -PROVEN:
        score -= ply
    slot = key & len(table) - 2
    old = table[slot, 1]
    if table[slot, 0] ^ old != np.uint64(key) and depth_of(np.int64(old)) > depth:
        slot += 1
    entry = np.uint64((score + _OFFSET) << _SCORE_SHIFT | depth << _DEPTH_SHIFT | bound << _BOUND_SHIFT | cell)
    table[slot, 0], table[slot, 1] = np.uint64(key) ^ entry, entry
