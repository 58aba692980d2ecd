"""Games played at random as samples, for tests of what comes after self-play."""

from collections.abc import Callable

import numpy as np

from extremum.engine.evaluators.evaluator import Evaluator
from extremum.engine.games.game import Game
from extremum.engine.training.mix import read_mix
from extremum.engine.training.run import Run
from extremum.engine.training.samples import Samples
from tests.engine.kernels.positions import random_positions, states_of


def random_game(game: Game, seed: int) -> Samples:
    """One game; its policies prefer the move that was played."""
    rng = np.random.default_rng(seed)
    positions = random_positions(game, 1, seed)
    rows = len(positions)
    moves = [int(position.last_move or 0) for position in positions[1:]]
    policy = np.full((rows, game.num_moves), 0.1 / game.num_moves)
    policy[np.arange(rows - 1), moves] += 0.9
    policy /= policy.sum(axis=1, keepdims=True)
    winner = int(rng.integers(-1, 2))
    outcome = np.array([winner if position.side_to_move == 0 else -winner for position in positions], np.int8)
    area = game.size**2 if game.name == "othello" else 0
    return Samples(
        states=states_of(positions),
        policy=policy.astype(np.float16),
        surprise=rng.random(rows, np.float32),
        reply=np.array([*moves[1:], -1, -1][:rows], np.int16),
        outcome=outcome,
        value=outcome * np.float32(0.5),
        ownership=rng.integers(-1, 2, (rows, area)).astype(np.int8),
        score=outcome * np.int8(3),
        weight=np.ones(rows, np.float32),
    )


class RandomPlayer:
    """Stands in for self-play: whatever net it is given, it plays at random."""

    def __init__(self, run: Run, evaluator: Evaluator, budget: tuple[int, int], rng: np.random.Generator) -> None:
        self._mix, self._lockstep, self._rng = read_mix(run.settings.mix), run.settings.lockstep, rng

    def use(self, evaluator_of: Callable[[Game], Evaluator]) -> None:
        """Take no notice."""

    def set_budget(self, budget: tuple[int, int]) -> None:
        """Take no notice."""

    def step(self) -> list[Samples]:
        shares = np.array([share for _, share in self._mix.shares])
        games = self._rng.choice(len(shares), size=self._lockstep, p=shares / shares.sum())
        return [random_game(self._mix.shares[game][0], int(self._rng.integers(2**31))) for game in games]
