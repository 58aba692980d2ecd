"""Whole games on small boards, proven by one search and compared with brute force."""

from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.games.game import Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.graph import Graph, refresh
from extremum.engine.kernels.puct import Puct
from extremum.engine.search.mcts import MEGABYTE, Search
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.tree import Tree
from tests.engine.search.small_games import OpinionatedEvaluator, UniformEvaluator, random_position, solved
from tests.engine.search.trees import bounds, num_in_flight

SMALL_GAMES = [wrap for size, k in ((3, 3), (4, 3), (4, 4)) for wrap in (Gomoku(size, k), Misere(Gomoku(size, k)))]
IDS = ["3x3", "3x3 misere", "k3", "k3 misere", "k4", "k4 misere"]


@pytest.mark.slow
@pytest.mark.parametrize("tactics", [False, True])
@pytest.mark.parametrize("game", SMALL_GAMES, ids=IDS)
def test_batches_prove_what_brute_force_finds_and_leave_nothing_in_flight(game: Game, tactics: bool) -> None:
    for seed in range(4):
        position = random_position(game, 9, seed)  # on 3x3 the empty board
        for batch, collisions in ((1, 0), (8, 0), (8, 8)):
            tree = proven(position, batch, Puct(tactics=tactics, collisions=collisions))
            assert bounds(tree) == (solved(position), solved(position))
            assert num_checked(tree.graph, tree.root, position) > 1


def num_checked(graph: Graph, root: int, start: Position) -> int:
    """Compare the bounds of every node that can be reached with brute force; returns how many these are."""
    seen, todo = {root}, [(root, start)]
    for node, position in todo:
        assert graph.nodes["low"][node] <= solved(position) <= graph.nodes["high"][node]
        for edge in range(graph.nodes["first"][node], graph.nodes["first"][node] + graph.nodes["num_opened"][node]):
            child = int(graph.edges["child"][edge])
            if child not in seen:
                seen.add(child)
                todo.append((child, position.play(int(graph.edges["move"][edge]))))
    return len(seen)


def proven(position: Position, batch: int, puct: Puct) -> Tree:
    """A tree grown until its root is proven, looked at after each batch."""
    tree, evaluator = Tree(8 * MEGABYTE, puct, batch), OpinionatedEvaluator()
    tree.reroot(position)
    while bounds(tree)[0] < bounds(tree)[1]:
        assert not tree.is_full
        leaves = tree.select(batch)
        tree.update(leaves, evaluator.evaluate(leaves.states)) if len(leaves) else tree.release(leaves)
        assert num_in_flight(tree) == 0
    return tree


@pytest.mark.slow
def test_misere_three_in_a_row_on_four_by_four_is_proven_lost_from_the_empty_board() -> None:
    game = Misere(Gomoku(4, 3))
    search = Search(UniformEvaluator(), 512 * MEGABYTE, 8, Puct(tactics=True, collisions=8))
    search.choose(game.start(), Stopper(Limits(visits=2_000_000), now=lambda: 0.0))
    assert bounds(search.tree) == (-1, -1)  # the second player forces the first to complete three
    assert num_in_flight(search.tree) == 0
    assert check_proof(search.tree.graph, search.tree.root, game.start()) > 1000


def check_proof(graph: Graph, root: int, start: Position) -> int:
    """Follow the proof of a node to ends that brute force sees; returns how many positions it needs."""
    seen, todo = {root}, [(root, start)]
    for node, position in todo:
        assert graph.nodes["low"][node] == graph.nodes["high"][node]
        if graph.nodes["first"][node] < 0:  # the game is over, or small searches saw its end
            assert solved(position) == graph.nodes["low"][node]
            continue
        for child, after in _needed(graph, node, position):
            assert graph.nodes["low"][child] == -graph.nodes["low"][node]
            if child not in seen:
                seen.add(child)
                todo.append((child, after))
    return len(seen)


def _needed(graph: Graph, node: int, position: Position) -> list[tuple[int, Position]]:
    """One reply that wins, or all replies where each loses; a move without an edge must lose at once."""
    first, opened = int(graph.nodes["first"][node]), int(graph.nodes["num_opened"][node])
    children = {
        int(graph.edges["move"][edge]): int(graph.edges["child"][edge]) for edge in range(first, first + opened)
    }
    if graph.nodes["low"][node] > 0:
        move = min(
            (move for move, child in children.items() if graph.nodes["high"][child] < 0), key=children.__getitem__
        )
        return [(children[move], position.play(move))]
    after = {move: position.play(move) for move in position.legal_moves()}
    for move in set(after) - set(children):
        outcome = after[move].outcome()
        assert outcome is not None
        assert outcome.value(position.side_to_move) < 0
    return [(children[move], after[move]) for move in set(after) & set(children)]


@pytest.mark.parametrize("game", [Gomoku(9), Othello(8), Misere(Othello(6))], ids=["gomoku", "othello", "misere"])
def test_means_that_are_updated_stay_near_those_that_are_summed_up(game: Game) -> None:
    search = Search(OpinionatedEvaluator(), 64 * MEGABYTE, 8, Puct(collisions=8))
    search.choose(game.start(), Stopper(Limits(visits=5000), now=lambda: 0.0))
    graph, tree = search.tree.graph, search.tree
    checked = 0
    for node in np.flatnonzero(graph.nodes["first"][: tree.num_nodes] >= 0).tolist():
        kept = (graph.nodes["visits"][node], graph.nodes["value"][node], graph.nodes["square"][node])
        refresh(graph, node)
        assert graph.nodes["visits"][node] == kept[0]
        if kept[0] >= 100:
            assert graph.nodes["value"][node] == pytest.approx(kept[1], abs=0.03)
            assert graph.nodes["square"][node] == pytest.approx(kept[2], abs=0.03)
            checked += 1
    assert checked > 5
