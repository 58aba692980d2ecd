"""Random numbers from a counter: the generator is a uint64 array of one word, and an argument like any other."""

import numpy as np

from .jit import lean_kernel

_STEP = np.uint64(0x9E3779B97F4A7C15)


def make_rng(seed: int) -> np.ndarray:
    """A generator that gives the same numbers for the same seed."""
    return np.array([seed * 0xD1342543DE82EF95 % 2**64], dtype=np.uint64)


@lean_kernel("uint64(uint64)")
def mix(word: np.uint64) -> np.uint64:
    """Scramble the bits of a word, one to one."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@lean_kernel("int64(uint64[::1], int64)")
def below(rng: np.ndarray, bound: int) -> int:
    """A random number in 0..bound-1, for bounds far under 2**32."""
    rng[0] += _STEP
    return int(((mix(rng[0]) >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))
