"""The hash table of Othello's searches: two words an entry, two entries a bucket.

A score holds for one depth, so that what was stored before never changes the result of a search; only a search that
wagers anyway takes the score of a deeper one too. Searches to the end share the depth "all empty squares". The first
word is the key crossed with the second: a torn entry matches nothing. An entry knows two squares, the best one and the
one that was best before it, written as one number; where every move failed, the best one is the one from before.
"""

import numpy as np

from .bits import signed
from .jit import lean_kernel

LOWER, UPPER, EXACT = 1, 2, 3  # the true score is at least, at most, exactly the stored one
NO_SQUARE = 64
SQUARE_BITS = 7
NO_SQUARES = NO_SQUARE | NO_SQUARE << SQUARE_BITS
UNKNOWN = 3_000_000  # beyond every score

_SCORE_BIAS = 1 << 22
_HORIZON_AT, _DEPTH_AT, _BOUND_AT, _SCORE_AT = np.uint64(7), np.uint64(13), np.uint64(19), np.uint64(21)
_SECOND_AT = np.uint64(44)
_ZERO, _SIX_BITS, _SEVEN_BITS, _SCORE_BITS = np.uint64(0), np.uint64(0x3F), np.uint64(0x7F), np.uint64(0x7FFFFF)


@lean_kernel("uint64(int64, boolean)")
def salt_of(objective: int, prune: bool) -> np.uint64:
    """What keeps the two objectives apart, and the pruned searches from the full ones."""
    salt = np.uint64(0x2545F4914F6CDD1D) if objective > 0 else np.uint64(0x94D049BB133111EB)
    return salt if prune else ~salt


@lean_kernel("uint64(uint64, uint64, uint64)")
def position_key(own: np.uint64, opp: np.uint64, salt: np.uint64) -> np.uint64:
    """A hash of both bitboards: each step can be undone, so no two positions that share one board collide."""
    key = own * np.uint64(0x9E3779B97F4A7C15)
    key = ((key ^ (key >> np.uint64(32))) + opp) * np.uint64(0xD6E8FEB86659FD93)
    key = (key ^ (key >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(32)) ^ salt


@lean_kernel("uint64(uint64[:, ::1], uint64)")
def find(table: np.ndarray, key: np.uint64) -> np.uint64:
    """The entry of this position, 0 if there is none."""
    place = signed(key & np.uint64(table.shape[0] - 2))
    for slot in (place, place + 1):
        entry = table[slot, 1]
        if table[slot, 0] ^ entry == key:
            return entry
    return _ZERO


@lean_kernel("int64(uint64)")
def square_in(entry: np.uint64) -> int:
    """The best square an entry knows, NO_SQUARE without one."""
    return signed(entry & _SEVEN_BITS) if entry else NO_SQUARE


@lean_kernel("int64(uint64)")
def squares_in(entry: np.uint64) -> int:
    """The two best squares an entry knows, NO_SQUARES without one."""
    if entry == _ZERO:
        return NO_SQUARES
    return signed(entry & _SEVEN_BITS | (entry >> _SECOND_AT & _SEVEN_BITS) << np.uint64(SQUARE_BITS))


@lean_kernel("int64(int64, int64)")
def rank_in(squares: int, square: int) -> int:
    """2 for the first of two squares, 1 for the second, 0 for any other."""
    if square == squares & (1 << SQUARE_BITS) - 1:
        return 2
    return 1 if square == squares >> SQUARE_BITS else 0


@lean_kernel("int64(uint64)")
def score_in(entry: np.uint64) -> int:
    """The score of an entry, of whatever depth and bound; UNKNOWN without one."""
    return signed(entry >> _SCORE_AT & _SCORE_BITS) - _SCORE_BIAS if entry else UNKNOWN


@lean_kernel("int64(uint64)")
def _depth_in(entry: np.uint64) -> int:
    """The depth that an entry's score holds for."""
    return signed((entry >> _DEPTH_AT) & _SIX_BITS)


@lean_kernel("int64(uint64, int64, int64)")
def _settled(entry: np.uint64, alpha: int, beta: int) -> int:
    """The score of an entry if it tells enough for a search between alpha and beta, else UNKNOWN."""
    score = score_in(entry)
    bound = signed((entry >> _BOUND_AT) & np.uint64(3))
    if bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha):
        return score
    return UNKNOWN


@lean_kernel("UniTuple(int64, 2)(uint64[:, ::1], uint64, int64, int64, int64, int64)")
def recall_between(
    table: np.ndarray, key: np.uint64, depth: int, deepest: int, alpha: int, beta: int
) -> tuple[int, int]:
    """What searches between two depths know of a position: its score, or UNKNOWN, and its two best squares."""
    entry = find(table, key)
    if entry == _ZERO or not depth <= _depth_in(entry) <= deepest:
        return UNKNOWN, squares_in(entry)
    return _settled(entry, alpha, beta), squares_in(entry)


@lean_kernel("UniTuple(int64, 2)(uint64[:, ::1], uint64, int64, int64, int64)")
def recall(table: np.ndarray, key: np.uint64, depth: int, alpha: int, beta: int) -> tuple[int, int]:
    """What a search of this depth knows of a position: its score, or UNKNOWN, and its two best squares."""
    return recall_between(table, key, depth, depth, alpha, beta)


@lean_kernel("int64(int64, int64, int64)")
def bound_of(best: int, alpha: int, beta: int) -> int:
    """What the best score found between alpha and beta says of the true one."""
    if best >= beta:
        return LOWER
    return EXACT if best > alpha else UPPER


@lean_kernel("int64(int64, int64)")
def _second(squares: int, best: int) -> int:
    """The square to keep beside the best one: of the two known so far the first that it is not."""
    known = squares & (1 << SQUARE_BITS) - 1
    return squares >> SQUARE_BITS if known == best else known


@lean_kernel("void(uint64[:, ::1], uint64, int64, int64, int64, int64, int64)")
def keep(table: np.ndarray, key: np.uint64, horizon: int, depth: int, bound: int, score: int, square: int) -> None:
    """Store what a node found out; `horizon` is how many squares were still empty at its leaves.

    The first slot of a bucket prefers depth until a search looks further ahead; the second takes what is left.
    """
    before = squares_in(find(table, key))
    if bound == UPPER and before != NO_SQUARES:
        square = before & (1 << SQUARE_BITS) - 1  # what was best of moves that all failed says little
    entry = np.uint64(square) | (np.uint64(horizon) << _HORIZON_AT) | (np.uint64(depth) << _DEPTH_AT)
    entry |= (np.uint64(bound) << _BOUND_AT) | (np.uint64(score + _SCORE_BIAS) << _SCORE_AT)
    entry |= np.uint64(_second(before, square)) << _SECOND_AT
    slot = signed(key & np.uint64(table.shape[0] - 2))
    old = table[slot, 1]
    outlooks = signed((old >> _HORIZON_AT) & _SIX_BITS) > horizon
    if not (outlooks or _depth_in(old) <= depth or table[slot, 0] ^ old == key):
        slot += 1
    table[slot, 0] = key ^ entry
    table[slot, 1] = entry
