"""How far proven ends are, compared with brute force on small boards.

A proof need not be the shortest one: whoever wins is promised the end within so many plies, which are never fewer than
are needed.
"""

from __future__ import annotations

import pytest

from extremum.engine.brains import make_brain
from extremum.engine.games.game import Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.kernels.graph import Graph
from extremum.engine.kernels.puct import Puct
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.tree import Tree
from tests.engine.search.small_games import OpinionatedEvaluator, positions_up_to_symmetry, random_position, solved_in
from tests.engine.search.trees import bounds

TIC_TAC_TOE = [Gomoku(3, 3), Misere(Gomoku(3, 3))]
FOUR_BY_FOUR = [Gomoku(4, 3), Gomoku(4, 4), Misere(Gomoku(4, 3)), Misere(Gomoku(4, 4))]
MEMORY = 4 << 20


@pytest.mark.slow
@pytest.mark.parametrize("tactics", [False, True])
@pytest.mark.parametrize("game", TIC_TAC_TOE, ids=["normal", "misere"])
def test_every_position_of_tic_tac_toe_has_its_result_and_a_possible_distance(game: Game, tactics: bool) -> None:
    for position in positions_up_to_symmetry(game):
        check_distances(grown(position, tactics), position)


@pytest.mark.slow
@pytest.mark.parametrize("tactics", [False, True])
@pytest.mark.parametrize("game", FOUR_BY_FOUR, ids=["k3", "k4", "k3 misere", "k4 misere"])
@pytest.mark.parametrize("empties", [5, 7])
def test_positions_on_four_by_four_have_their_results_and_possible_distances(
    game: Game, tactics: bool, empties: int
) -> None:
    for seed in range(60):
        position = random_position(game, empties, seed)
        check_distances(grown(position, tactics), position)


@pytest.mark.slow
@pytest.mark.parametrize("game", TIC_TAC_TOE, ids=["normal", "misere"])
def test_alphabeta_finds_the_shortest_win_and_the_longest_loss(game: Game) -> None:
    """It ends without a proof where all moves but one are known to lose."""
    brain = make_brain("alphabeta", Options(seed=1, memory=1))
    decided = [position for position in positions_up_to_symmetry(game) if solved_in(position)[0] != 0]
    found = [brain.choose(position, Stopper(Limits(depth=9))).analysis.best for position in decided]
    known = [(position, best) for position, best in zip(decided, found, strict=True) if best.proven is not None]
    assert len(known) > len(decided) // 2
    for position, best in known:
        assert (best.proven, best.distance) == solved_in(position)


def grown(position: Position, tactics: bool) -> Tree:
    """A tree whose root is proven."""
    tree, evaluator = Tree(MEMORY, Puct(tactics=tactics, collisions=8), 8), OpinionatedEvaluator()
    tree.reroot(position)
    while bounds(tree)[0] < bounds(tree)[1]:
        assert not tree.is_full
        leaves = tree.select(8)
        tree.update(leaves, evaluator.evaluate(leaves.states)) if len(leaves) else tree.release(leaves)
    return tree


def check_distances(tree: Tree, start: Position) -> None:
    """Compare every proven node that can be reached with brute force."""
    seen, todo = {tree.root}, [(tree.root, start)]
    for node, position in todo:
        check_node(tree.graph, node, position)
        first = int(tree.graph.nodes["first"][node])
        for edge in range(first, first + int(tree.graph.nodes["num_opened"][node])):
            child = int(tree.graph.edges["child"][edge])
            if child not in seen:
                seen.add(child)
                todo.append((child, position.play(int(tree.graph.edges["move"][edge]))))


def check_node(graph: Graph, node: int, position: Position) -> None:
    low, high = int(graph.nodes["low"][node]), int(graph.nodes["high"][node])
    value, plies = solved_in(position)
    assert low <= value <= high
    if low < high:
        return
    distance, empties = int(graph.nodes["distance"][node]), position.game.num_moves - position.ply
    assert plies <= distance <= empties
    if value == 0:
        assert distance == plies
    elif distance < empties:
        assert (distance - plies) % 2 == 0  # the same side makes the last move
