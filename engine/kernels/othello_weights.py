"""The weights of Othello's evaluation, in hundredths of a disc."""

import numpy as np

NUM_FEATURES = 11
CORNER, C_SQUARE, X_SQUARE, EDGE, RING, EDGE_STABLE, INNER_STABLE, MOVES, FRONTIER, DISCS, TEMPO = range(NUM_FEATURES)

_STAGES = (60, 44, 28, 12, 0)  # empty squares on the 8x8 board

# Columns: corner, C and X square beside an empty corner, other edge squares, second ring, edge-stable discs,
# interior-stable discs, mobility, potential mobility, discs, side to move.
_STRONGEST = (
    (1200, -200, -500, 0, -30, 100, 100, 100, 50, -20, 0),
    (1200, -200, -500, 0, -30, 200, 100, 100, 50, -20, 0),
    (1200, -200, -400, 50, -30, 200, 100, 120, 40, -10, 0),
    (800, -100, -200, 50, 0, 200, 100, 120, 30, 30, 0),
    (200, -50, -100, 50, 0, 100, 100, 100, 0, 100, 0),
)

_WEAKEST = (
    (-800, 100, 200, 0, 30, -100, -100, 100, 50, -20, 0),
    (-800, 100, 200, 0, 30, -200, -100, 100, 50, -20, 0),
    (-800, 100, 200, -50, 30, -200, -100, 120, 40, -20, 0),
    (-600, 100, 100, -50, 0, -200, -100, 80, 30, -40, 0),
    (-200, 50, 50, -50, 0, -100, -100, 50, 0, -100, 0),
)


def _by_empties(stages: tuple[tuple[int, ...], ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """One row for each number of empty squares up to 64, between the stages by straight lines."""
    empties = np.arange(65)
    columns = [np.interp(empties, _STAGES[::-1], column[::-1]) for column in zip(*stages, strict=True)]
    return np.rint(np.stack(columns, axis=1)).astype(np.int64)


WEIGHTS = np.stack([_by_empties(_STRONGEST), _by_empties(_WEAKEST)])  # [strongest or weakest, empties, feature]
