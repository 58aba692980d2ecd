"""A search that is interrupted ends with the batch that is being evaluated."""

from __future__ import annotations

from functools import partial

import pytest

from extremum.engine.evaluators.ahead import Collect
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games.game import Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.othello import Othello
from extremum.engine.search.mcts import AHEAD_FROM, MEGABYTE, Search
from extremum.engine.search.stopper import Limits, Stopper
from tests.engine.search.small_games import OpinionatedEvaluator

BATCH = 8
LATE = AHEAD_FROM // BATCH + 150  # calls, the first ones of fewer positions


class Interrupting(OpinionatedEvaluator):
    """Has the search interrupted while it evaluates for the n-th time, and counts what it is asked afterwards."""

    def __init__(self, when: int) -> None:
        self.calls_left = when
        self.calls_after = 0

    def evaluate(self, states: States) -> Evaluation:
        self.calls_after += self.is_interrupted()
        self.calls_left -= 1
        return super().evaluate(states)

    def is_interrupted(self) -> bool:
        return self.calls_left <= 0


class Device(Interrupting):
    """The same as a device of its own, that is asked ahead."""

    works_aside = True

    def begin(self, states: States) -> Collect:
        return partial(self.evaluate, states)


@pytest.mark.parametrize("game", [Gomoku(9), Othello(8)], ids=["gomoku", "othello"])
@pytest.mark.parametrize("kind", [Interrupting, Device])
@pytest.mark.parametrize("when", [1, 2, 20, LATE])
def test_at_most_one_batch_is_evaluated_after_an_interruption(game: Game, kind: type[Interrupting], when: int) -> None:
    evaluator = kind(when)
    search = Search(evaluator, 16 * MEGABYTE, BATCH)
    choice = search.choose(game.start(), Stopper(Limits(), evaluator.is_interrupted))
    assert choice.move in game.start().legal_moves()
    assert evaluator.calls_left <= 0
    assert evaluator.calls_after <= 1


def test_the_search_was_ahead_of_its_evaluator() -> None:
    """The last of the cases above is one of a tree that is large enough for it."""
    evaluator = Device(LATE)
    search = Search(evaluator, 16 * MEGABYTE, BATCH)
    search.choose(Othello(8).start(), Stopper(Limits(), evaluator.is_interrupted))
    assert search.tree.visits > AHEAD_FROM + 2 * BATCH
