"""What trees prove, against brute force."""

from __future__ import annotations

import pytest

from extremum.engine.games.game import Bits, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.kernels.puct import Puct
from extremum.engine.search.mcts import MEGABYTE, Search
from extremum.engine.search.tree import Tree
from tests.engine.search.four_by_four import Truth
from tests.engine.search.small_games import OpinionatedEvaluator, UniformEvaluator, random_position, solved
from tests.engine.search.trees import (
    SMALL_GAMES,
    TIC_TAC_TOE,
    bounds,
    check_bounds,
    num_in_flight,
    searched,
    visits,
)


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("game", [TIC_TAC_TOE, Misere(TIC_TAC_TOE)], ids=["normal", "misere"])
def test_tic_tac_toe_is_proven_a_draw_and_every_bound_is_true(game: Game, batch: int) -> None:
    tree = searched(game.start(), 20_000, batch)
    assert bounds(tree) == (0, 0)
    assert check_bounds(tree, game.start()) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("game", [TIC_TAC_TOE, Misere(TIC_TAC_TOE)], ids=["normal", "misere"])
def test_every_position_of_tic_tac_toe_is_proven_what_it_is(game: Game) -> None:
    seen: dict[tuple[Bits, Bits], Position] = {}
    todo = [game.start()]
    for position in todo:
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome() is None and (after.black, after.white) not in seen:
                seen[after.black, after.white] = after
                todo.append(after)
    assert len(seen) == 4519
    for position in seen.values():
        for batch in (1, 8):
            tree = _proven(position, batch)
            assert bounds(tree) == (solved(position), solved(position))
            assert solved(position.play(tree.analysis(0.0).best.move)) == -solved(position)


def _proven(position: Position, batch: int) -> Tree:
    """A tree grown until its root is proven, even where there is only one move."""
    tree = Tree(MEGABYTE, most=batch)
    tree.reroot(position)
    while bounds(tree)[0] < bounds(tree)[1]:
        leaves = tree.select(batch)
        tree.update(leaves, UniformEvaluator().evaluate(leaves.states)) if len(leaves) else tree.release(leaves)
        assert num_in_flight(tree) == 0
    return tree


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL_GAMES[2:], ids=["k3", "k3 misere", "k4", "k4 misere"])
def test_batches_prove_the_same_truth_on_four_by_four(game: Game) -> None:
    for seed in range(10):
        position = random_position(game, 8, seed)
        trees = [searched(position, 50_000, batch, collisions) for batch, collisions in ((1, 0), (8, 0), (8, 8))]
        assert {bounds(tree) for tree in trees} == {(solved(position), solved(position))}
        assert all(check_bounds(tree, position) > 0 for tree in trees)


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL_GAMES[2:], ids=["k3", "k3 misere", "k4", "k4 misere"])
@pytest.mark.parametrize("puct", [Puct(tactics=True), Puct(width=3), Puct(tactics=True, width=3)])
def test_tactics_and_narrow_nodes_prove_the_same_truth(game: Game, puct: Puct) -> None:
    for seed in range(10):
        position = random_position(game, 8, seed)
        for batch, collisions in ((1, 0), (8, 8)):
            manner = puct._replace(collisions=collisions)
            search = Search(OpinionatedEvaluator(), 8 * MEGABYTE, batch, manner)
            choice = search.choose(position, visits(50_000))
            tree = search.tree
            assert num_in_flight(tree) == 0
            assert check_bounds(tree, position) > 0
            if not choice.analysis.candidates[1:]:  # the only move that does not surely lose
                continue
            assert bounds(tree) == (solved(position), solved(position))
            assert solved(position.play(choice.move)) == -solved(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("in_a_row", "misere", "batch", "result"),
    [(3, False, 8, 1), (3, True, 64, -1), (4, False, 8, None), (4, True, 64, None)],
)
def test_every_node_from_the_start_of_four_by_four_is_true(
    in_a_row: int, misere: bool, batch: int, result: int | None
) -> None:
    """Three in a row are decided; for four these visits are too few, but what they prove is true."""
    ordinary = Gomoku(4, in_a_row)
    game = Misere(ordinary) if misere else ordinary
    tree = searched(game.start(), 800_000 if result is None else 6_000_000, batch, batch, memory=1200)
    wrong, proven, nodes = Truth(game, in_a_row).num_wrong(tree.graph, tree.root)
    assert wrong == 0
    assert 0 < proven < nodes
    assert bounds(tree) == ((-1, 1) if result is None else (result, result))


@pytest.mark.parametrize("batch", [1, 8])
def test_three_in_a_row_on_four_by_four_is_proven_won(batch: int) -> None:
    assert bounds(searched(Gomoku(4, 3).start(), 50_000, batch)) == (1, 1)
