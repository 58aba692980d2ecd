"""The weights of Othello's evaluation, in hundredths of a disc.

Set by hand at first, then fitted to the final margins of 6,000 games of each objective that the search played against
itself at depth 4, and rounded. At that depth the misère weights beat the ordinary ones with their sign changed in 199
of 200 games and drew one.
"""

import numpy as np

NUM_FEATURES = 11
CORNER, C_SQUARE, X_SQUARE, EDGE, RING, EDGE_STABLE, INNER_STABLE, MOVES, FRONTIER, DISCS, TEMPO = range(NUM_FEATURES)

_STAGES = (60, 44, 28, 12, 0)  # empty squares on the 8x8 board

# Columns: corner, C and X square beside an empty corner, other edge squares, second ring, edge-stable discs,
# interior-stable discs, mobility, potential mobility, discs, side to move.
_STRONGEST = (
    (1025, -390, -1380, 50, -120, 335, 280, 25, 30, -55, -270),
    (1015, -320, -1240, 40, -85, 320, 290, 65, 40, -80, -285),
    (735, -200, -925, 15, -55, 135, 230, 105, 30, -45, -250),
    (240, -205, -355, -70, -10, 140, 125, 265, -80, -5, -175),
    (-140, -90, 10, -85, -5, 160, 85, 420, -170, 25, 135),
)

_WEAKEST = (
    (-520, 40, -200, -45, -40, -100, -25, 35, -5, 20, -40),
    (-560, 105, -140, -15, -60, -95, -25, 15, 30, -35, -150),
    (-520, 35, -10, -35, -25, -70, -30, 55, 50, -20, -175),
    (-340, 0, -15, -20, -45, -50, -60, 60, 40, -10, -205),
    (70, 115, 60, 25, -10, -90, -50, 85, 80, -30, -405),
)


def _by_empties(stages: tuple[tuple[int, ...], ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """One row for each number of empty squares up to 64, between the stages by straight lines."""
    empties = np.arange(65)
    columns = [np.interp(empties, _STAGES[::-1], column[::-1]) for column in zip(*stages, strict=True)]
    return np.rint(np.stack(columns, axis=1)).astype(np.int64)


WEIGHTS = np.stack([_by_empties(_STRONGEST), _by_empties(_WEAKEST)])  # [strongest or weakest, empties, feature]
