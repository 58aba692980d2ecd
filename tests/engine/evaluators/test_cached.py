import numpy as np
import pytest

from extremum.engine.evaluators.cached import CachedEvaluator
from extremum.engine.evaluators.evaluator import States
from extremum.engine.games import make_game
from extremum.engine.kernels.layout import OBJECTIVE
from tests.engine.evaluators.doubles import StoneEvaluator, stone_values
from tests.engine.kernels.positions import random_positions, states_of


@pytest.fixture
def states() -> States:
    return states_of(random_positions(make_game("othello", 8), 1))


def test_what_is_known_is_not_evaluated_again(states: States) -> None:
    inner = StoneEvaluator()
    cached = CachedEvaluator(inner)
    first = cached.evaluate(states[:10])
    again = cached.evaluate(states[:10])
    more = cached.evaluate(states[5:15])
    assert inner.batches == [10, 5]
    assert (cached.lookups, cached.hits) == (30, 15)
    assert np.allclose(again.logits, first.logits, rtol=1e-3, atol=1e-3)
    assert np.array_equal(again.value, first.value)
    assert np.array_equal(again.draw, first.draw)
    assert np.array_equal(more.value, stone_values(states[5:15]))
    assert np.allclose(more.logits[:, 0], more.value, atol=1e-3)


def test_what_was_answered_may_be_changed_by_the_caller(states: States) -> None:
    cached = CachedEvaluator(StoneEvaluator())
    for _ in range(2):
        evaluation = cached.evaluate(states[:4])
        assert np.array_equal(evaluation.value, stone_values(states[:4]))
        evaluation.value[:] = 9
        evaluation.logits[:] = 9


def test_the_misere_of_a_position_is_another_position(states: States) -> None:
    inner = StoneEvaluator()
    cached = CachedEvaluator(inner)
    cached.evaluate(states[:4])
    misere = states[:4].copy()
    misere[:, OBJECTIVE] = 1
    cached.evaluate(misere)
    assert inner.batches == [4, 4]


def test_a_full_cache_forgets_and_is_never_wrong(states: States) -> None:
    cached = CachedEvaluator(StoneEvaluator(), bits=3)
    for _ in range(3):
        assert np.array_equal(cached.evaluate(states).value, stone_values(states))
    assert cached.hits < cached.lookups / 2


def test_boards_of_several_sizes_share_a_cache(states: States) -> None:
    cached = CachedEvaluator(StoneEvaluator())
    small = states_of(random_positions(make_game("gomoku", 6), 1))
    for _ in range(2):
        assert cached.evaluate(states).logits.shape == (len(states), 65)
        assert cached.evaluate(small).logits.shape == (len(small), 36)
    assert cached.hits == len(states) + len(small)
