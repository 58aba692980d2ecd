"""What the threads that search one root are at: who meets a move that another one is searching tries the next one.

All share an array of claims, each in a place that its hash tells. A claim that is lost or overwritten costs time only.
"""

import numpy as np

from .jit import inlined_kernel
from .rng import mix

CLAIMS = 1 << 10  # that find a place; at any time a thread has as many as its search is deep

NO_CLAIM = np.uint64(0)


@inlined_kernel("uint64(uint64, int64)")
def claim_of(key: np.uint64, move: int) -> np.uint64:
    """The claim on a move of the node with this key."""
    return mix(key + np.uint64(1 + move))


@inlined_kernel("boolean(uint64[::1], uint64)")
def is_claimed(claims: np.ndarray, claim: np.uint64) -> bool:
    """True while somebody searches there."""
    return claims[claim & np.uint64(len(claims) - 1)] == claim


@inlined_kernel("void(uint64[::1], uint64)")
def lay(claims: np.ndarray, claim: np.uint64) -> None:
    """Begin a claim."""
    claims[claim & np.uint64(len(claims) - 1)] = claim


@inlined_kernel("void(uint64[::1], uint64)")
def give_back(claims: np.ndarray, claim: np.uint64) -> None:
    """End a claim; 0 is none."""
    if claim != NO_CLAIM and is_claimed(claims, claim):
        claims[claim & np.uint64(len(claims) - 1)] = NO_CLAIM
