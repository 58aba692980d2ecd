from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games.game import Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.layout import EMPTIES, GOING_ON, KIND, RESULT, SIZE
from extremum.engine.training.openings import Openings
from tests.engine.search.small_games import OpinionatedEvaluator


class Corner:
    """Thinks every position lost but those with a stone in the middle of the top row."""

    def evaluate(self, states: States) -> Evaluation:
        num_moves = int(states[0, SIZE]) ** 2 + int(states[0, KIND])
        value = np.where(states[:, 9 + 118] | states[:, 9], 0.0, 0.999).astype(np.float32)
        return Evaluation(np.zeros((len(states), num_moves), np.float32), value, np.zeros_like(value))


@pytest.mark.parametrize(
    ("game", "least", "most"),
    [
        (Gomoku(8), 0, 8),
        (Gomoku(15, 5, "renju"), 0, 8),
        (Gomoku(3, 3), 0, 0),
        (Othello(8), 0, 10),
        (Misere(Gomoku(8)), 0, 16),
        (Misere(Othello(6)), 0, 16),
    ],
    ids=str,
)
def test_openings_have_so_many_stones_and_go_on(game: Game, least: int, most: int) -> None:
    openings, evaluator = Openings(game, np.random.default_rng(1)), OpinionatedEvaluator()
    states = [openings.take(evaluator) for _ in range(100)]
    first = game.size**2 - (4 if game.name == "othello" else 0)
    stones = {first - int(state[EMPTIES]) for state in states}
    assert min(stones) >= least
    assert max(stones) <= most
    assert len(stones) > (most - least) // 2
    assert all(state[RESULT] == GOING_ON for state in states)


def test_even_positions_are_preferred() -> None:
    def share(openings: Openings, evaluator: Corner | OpinionatedEvaluator) -> float:
        return float(
            np.mean([bool(state[9] | state[9 + 118]) for state in (openings.take(evaluator) for _ in range(200))])
        )

    game = Gomoku(8)
    plain = share(Openings(game, np.random.default_rng(1)), OpinionatedEvaluator())
    assert share(Openings(game, np.random.default_rng(1)), Corner()) > plain
