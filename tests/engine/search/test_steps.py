from __future__ import annotations

from collections.abc import Callable
from threading import current_thread, main_thread

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.ahead import Collect
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.evaluators.symmetric import TurnedBeginner, turned
from extremum.engine.evaluators.torch import TorchEvaluator
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels.graph import PENDING
from extremum.engine.search.mcts import AHEAD_FROM, MEGABYTE, Search
from extremum.engine.search.steps import Ahead, InTurn, Steps
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.tree import Tree
from tests.doubles import FakeTime
from tests.engine.nets.random_nets import random_checkpoint
from tests.engine.search.small_games import OpinionatedEvaluator

BOARD = Gomoku(8, 5)


class Watched(OpinionatedEvaluator):
    """Knows in which threads it was asked, and how often; says no at the end, if there is one."""

    def __init__(self, last: int = 10**9) -> None:
        self.threads: list[str] = []
        self._last = last

    def evaluate(self, states: States) -> Evaluation:
        self.threads.append("main" if current_thread() is main_thread() else current_thread().name)
        if len(self.threads) > self._last:
            raise EngineError("no")
        return super().evaluate(states)


class Begun(OpinionatedEvaluator):
    """Begins at once and notes the order in which batches are begun and collected."""

    works_aside = True

    def __init__(self) -> None:
        self.order: list[str] = []

    def begin(self, states: States) -> Collect:
        number = sum(event.startswith("begin") for event in self.order)
        self.order.append(f"begin {number}")

        def collect() -> Evaluation:
            self.order.append(f"collect {number}")
            return self.evaluate(states)

        return collect


def grown(make: Callable[[Tree], Steps], steps: int, count: int = 4) -> Tree:
    tree = Tree(4 * MEGABYTE, most=count)
    tree.reroot(BOARD.start())
    InTurn(tree, OpinionatedEvaluator()).step(1, 1)
    tree.show_root()
    way = make(tree)
    for _ in range(steps):
        way.step(count, 16 * count)
    way.finish()
    assert not in_flight(tree)
    return tree


def go_to_the_end(way: Steps) -> None:
    try:
        for _ in range(20):
            way.step(4, 64)
    finally:
        way.finish()


def in_flight(tree: Tree) -> bool:
    nodes, edges = tree.graph.nodes["in_flight"], tree.graph.edges["in_flight"]
    return bool(nodes.any() or edges.any() or tree.graph.used[PENDING])


def test_a_device_always_has_the_next_batch_before_the_last_is_collected() -> None:
    evaluator = Begun()
    grown(lambda tree: Ahead(tree, evaluator), 4)
    expected = "begin 0, begin 1, collect 0, begin 2, collect 1, begin 3, collect 2, collect 3"
    assert ", ".join(evaluator.order) == expected


def test_what_has_no_device_of_its_own_is_asked_in_a_thread_of_the_search() -> None:
    evaluator = Watched()
    grown(lambda tree: Ahead(tree, evaluator), 4)
    assert len(evaluator.threads) == 4
    assert {name.partition("_")[0] for name in evaluator.threads} == {"ahead"}


def test_the_tree_does_not_depend_on_how_long_evaluations_take() -> None:
    by_device = grown(lambda tree: Ahead(tree, Begun()), 60)
    by_thread = grown(lambda tree: Ahead(tree, Watched()), 60)
    assert by_device.visits == by_thread.visits
    assert np.array_equal(by_device.graph.nodes, by_thread.graph.nodes)


@pytest.mark.parametrize("last", [1, 2, 5])
def test_a_refusal_on_the_way_leaves_nothing_in_flight(last: int) -> None:
    tree = Tree(4 * MEGABYTE, most=4)
    tree.reroot(BOARD.start())
    InTurn(tree, OpinionatedEvaluator()).step(1, 1)
    way = Ahead(tree, Watched(last))
    with pytest.raises(EngineError, match="no"):
        go_to_the_end(way)
    assert not in_flight(tree)


def test_a_search_on_a_clock_goes_ahead_once_its_tree_is_large() -> None:
    evaluator = Watched()
    search = Search(evaluator, 64 * MEGABYTE, 8, ahead=True)
    choice = search.choose(BOARD.start(), Stopper(Limits(seconds=4.0), now=FakeTime(step=0.001)))
    assert choice.analysis.visits > AHEAD_FROM
    assert evaluator.threads[0] == "main"
    assert evaluator.threads[-1].startswith("ahead")
    assert not in_flight(search.tree)


def test_a_search_that_counts_visits_is_the_same_everywhere() -> None:
    found = []
    for ahead in (False, True):
        evaluator = Watched()
        search = Search(evaluator, 64 * MEGABYTE, 8, ahead=ahead)
        choice = search.choose(BOARD.start(), Stopper(Limits(visits=2 * AHEAD_FROM), now=lambda: 0.0))
        assert set(evaluator.threads) == {"main"}
        found.append(choice)
    assert found[0] == found[1]


def test_a_net_in_torch_is_begun_through_its_symmetries_where_it_has_a_device() -> None:
    net = TorchEvaluator(random_checkpoint("gomoku", "b4c32", 8), "cpu")
    states = np.repeat(grown(lambda tree: InTurn(tree, net), 2)._state[None], 8, axis=0)
    at_once = turned(net, np.random.default_rng(2))
    assert not isinstance(at_once, TurnedBeginner)
    begun = TurnedBeginner(net, net, np.random.default_rng(2))
    assert np.array_equal(begun.begin(states)().logits, at_once.evaluate(states).logits)
