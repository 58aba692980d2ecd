"""Othello's simplest move, which others are measured by."""

import numpy as np

from .bits import popcount
from .jit import lean_kernel
from .othello import flips
from .othello_learning import nth_square
from .rng import below


@lean_kernel("int64(uint64, uint64, uint64, int64, uint64[::1])")
def greedy_move(own: np.uint64, opp: np.uint64, moves: np.uint64, objective: int, rng: np.ndarray) -> int:
    """One of the moves, by chance, that turn the most discs, in the misère the fewest."""
    start, chosen, most = below(rng, popcount(moves)), -1, -1000
    for step in range(popcount(moves)):
        square = nth_square(moves, (start + step) % popcount(moves))
        turned = objective * popcount(flips(own, opp, square))
        if turned > most:
            chosen, most = square, turned
    return chosen
