"""Helpers that grow a tree beside the search."""

from __future__ import annotations

import threading
import time
from threading import Event

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels.puct import Puct
from extremum.engine.search.mcts import AHEAD_FROM, MEGABYTE, Search
from extremum.engine.search.steps import Helped, InTurn
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.tree import Tree
from tests.engine.search.small_games import OpinionatedEvaluator
from tests.engine.search.test_steps import in_flight

BOARD = Gomoku(8, 5)
MAIN = threading.main_thread


class Watched(OpinionatedEvaluator):
    """Notes who asks; helpers wait for a sign if there is one, or fail."""

    def __init__(self, sign: Event | None = None, *, fails: bool = False) -> None:
        self.asked_by_helpers = 0
        self.has_helper = Event()
        self._sign = sign
        self._fails = fails

    def evaluate(self, states: States) -> Evaluation:
        if threading.current_thread() is not MAIN():
            self.asked_by_helpers += 1
            self.has_helper.set()
            if self._sign is not None:
                assert self._sign.wait(10)
            if self._fails:
                raise EngineError("no")
        return super().evaluate(states)


def begun() -> Tree:
    tree = Tree(4 * MEGABYTE, Puct(collisions=4), most=4)
    tree.reroot(BOARD.start())
    InTurn(tree, OpinionatedEvaluator()).step(1, 1)
    tree.show_root()
    return tree


def helped(evaluator: Watched, helpers: int) -> tuple[Tree, Helped]:
    """A tree, and steps on it of which a helper has begun one."""
    tree = begun()
    way = Helped(tree, evaluator, helpers, wanted=lambda: 4)
    while not evaluator.has_helper.is_set():
        way.step(4, 64)
    return tree, way


def search_of(evaluator: OpinionatedEvaluator, helpers: int) -> Search:
    return Search(evaluator, 64 * MEGABYTE, 8, Puct(collisions=8), helpers=helpers)


def test_helpers_grow_the_same_tree_and_every_visit_is_counted() -> None:
    evaluator = Watched()
    search = search_of(evaluator, helpers=3)
    choice = search.choose(BOARD.start(), Stopper(Limits(seconds=1.0)))
    assert evaluator.asked_by_helpers > 10
    assert choice.analysis.visits > AHEAD_FROM
    tree = search.tree
    first = int(tree.graph.nodes["first"][tree.root])
    edges = tree.graph.edges["visits"][first : first + int(tree.graph.nodes["num_edges"][tree.root])]
    assert tree.visits == 1 + edges.sum()
    assert not in_flight(tree)


def test_there_are_none_where_visits_are_counted() -> None:
    evaluator = Watched()
    limits = Limits(visits=2 * AHEAD_FROM, seconds=1e6)
    helped = search_of(evaluator, helpers=3).choose(BOARD.start(), Stopper(limits, now=lambda: 0.0))
    alone = search_of(Watched(), helpers=0).choose(BOARD.start(), Stopper(limits, now=lambda: 0.0))
    assert evaluator.asked_by_helpers == 0
    assert helped == alone


def test_a_search_ends_without_waiting_for_its_helpers_and_drops_what_they_say_later() -> None:
    sign = Event()
    tree, way = helped(Watched(sign), helpers=2)
    before = time.monotonic()
    way.finish()
    assert time.monotonic() - before < 5  # they would wait longer
    assert not in_flight(tree)
    visits, nodes = tree.visits, tree.graph.nodes.copy()
    sign.set()
    assert all(has_ended(10.0) for has_ended in way._has_ended)
    assert tree.visits == visits
    assert np.array_equal(tree.graph.nodes, nodes)


def test_what_helpers_had_under_way_is_never_written_over() -> None:
    sign = Event()
    tree, way = helped(Watched(sign), helpers=1)
    (leaves,) = way._out.values()
    states = leaves.states.copy()
    way.finish()
    for _ in range(20):
        InTurn(tree, OpinionatedEvaluator()).step(4, 64)
    assert np.array_equal(leaves.states, states)
    sign.set()


def test_what_a_helper_raises_is_raised_by_the_search_and_leaves_nothing_in_flight() -> None:
    search = search_of(Watched(fails=True), helpers=2)
    with pytest.raises(EngineError, match="no"):
        search.choose(BOARD.start(), Stopper(Limits(seconds=10.0)))
    assert not in_flight(search.tree)


def test_a_position_that_is_settled_soon_ends_a_search_with_helpers() -> None:
    board = Gomoku(3, 3)
    search = Search(OpinionatedEvaluator(), 16 * MEGABYTE, 8, Puct(collisions=8), helpers=3)
    choice = search.choose(board.start(), Stopper(Limits(seconds=20.0)))
    assert choice.analysis.seconds < 20.0
    assert search.tree.is_settled
    assert not in_flight(search.tree)
