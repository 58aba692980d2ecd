import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.batched import BatchedEvaluator
from extremum.engine.evaluators.shared import SharedEvaluators
from extremum.engine.games import make_game
from extremum.engine.games.misere import Misere
from extremum.engine.options import Options

GAME = make_game("gomoku", 8)


def test_equal_wishes_meet_in_one_evaluator() -> None:
    shared = SharedEvaluators()
    first = shared.open(Options(evaluator="patterns", seed=1, visits=10), GAME)
    assert isinstance(first, BatchedEvaluator)
    assert shared.open(Options(evaluator="patterns", seed=2), make_game("gomoku", 8)) is first


def test_other_wishes_have_others() -> None:
    shared, options = SharedEvaluators(), Options(evaluator="patterns")
    opened = [shared.open(options, game) for game in (GAME, make_game("gomoku", 9), Misere(GAME))]
    opened.append(shared.open(Options(evaluator="rollout"), GAME))
    assert len({id(evaluator) for evaluator in opened}) == 4


def test_a_refusal_is_told_to_everyone_who_asks() -> None:
    shared = SharedEvaluators()
    for _ in range(2):
        with pytest.raises(EngineError, match="no-such"):
            shared.open(Options(weights="no-such.onnx"), GAME)
