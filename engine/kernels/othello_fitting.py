"""Othello's weights fitted to searched games: what the positions should be worth, and how far the weights are off."""

import numpy as np

from .bits import popcount
from .jit import kernel
from .othello_games import FINAL, SEARCHED, SIDE
from .othello_learning import NUM_TERMS, total_of, write_terms
from .othello_midgame import DISC
from .othello_patterns import count_numbers
from .othello_rows import NUM_LANES


@kernel("void(uint64[:, ::1], int16[:, ::1], float64, float32[::1])")
def write_targets(discs: np.ndarray, notes: np.ndarray, patience: float, targets: np.ndarray) -> None:
    """Write what each position should be worth, in discs for its mover: the later searches of its game, and its end.

    `patience` is the lambda of the average: 1 looks at nothing but the end of the game.
    """
    after, target = -1, 0.0  # empty squares of the position after, what is right for black
    for place in range(len(discs) - 1, -1, -1):
        empties, side = popcount(~(discs[place, 0] | discs[place, 1])), float(notes[place, SIDE])
        if empties <= after or after < 0:
            target = side * notes[place, FINAL]
        score = side * notes[place, SEARCHED] / DISC
        target, after = patience * target + (1 - patience) * score, empties
        targets[place] = side * target


@kernel("float64(uint64[:, ::1], float32[::1], int64, float32[::1], int32[::1], float64, float32[::1], float32[::1])")
def add_slopes(
    discs: np.ndarray,
    targets: np.ndarray,
    stage: int,
    weights: np.ndarray,
    folding: np.ndarray,
    most: float,
    slopes: np.ndarray,
    counts: np.ndarray,
) -> float:
    """Add each position's error, cut at `most` discs, to the columns it uses; returns the sum of the squared errors."""
    numbers, terms = np.empty(NUM_LANES, np.uint16), np.empty(NUM_TERMS, np.int32)
    squares = 0.0
    for place in range(len(discs)):
        own, opp = discs[place, 0], discs[place, 1]
        count_numbers(own, opp, numbers)
        write_terms(own, opp, numbers, stage, folding, terms)
        error = float(targets[place]) - float(total_of(weights, terms))
        squares += error * error
        error = min(max(error, -most), most)
        for term in range(NUM_TERMS):
            slopes[terms[term]] += np.float32(error)
            counts[terms[term]] += np.float32(1)
    return squares
