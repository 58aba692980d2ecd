"""The hash table of Othello's searches: two words an entry, two entries a bucket.

A score holds for one depth only, so that what was stored before never changes the result of a search; searches to the end
share the depth "all empty squares". The first word is the key crossed with the second: a torn entry matches nothing.
"""

import numpy as np

from .jit import lean_kernel as kernel

LOWER, UPPER, EXACT = 1, 2, 3  # what a stored score says of the true one; bits: at least, at most
NO_SQUARE = 64
INFINITE = 2_000_000  # beyond every score

_SCORE_BIAS = 1 << 22
_HORIZON_AT, _DEPTH_AT, _BOUND_AT, _SCORE_AT = np.uint64(7), np.uint64(13), np.uint64(19), np.uint64(21)
_ZERO, _SIX_BITS, _SEVEN_BITS = np.uint64(0), np.uint64(0x3F), np.uint64(0x7F)


@kernel("uint64(uint64, uint64, uint64)")
def position_key(own: np.uint64, opp: np.uint64, salt: np.uint64) -> np.uint64:
    """A hash of both bitboards: each step can be undone, so no two positions that share one board collide."""
    key = (own ^ salt) * np.uint64(0x9E3779B97F4A7C15)
    key = ((key ^ (key >> np.uint64(32))) + opp) * np.uint64(0xD6E8FEB86659FD93)
    key = (key ^ (key >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(32))


@kernel("uint64(uint64[:, ::1], uint64)")
def find(table: np.ndarray, key: np.uint64) -> np.uint64:
    """The entry of this position, 0 if there is none."""
    place = np.int64(key & np.uint64(table.shape[0] - 2))
    for slot in (place, place + 1):
        if table[slot, 0] ^ table[slot, 1] == key:
            return table[slot, 1]
    return _ZERO


@kernel("int64(uint64)")
def square_in(entry: np.uint64) -> int:
    """The best square an entry knows, NO_SQUARE without one."""
    return np.int64(entry & _SEVEN_BITS) if entry else NO_SQUARE


@kernel("int64(uint64)")
def depth_in(entry: np.uint64) -> int:
    """The depth that an entry's score holds for."""
    return np.int64((entry >> _DEPTH_AT) & _SIX_BITS)


@kernel("UniTuple(int64, 2)(uint64, int64)")
def limits_in(entry: np.uint64, depth: int) -> tuple[int, int]:
    """What an entry says of the score at this depth: at least, at most."""
    low, high = -INFINITE, INFINITE
    if entry == _ZERO or depth_in(entry) != depth:
        return low, high
    score = np.int64(entry >> _SCORE_AT) - _SCORE_BIAS
    bound = np.int64((entry >> _BOUND_AT) & np.uint64(3))
    return score if bound & LOWER else low, score if bound & UPPER else high


@kernel("void(uint64[:, ::1], uint64, int64, int64, int64, int64, int64)")
def keep(table: np.ndarray, key: np.uint64, horizon: int, depth: int, bound: int, score: int, square: int) -> None:
    """Store what a node found out; `horizon` is how many squares were still empty at its leaves.

    The first slot of a bucket prefers depth until a search looks further ahead; the second takes what is left.
    """
    entry = np.uint64(square) | (np.uint64(horizon) << _HORIZON_AT) | (np.uint64(depth) << _DEPTH_AT)
    entry |= (np.uint64(bound) << _BOUND_AT) | (np.uint64(score + _SCORE_BIAS) << _SCORE_AT)
    slot = np.int64(key & np.uint64(table.shape[0] - 2))
    old = table[slot, 1]
    outlooks = np.int64((old >> _HORIZON_AT) & _SIX_BITS) > horizon
    if not (outlooks or depth_in(old) <= depth or table[slot, 0] ^ old == key):
        slot += 1
    table[slot, 0] = key ^ entry
    table[slot, 1] = entry
