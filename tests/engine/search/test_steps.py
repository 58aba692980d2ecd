from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.ahead import Collect
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.evaluators.symmetric import TurnedBeginner, turned
from extremum.engine.evaluators.torch import TorchEvaluator
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels.graph import PENDING
from extremum.engine.kernels.puct import Puct
from extremum.engine.search.mcts import AHEAD_FROM, MEGABYTE, Search
from extremum.engine.search.steps import Ahead, InTurn, Steps
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.tree import Tree
from tests.doubles import FakeTime
from tests.engine.nets.random_nets import random_checkpoint
from tests.engine.search.small_games import OpinionatedEvaluator

BOARD = Gomoku(8, 5)


class Measuring(OpinionatedEvaluator):
    """Notes how large the batches are."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def evaluate(self, states: States) -> Evaluation:
        self.batches.append(len(states))
        return super().evaluate(states)


class Begun(OpinionatedEvaluator):
    """A device: notes the order in which batches are begun and collected, and says no at the end, if there is one."""

    works_aside = True

    def __init__(self, last: int = 10**9) -> None:
        self.order: list[str] = []
        self._last = last

    def begin(self, states: States) -> Collect:
        number = sum(event.startswith("begin") for event in self.order)
        self.order.append(f"begin {number}")

        def collect() -> Evaluation:
            self.order.append(f"collect {number}")
            if number >= self._last:
                raise EngineError("no")
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
    grown(lambda tree: Ahead(tree, evaluator.begin), 4)
    expected = "begin 0, begin 1, collect 0, begin 2, collect 1, begin 3, collect 2, collect 3"
    assert ", ".join(evaluator.order) == expected


def test_ahead_of_a_device_all_visits_are_counted() -> None:
    by_device = grown(lambda tree: Ahead(tree, Begun().begin), 60)
    assert by_device.visits == by_device.graph.nodes["visits"][by_device.root] > 200


@pytest.mark.parametrize("last", [1, 2, 5])
def test_a_refusal_on_the_way_leaves_nothing_in_flight(last: int) -> None:
    tree = Tree(4 * MEGABYTE, most=4)
    tree.reroot(BOARD.start())
    InTurn(tree, OpinionatedEvaluator()).step(1, 1)
    way = Ahead(tree, Begun(last).begin)
    with pytest.raises(EngineError, match="no"):
        go_to_the_end(way)
    assert not in_flight(tree)


def test_a_search_on_a_clock_goes_ahead_of_a_device_once_its_tree_is_large() -> None:
    evaluator = Begun()
    search = Search(evaluator, 64 * MEGABYTE, 8)
    choice = search.choose(BOARD.start(), Stopper(Limits(seconds=4.0), now=FakeTime(step=0.001)))
    assert choice.analysis.visits > AHEAD_FROM
    assert evaluator.order[:3] == ["begin 0", "begin 1", "collect 0"]
    assert not in_flight(search.tree)


def test_a_search_that_counts_visits_is_the_same_everywhere() -> None:
    found = []
    for evaluator in (OpinionatedEvaluator(), Begun()):
        search = Search(evaluator, 64 * MEGABYTE, 8)
        found.append(search.choose(BOARD.start(), Stopper(Limits(visits=2 * AHEAD_FROM), now=lambda: 0.0)))
    assert found[0] == found[1]


def test_counted_visits_are_gathered_alike_whatever_time_there_is_besides() -> None:
    made = []
    for limits in (Limits(visits=600), Limits(visits=600, seconds=1e6)):
        evaluator = Measuring()
        Search(evaluator, 8 * MEGABYTE, 32, Puct(collisions=32)).choose(Gomoku(15).start(), Stopper(limits))
        made.append(evaluator.batches)
    assert made[0] == made[1]
    assert max(made[0]) <= 12  # half the root of the visits


def test_a_net_in_torch_is_begun_through_its_symmetries_where_it_has_a_device() -> None:
    net = TorchEvaluator(random_checkpoint("gomoku", "b4c32", 8), "cpu")
    states = np.repeat(grown(lambda tree: InTurn(tree, net), 2)._state[None], 8, axis=0)
    at_once = turned(net, np.random.default_rng(2))
    assert not isinstance(at_once, TurnedBeginner)
    begun = TurnedBeginner(net, net, np.random.default_rng(2))
    assert np.array_equal(begun.begin(states)().logits, at_once.evaluate(states).logits)
