import numpy as np
import pytest

from extremum.engine.evaluators.evaluator import Evaluation, Evaluator, States
from extremum.engine.evaluators.native import NativeEvaluator, ShortEvaluator
from extremum.engine.evaluators.numpy import NumpyEvaluator
from extremum.engine.evaluators.symmetric import AveragedEvaluator, TurnedEvaluator
from extremum.engine.evaluators.views import views_of
from extremum.engine.games import make_game
from extremum.engine.games.symmetry import SYMMETRIES, permutation, transform_position
from extremum.engine.kernels.encode import encode
from tests.engine.kernels.positions import random_positions, states_of
from tests.engine.nets.random_nets import random_checkpoint


class OwnStones:
    """An evaluator without a point of view: the logits are the side to move's discs."""

    def evaluate(self, states: States) -> Evaluation:
        planes = np.empty((len(states), 9, 8, 8), np.float32)
        encode(states, planes)
        logits = np.concatenate([planes[:, 0].reshape(-1, 64), np.full((len(states), 1), 5, np.float32)], axis=1)
        return Evaluation(logits, planes[:, 0].mean(axis=(1, 2)), planes[:, 1].mean(axis=(1, 2)))


class Plain:
    """An evaluator that cannot turn boards on its own."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluate = evaluator.evaluate


@pytest.fixture(scope="module")
def states() -> States:
    return states_of(random_positions(make_game("othello", 8), 1))


@pytest.mark.parametrize("kind", ["turned", "averaged"])
def test_moves_are_turned_back(states: States, kind: str) -> None:
    plain = OwnStones()
    wrapped = AveragedEvaluator(plain) if kind == "averaged" else TurnedEvaluator(plain, np.random.default_rng(1))
    expected, evaluation = plain.evaluate(states), wrapped.evaluate(states)
    assert np.array_equal(evaluation.logits, expected.logits)
    assert np.allclose(evaluation.value, expected.value)
    assert np.allclose(evaluation.draw, expected.draw)


def test_the_average_is_the_same_from_every_side() -> None:
    evaluator = AveragedEvaluator(NumpyEvaluator(random_checkpoint("gomoku", "b4c32", 7)))
    position = random_positions(make_game("gomoku", 7), 1)[12]
    expected = evaluator.evaluate(states_of([position]))
    for symmetry in SYMMETRIES:
        turned = evaluator.evaluate(states_of([transform_position(position, symmetry)]))
        assert np.allclose(turned.value, expected.value, atol=1e-5)
        assert np.allclose(turned.logits[:, permutation(7, symmetry)], expected.logits, atol=1e-4)


@pytest.mark.parametrize(
    ("game", "config", "size"), [("gomoku", "b4c32", 9), ("othello", "b4c32", 8), ("othello", "classic", 8)]
)
@pytest.mark.parametrize("kind", [NativeEvaluator, ShortEvaluator])
def test_what_turns_on_its_own_way_says_the_same(
    game: str, config: str, size: int, kind: type[NativeEvaluator]
) -> None:
    evaluator = kind(random_checkpoint(game, config, size))
    states = states_of(random_positions(make_game(game, size), 1))[:35]
    symmetries = np.arange(len(states)) % len(SYMMETRIES)
    seen = views_of(Plain(evaluator))(states, symmetries)
    own = views_of(evaluator)(states, symmetries)
    assert np.array_equal(own.logits, seen.logits)
    assert np.array_equal(own.value, seen.value)
    assert not np.allclose(own.value, evaluator.evaluate(states).value, atol=1e-4)


def test_a_turned_position_is_seen_from_another_side(states: States) -> None:
    plain = NumpyEvaluator(random_checkpoint("othello", "b4c32", 8))
    turned = TurnedEvaluator(plain, np.random.default_rng(1)).evaluate(states)
    again = TurnedEvaluator(plain, np.random.default_rng(1)).evaluate(states)
    assert not np.allclose(turned.value, plain.evaluate(states).value, atol=1e-4)
    assert np.array_equal(turned.value, again.value)
