import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.batched import BatchedEvaluator
from extremum.engine.games import make_game
from extremum.engine.options import Options
from extremum.engine.search.opened import OwnEvaluators, SharedEvaluators

GAME = make_game("gomoku", 8)


def test_equal_wishes_meet_in_one_evaluator() -> None:
    shared = SharedEvaluators()
    first = shared.open(Options(evaluator="patterns", seed=1, visits=10), GAME).evaluator
    assert isinstance(first, BatchedEvaluator)
    assert shared.open(Options(evaluator="patterns", seed=2), make_game("gomoku", 9)).evaluator is first


def test_other_wishes_have_others() -> None:
    shared, own = SharedEvaluators(), OwnEvaluators()
    wishes = [Options(evaluator="patterns"), Options(evaluator="rollout"), Options(evaluator="patterns", threads=2)]
    opened = [shared.open(options, GAME).evaluator for options in wishes]
    opened.append(own.open(wishes[0], GAME).evaluator)
    assert len({id(evaluator) for evaluator in opened}) == 4


def test_the_threads_of_all_may_be_given() -> None:
    shared = SharedEvaluators(threads=1)
    one, two = (shared.open(Options(evaluator="patterns", threads=threads), GAME).evaluator for threads in (1, 2))
    assert one is two


def test_a_refusal_is_told_to_everyone_who_asks() -> None:
    shared = SharedEvaluators()
    for _ in range(2):
        with pytest.raises(EngineError, match="no-such"):
            shared.open(Options(weights="no-such.onnx"), GAME)
