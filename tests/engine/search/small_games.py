"""Games small enough for brute force, and evaluators that say the same each time."""

from __future__ import annotations

import random

import numpy as np

from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games.game import Bits, Color, Game, Position
from extremum.engine.games.symmetry import SYMMETRIES, transform_bits
from extremum.engine.kernels.layout import KIND, SIZE

SOLVED: dict[tuple[Game, Bits, Bits, Color], tuple[int, int]] = {}


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
    return solved_in(position)[0]


def solved_in(position: Position) -> tuple[int, int]:
    """The value and the plies to the end, if whoever wins hurries and everybody else does not, by brute force."""
    key = (position.game, position.black, position.white, position.side_to_move)
    if key not in SOLVED:
        outcome = position.outcome()
        SOLVED[key] = (outcome.value(position.side_to_move), 0) if outcome is not None else _best_reply(position)
    return SOLVED[key]


def _best_reply(position: Position) -> tuple[int, int]:
    replies = [solved_in(position.play(move)) for move in position.legal_moves()]
    best = -min(value for value, _ in replies)
    lengths = [1 + plies for value, plies in replies if value == -best]
    return best, min(lengths) if best > 0 else max(lengths)


def positions_up_to_symmetry(game: Game) -> list[Position]:
    """Every position of a small board in which somebody has to move."""
    found, todo = set[tuple[Bits, Bits]](), [game.start()]
    for position in todo:
        for move in position.legal_moves():
            after = position.play(move)
            key = min(
                (transform_bits(game.size, after.black, symmetry), transform_bits(game.size, after.white, symmetry))
                for symmetry in SYMMETRIES
            )
            if key not in found and after.outcome() is None:
                found.add(key)
                todo.append(after)
    return todo


def random_position(game: Game, empties: int, seed: int) -> Position:
    rng = random.Random(seed)
    while True:
        position = game.start()
        while position.outcome() is None and position.ply < game.size**2 - empties:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position
