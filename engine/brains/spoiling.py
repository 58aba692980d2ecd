"""The order of equals in misère Gomoku: first the moves that leave the opponent most of his lines.

A loser is beaten soonest by an opponent who wants to win if none of that opponent's rows is spoilt; the order never
gives up a better score.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..games.game import Move, Position
from ..kernels.gomoku_windows import classes, read_stones, score_points, windows
from ..kernels.layout import IN_A_ROW
from ..search.states import state_of

# What a window weighs, by its class: the opponent's by the stones it misses, every other nothing.
_WEIGHTS = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 0.0])


def least_spoiling(position: Position, moves: Sequence[Move]) -> list[Move]:
    """The moves by the weight of the opponent's lines through them, the least first; equals keep their order."""
    state, size = state_of(position), position.game.size
    k, stones, weight = int(state[IN_A_ROW]), np.empty(size * size, np.int8), np.empty(size * size)
    read_stones(state, stones)
    score_points(stones, 1, windows(size, k), classes(k), _WEIGHTS, weight)
    return sorted(moves, key=lambda move: float(weight[move]))
