"""Small games, trees grown on them, and what is looked at in a tree."""

from __future__ import annotations

from extremum.engine.games.game import Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.kernels.graph import Graph
from extremum.engine.kernels.puct import Puct
from extremum.engine.search.mcts import MEGABYTE, Search
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.tree import Tree
from tests.engine.search.small_games import UniformEvaluator, solved

TIC_TAC_TOE = Gomoku(3, 3)
SMALL_GAMES = [
    TIC_TAC_TOE,
    Misere(TIC_TAC_TOE),
    *(wrap for k in (3, 4) for wrap in (Gomoku(4, k), Misere(Gomoku(4, k)))),
]


def visits(count: int) -> Stopper:
    return Stopper(Limits(visits=count), now=lambda: 0.0)


def searched(position: Position, count: int, batch: int = 8, collisions: int = 0, memory: int = 64) -> Tree:
    search = Search(UniformEvaluator(), memory * MEGABYTE, batch, Puct(collisions=collisions))
    search.choose(position, visits(count))
    return search.tree


def walk(graph: Graph, root: int, position: Position) -> dict[int, Position]:
    """All nodes that can be reached, each with its position."""
    found = {root: position}
    todo = [root]
    for node in todo:
        first = int(graph.nodes["first"][node])
        for edge in range(first, first + int(graph.nodes["num_opened"][node])):
            child = int(graph.edges["child"][edge])
            if child not in found:
                found[child] = found[node].play(int(graph.edges["move"][edge]))
                todo.append(child)
    return found


def check_bounds(tree: Tree, position: Position, empties: int = 9) -> int:
    """Compare every node's bounds with the truth where that is soon found; returns how many results are proven."""
    graph, proven = tree.graph, 0
    for node, reached in walk(graph, tree.root, position).items():
        if position.game.size**2 - (reached.black | reached.white).bit_count() > empties:
            continue
        assert graph.nodes["low"][node] <= solved(reached) <= graph.nodes["high"][node]
        assert graph.nodes["low"][node] - 1e-6 <= graph.nodes["value"][node] <= graph.nodes["high"][node] + 1e-6
        proven += bool(graph.nodes["low"][node] == graph.nodes["high"][node])
    return proven


def bounds(tree: Tree) -> tuple[int, int]:
    return int(tree.graph.nodes["low"][tree.root]), int(tree.graph.nodes["high"][tree.root])


def num_in_flight(tree: Tree) -> int:
    nodes, edges = tree.num_nodes, int(tree.graph.used[1])
    pending = int(tree.graph.nodes["is_pending"][:nodes].sum()) + int(tree.graph.used[2:].sum())
    return pending + int(tree.graph.nodes["in_flight"][:nodes].sum()) + int(tree.graph.edges["in_flight"][:edges].sum())
