"""Games small enough for brute force, and evaluators that say the same each time."""

from __future__ import annotations

import random

import numpy as np

from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games.game import Bits, Color, Game, Position
from extremum.engine.kernels.layout import KIND, SIZE

SOLVED: dict[tuple[Game, Bits, Bits, Color], int] = {}


class UniformEvaluator:
    """Knows nothing: equal logits, zero values."""

    def evaluate(self, states: States) -> Evaluation:
        num_moves = int(states[0, SIZE]) ** 2 + int(states[0, KIND])
        nothing = np.zeros(len(states), np.float32)
        return Evaluation(np.zeros((len(states), num_moves), np.float32), nothing, nothing)


class OpinionatedEvaluator:
    """Has an opinion on every state, always the same one."""

    def evaluate(self, states: States) -> Evaluation:
        num_moves = int(states[0, SIZE]) ** 2 + int(states[0, KIND])
        seeds = (states * np.arange(1, states.shape[1] + 1, dtype=np.uint64)).sum(axis=1)
        logits = 4 * np.sin(seeds[:, None] % 1009 + np.arange(num_moves)).astype(np.float32)
        return Evaluation(logits, logits[:, 0] / 8, np.zeros(len(states), np.float32))


def solved(position: Position) -> int:
    """The value for the side to move, by brute force."""
    key = (position.game, position.black, position.white, position.side_to_move)
    if key not in SOLVED:
        outcome = position.outcome()
        if outcome is not None:
            SOLVED[key] = outcome.value(position.side_to_move)
        else:
            SOLVED[key] = max(-solved(position.play(move)) for move in position.legal_moves())
    return SOLVED[key]


def random_position(game: Game, empties: int, seed: int) -> Position:
    rng = random.Random(seed)
    while True:
        position = game.start()
        while position.outcome() is None and position.ply < game.size**2 - empties:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position
