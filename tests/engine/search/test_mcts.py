from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games.game import Color, Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.puct import Puct
from extremum.engine.search.analysis import Analysis
from extremum.engine.search.mcts import MEGABYTE, Search
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.tree import Tree
from tests.doubles import FakeTime
from tests.engine.search.small_games import OpinionatedEvaluator, UniformEvaluator, random_position, solved
from tests.engine.search.trees import (
    TIC_TAC_TOE,
    num_in_flight,
    searched,
    visits,
    walk,
)


class Refusing:
    def evaluate(self, states: States) -> Evaluation:
        raise EngineError("no")


class Unsound(UniformEvaluator):
    def evaluate(self, states: States) -> Evaluation:
        evaluation = super().evaluate(states)
        evaluation.value[:] = np.nan
        return evaluation


class Counting(OpinionatedEvaluator):
    def __init__(self) -> None:
        self.positions = 0

    def evaluate(self, states: States) -> Evaluation:
        self.positions += len(states)
        return super().evaluate(states)


class Decided(UniformEvaluator):
    """Likes the first move in the policy best, whatever comes."""

    def evaluate(self, states: States) -> Evaluation:
        evaluation = super().evaluate(states)
        evaluation.logits[:] = -np.arange(evaluation.logits.shape[1])
        return evaluation


def test_tactics_prove_leaves_without_an_evaluation() -> None:
    position = Othello(6).start()
    while position.outcome() is None and 36 - (position.black | position.white).bit_count() > 9:
        position = position.play(position.legal_moves()[0])
    counted = Counting()
    search = Search(counted, 8 * MEGABYTE, 8, Puct(tactics=True))
    best = search.choose(position, visits(1000)).analysis.best
    assert counted.positions <= 2
    assert best.proven == solved(position)


def test_a_position_proven_as_a_leaf_still_has_its_moves_as_a_root() -> None:
    position = random_position(Othello(6), 9, seed=1)
    search = Search(UniformEvaluator(), 8 * MEGABYTE, 1, Puct(tactics=True))
    search.choose(position, visits(100))
    for move in position.legal_moves():
        after = position.play(move)
        assert search.choose(after, visits(100)).move in after.legal_moves()


def test_a_root_is_not_settled_by_what_was_forgotten_of_its_child() -> None:
    tree, start = Tree(MEGABYTE), TIC_TAC_TOE.start()
    tree.reroot(start)
    leaves = tree.select(1)
    tree.update(leaves, UniformEvaluator().evaluate(leaves.states))
    tree.graph.nodes["low"][tree.root] = tree.graph.nodes["high"][tree.root] = 0
    tree.reroot(start)
    assert not tree.is_settled


def test_moves_without_an_edge_get_one_when_the_search_wants_them() -> None:
    position = Gomoku(9).start().play(40)
    search = Search(UniformEvaluator(), 64 * MEGABYTE, 8, Puct(width=8, collisions=8))
    search.choose(position, visits(2000))
    graph, root = search.tree.graph, search.tree.root
    assert graph.nodes["num_edges"][root] == 80  # a root shows all of its moves
    nodes = search.tree.num_nodes
    hidden = graph.nodes["num_hidden"][:nodes][graph.nodes["first"][:nodes] >= 0]
    widths = graph.nodes["num_edges"][:nodes][graph.nodes["first"][:nodes] >= 0]
    assert ((widths == 8) | (hidden == 0)).all()
    assert (hidden > 0).sum() > 1000
    assert set(widths.tolist()) > {8}
    assert search.choose(position, visits(4000)).analysis.visits == 4000


def test_a_tree_is_not_moved_for_the_root_that_it_has() -> None:
    search = Search(OpinionatedEvaluator(), MEGABYTE // 2)
    start = Othello(6).start()
    search.choose(start, visits(600))
    before = search.tree.graph
    assert search.choose(start, visits(700)).analysis.visits == 700
    assert search.tree.graph is before


def test_a_tree_that_is_slow_to_move_is_given_up() -> None:
    search = Search(OpinionatedEvaluator(), MEGABYTE // 2)
    start = Othello(6).start()
    best = search.choose(start, visits(600)).analysis.best
    assert search.tree._is_half_full()
    search.tree.reroot(start.play(best.move), seconds=1e-6)
    assert (search.tree.visits, search.tree.num_nodes) == (0, 1)


@pytest.mark.parametrize("collisions", [0, 8])
@pytest.mark.parametrize("game", [Gomoku(15), Othello(8), Misere(Othello(6))], ids=["gomoku", "othello", "misere"])
def test_nothing_is_in_flight_after_a_batch(game: Game, collisions: int) -> None:
    tree = Tree(64 * MEGABYTE, Puct(collisions=collisions), most=8)
    tree.reroot(game.start())
    for _ in range(50):
        leaves = tree.select(8)
        assert num_in_flight(tree) > 0
        tree.update(leaves, OpinionatedEvaluator().evaluate(leaves.states))
        assert num_in_flight(tree) == 0


def test_a_collision_ends_the_gathering_unless_there_is_a_budget() -> None:
    sizes = []
    for collisions in (0, 16):
        tree = Tree(64 * MEGABYTE, Puct(collisions=collisions), most=16)
        tree.reroot(Gomoku(9).start())
        leaves = tree.select(16)
        assert len(leaves) == 1  # the root itself
        gathered = 0
        for _ in range(20):
            tree.update(leaves, OpinionatedEvaluator().evaluate(leaves.states))
            leaves = tree.select(16)
            gathered += len(leaves)
        sizes.append(gathered)
    assert 0 < sizes[0] < sizes[1]


@pytest.mark.parametrize("count", [1, 2, 17, 100, 1000])
@pytest.mark.parametrize("batch", [1, 8])
def test_a_limit_of_visits_is_exact(count: int, batch: int) -> None:
    search = Search(OpinionatedEvaluator(), 64 * MEGABYTE, batch)
    analysis = search.choose(Gomoku(9).start(), visits(count)).analysis
    assert analysis.visits == count
    assert sum(candidate.visits for candidate in analysis.candidates) == count - 1


def test_a_new_root_keeps_what_is_known_below_it() -> None:
    search = Search(OpinionatedEvaluator(), 64 * MEGABYTE)
    start = Othello(8).start()
    best = search.choose(start, visits(1000)).analysis.best
    search.tree.reroot(start.play(best.move))
    assert search.tree.visits >= best.visits
    known = search.tree.visits
    assert search.choose(start.play(best.move), visits(known + 100)).analysis.visits == known + 100


def test_moving_the_tree_keeps_every_figure_and_drops_the_rest() -> None:
    search = Search(OpinionatedEvaluator(), MEGABYTE // 2)
    start = Othello(6).start()
    best = search.choose(start, visits(600)).analysis.best
    child = start.play(best.move)
    nodes = search.tree.num_nodes
    assert 2 * nodes > len(search.tree.graph.nodes)
    before = search.tree.graph
    search.tree.reroot(child)
    assert search.tree.graph is not before
    assert search.tree.num_nodes < nodes
    taken = np.flatnonzero(before.edges["move"][: before.nodes["num_edges"][0]] == best.move)[0]
    place = int(before.edges["child"][taken])
    after = walk(search.tree.graph, 0, child)
    assert after.keys() == set(range(search.tree.num_nodes))
    for (old, one), (new, other) in zip(walk(before, place, child).items(), after.items(), strict=True):
        assert (one.black, one.white, one.side_to_move) == (other.black, other.white, other.side_to_move)
        for field in ("key", "visits", "value", "raw", "square", "low", "high", "num_edges", "num_opened"):
            assert before.nodes[field][old] == search.tree.graph.nodes[field][new]


def test_an_unknown_position_or_another_game_begins_anew() -> None:
    search = Search(UniformEvaluator(), 8 * MEGABYTE)
    search.choose(Gomoku(9).start(), visits(50))
    search.tree.reroot(Gomoku(9).start().play(40).play(41).play(42).play(50))
    assert search.tree.visits == 0
    search.tree.reroot(Misere(Gomoku(9)).start())
    assert (search.tree.visits, search.tree.num_nodes) == (0, 1)


def test_transpositions_share_a_node() -> None:
    tree = searched(TIC_TAC_TOE.start(), 20_000)
    found = walk(tree.graph, tree.root, TIC_TAC_TOE.start())
    assert len({(position.black, position.white) for position in found.values()}) == len(found)
    assert int((tree.graph.edges["child"][: tree.graph.used[1]] >= 0).sum()) > 1.5 * len(found)


def test_a_full_tree_ends_the_search_with_a_move() -> None:
    search = Search(OpinionatedEvaluator(), MEGABYTE)
    choice = search.choose(Gomoku(15).start(), visits(100_000))
    assert search.tree.is_full
    assert 1 < choice.analysis.visits < 1000
    arrays = sum(array.nbytes for array in search.tree.graph)
    assert 2 * arrays <= 1.01 * MEGABYTE
    after = Gomoku(15).start().play(choice.move)
    assert search.choose(after, visits(100_000)).analysis.visits > 1


@pytest.mark.parametrize("evaluator", [Refusing(), Unsound()])
def test_a_failed_evaluation_leaves_nothing_in_flight(evaluator: Refusing | Unsound) -> None:
    search = Search(evaluator, MEGABYTE)
    with pytest.raises(EngineError):
        search.choose(Gomoku(9).start(), visits(10))
    assert num_in_flight(search.tree) == 0


def test_leaves_in_flight_forbid_a_new_root() -> None:
    tree = Tree(MEGABYTE)
    tree.reroot(Gomoku(9).start())
    tree.select(1)
    with pytest.raises(ValueError, match="waiting"):
        tree.reroot(Gomoku(9).start())


def test_an_only_move_is_played_without_a_search() -> None:
    position = random_position(TIC_TAC_TOE, 1, seed=1)
    choice = Search(UniformEvaluator(), MEGABYTE).choose(position, visits(100))
    assert [choice.move] == position.legal_moves()
    assert choice.analysis.visits == 1


def test_reports_tell_of_growing_visits() -> None:
    told: list[Analysis] = []
    search = Search(OpinionatedEvaluator(), 8 * MEGABYTE)
    search.choose(Gomoku(9).start(), visits(100), lambda make: told.append(make()))
    counts = [analysis.visits for analysis in told]
    assert counts == sorted(set(counts))
    assert counts[-1] == 100
    assert all(analysis.best.line[0] == analysis.best.move for analysis in told)


def clock(seconds: float, most: float, step: float = 0.001) -> Stopper:
    return Stopper(Limits(seconds=seconds, most=most), now=FakeTime(step=step))


def test_a_search_ends_when_the_move_cannot_change_and_the_time_can_be_used_later() -> None:
    position = Othello(6).start()
    stopper = clock(10.0, 20.0)
    Search(Decided(), 64 * MEGABYTE).choose(position, stopper)
    assert 1.0 <= stopper.elapsed < 9.0
    stopper = Stopper(Limits(seconds=2.0), now=FakeTime(step=0.001))
    Search(Decided(), 64 * MEGABYTE).choose(position, stopper)
    assert stopper.elapsed >= 2.0


def test_an_unstable_search_asks_for_more_time() -> None:
    stopper = clock(0.5, 1.0)
    Search(UniformEvaluator(), 64 * MEGABYTE).choose(Gomoku(9).start(), stopper)
    assert stopper.elapsed >= 0.75


def test_a_clock_is_not_run_down_where_only_one_move_does_not_lose() -> None:
    position = Gomoku(4, 4).setup(1 << 4 | 1 << 5 | 1 << 6, 1 << 0 | 1 << 9, Color.WHITE)
    stopper = Stopper(Limits(seconds=10.0), now=FakeTime(step=0.001))
    search = Search(UniformEvaluator(), 64 * MEGABYTE)
    assert search.choose(position, stopper).move == 7
    assert search.tree.standing().alive == 1
    assert stopper.elapsed < 9.0


def test_a_search_of_few_visits_takes_little_memory_and_a_longer_one_keeps_what_it_found() -> None:
    search = Search(UniformEvaluator(), 256 * MEGABYTE, visits=50)
    start = Gomoku(9).start()
    search.choose(start, visits(50))
    few, nodes = len(search.tree.graph.nodes), search.tree.num_nodes
    assert few < 3000
    search.choose(start, visits(5000))
    assert search.tree.visits == 5000
    assert few < len(search.tree.graph.nodes) < 100_000
    search.tree.reroot(start)
    assert len(search.tree.graph.nodes) > 100_000
    assert search.tree.visits == 5000
    assert search.tree.num_nodes > nodes
    assert num_in_flight(search.tree) == 0
