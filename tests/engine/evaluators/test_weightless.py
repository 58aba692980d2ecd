"""The evaluators that need no weights."""

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators import WEIGHTLESS, make_evaluator
from extremum.engine.evaluators.evaluator import States
from extremum.engine.games import make_game
from extremum.engine.games.game import Color
from extremum.engine.kernels.layout import OBJECTIVE
from tests.engine.kernels.positions import random_positions, states_of

BOARDS = [("gomoku", 8), ("gomoku", 15), ("othello", 6), ("othello", 8)]


def some_states(game: str, size: int, misere: bool) -> States:
    states = states_of(random_positions(make_game(game, size), 1))
    states[:, OBJECTIVE] = misere
    return states


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(("game", "size"), BOARDS)
@pytest.mark.parametrize("name", WEIGHTLESS)
def test_an_evaluation_is_sound_and_the_same_alone_and_in_company(
    name: str, game: str, size: int, misere: bool
) -> None:
    evaluator, states = make_evaluator(name, None, game), some_states(game, size, misere)
    before = states.copy()
    evaluation = evaluator.evaluate(states)
    assert (states == before).all()
    assert evaluation.logits.shape == (len(states), size * size + (game == "othello"))
    for values in (evaluation.logits, evaluation.value, evaluation.draw):
        assert values.dtype == np.float32
        assert np.isfinite(values).all()
    assert (np.abs(evaluation.value) + evaluation.draw <= 1 + 1e-6).all()
    for index in (0, len(states) - 1):
        alone = evaluator.evaluate(states[index : index + 1])
        assert (alone.logits[0] == evaluation.logits[index]).all()
        assert alone.value[0] == evaluation.value[index]


@pytest.mark.parametrize(("game", "size"), [("gomoku", 15), ("othello", 8)])
@pytest.mark.parametrize("name", WEIGHTLESS)
def test_the_objective_matters(name: str, game: str, size: int) -> None:
    evaluator = make_evaluator(name, None, game)
    ordinary, misere = (evaluator.evaluate(some_states(game, size, objective)).value for objective in (False, True))
    assert not np.allclose(ordinary, misere, atol=1e-3)


def test_patterns_like_a_four_and_the_point_that_makes_it() -> None:
    game = make_game("gomoku", 15)
    position = game.setup(sum(1 << 112 + step for step in range(3)), 1 << 0 | 1 << 40, Color.BLACK)
    evaluation = make_evaluator("patterns", None, "gomoku").evaluate(states_of([position]))
    assert evaluation.value[0] > 0.9
    assert int(evaluation.logits[0].argmax()) in (111, 115)


def test_rollouts_see_who_is_ahead() -> None:
    game = make_game("othello", 8)
    black = sum(1 << move for move in range(62) if move != 30)
    position = game.setup(black, 1 << 30, Color.BLACK)
    assert make_evaluator("rollout", None, "othello").evaluate(states_of([position])).value[0] == 1.0


@pytest.mark.parametrize("name", WEIGHTLESS)
def test_another_game_mixed_sizes_and_weights_are_refused(name: str) -> None:
    evaluator = make_evaluator(name, None, "othello")
    with pytest.raises(EngineError, match=r"^the evaluator is for othello, not gomoku$"):
        evaluator.evaluate(states_of([make_game("gomoku", 8).start()]))
    with pytest.raises(ValueError, match="different games or sizes"):
        evaluator.evaluate(states_of([make_game("othello", size).start() for size in (6, 8)]))
    with pytest.raises(EngineError, match=rf"^the {name} evaluator runs on the cpu, not on 'cuda'$"):
        make_evaluator(name, None, "othello", device="cuda")
