"""What each move is worth one ply deep, by the evaluation of alpha-beta and the rules that decide at once."""

from __future__ import annotations

import numpy as np

from ..games.game import Move, Position
from ..kernels.scores import PROVEN, WIN
from ..search.states import state_of
from .deepener import KERNELS
from .level import SURE


def one_ply(position: Position) -> dict[Move, float]:
    """What each legal move is worth one ply deep, in the units of the game's scale; more than SURE is proven."""
    kernel, moves = KERNELS[position.game.name], position.legal_moves()
    scores, nodes = np.zeros(len(moves), np.int32), np.zeros(len(moves), np.int64)
    table, line, control = np.zeros((2, 2), np.uint64), np.full(4, -1, np.int16), np.zeros(3, np.int64)
    how = (state_of(position), 1, position.game.objective, False, table, np.array(moves, np.int16))
    kernel.load(position.game.objective)(*how, scores, nodes, line, control)
    return {move: _worth(int(score), kernel.scale) for move, score in zip(moves, scores, strict=True)}


def _worth(score: int, scale: float) -> float:
    """A score in units of the scale; a proven one is SURE and a little more the nearer it is."""
    if abs(score) < PROVEN:
        return max(-SURE, min(SURE, score / scale))
    nearness = (abs(score) - PROVEN) / (WIN - PROVEN)
    return (SURE + nearness) * (1 if score > 0 else -1)
