"""A graph of positions below a root, which hands out leaves and takes their evaluations; it never evaluates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..errors import EngineError
from ..evaluators.evaluator import Evaluation, States
from ..games.game import Game, Move, Position
from ..kernels import gather as kernels
from ..kernels.board import key
from ..kernels.direct import direct
from ..kernels.gather import FULL, Bounds, show_all
from ..kernels.graph import (
    EDGE_BYTES,
    EDGES,
    NODE_BYTES,
    NODES,
    NUM_MOVES,
    PENDING,
    Graph,
    clear,
    find_node,
    make_graph,
    refresh,
    settle,
)
from ..kernels.graph_choice import best_edge, stand
from ..kernels.graph_copy import copy_reachable
from ..kernels.layout import GOING_ON, RESULT, STATE, STATE_WORDS
from ..kernels.leaf import LeafWork, make_leaf_work
from ..kernels.puct import Batch, Puct, make_batch, node_of
from .analysis import Analysis
from .graph_analysis import analysis_of
from .states import State, state_of

MOST_VISITS = 2**31 - 1  # what a node can count
EDGES_A_NODE = {"othello": 12}  # legal moves, roughly; in Gomoku every point, up to the width
LEAST_NODES, LEAST_EDGES = 64, 4096
FEW_VISITS = 128  # as many nodes as for these are always there
SEARCHES = 8  # with a limit of visits that a tree has room for
COPYING = 1e-6  # seconds that moving a node may take

_gather, _update, _release, _stand, _best_edge = (
    direct(kernel) for kernel in (kernels.gather, kernels.update, kernels.release, stand, best_edge)
)


@dataclass(frozen=True, slots=True)
class Leaves:
    """Positions that wait for their evaluation; they belong to the tree again with its update."""

    states: States  # [leaves, STATE_WORDS]
    batch: Batch

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True, slots=True)
class Standing:
    """How the moves at the root stand."""

    alive: int  # moves that do not certainly lose
    most: int  # visits of the most visited of them
    second: int
    is_agreed: bool  # the most visited move is the one that would be played


class Tree:
    """A graph of positions below a root; `memory` bytes hold it and the spare arrays for moving it."""

    def __init__(self, memory: int, puct: Puct | None = None, most: int = 8) -> None:
        self.root = 0
        self.is_full = False
        self._hold(make_graph(2, 2), make_graph(2, 2))
        self._memory = memory
        self._puct = puct or Puct()
        self._most = most
        self._game: Game | None = None
        self._state: State = np.zeros(STATE_WORDS, STATE)
        self._dropped = 0
        self._inherited = 0
        self._free: list[Batch] = []
        self._work: LeafWork = make_leaf_work()

    @property
    def visits(self) -> int:
        """The visits of the root, its evaluation among them, and those of moves that were refuted."""
        return int(self._visits.item(self.root)) + self._dropped

    @property
    def value(self) -> float:
        """What the root is worth to its side to move."""
        return float(self.graph.nodes["value"][self.root])

    @property
    def num_nodes(self) -> int:
        """How many positions are held."""
        return int(self.graph.used[NODES])

    @property
    def is_expanded(self) -> bool:
        """True once the root has been evaluated."""
        return bool(self.graph.nodes["first"][self.root] >= 0)

    @property
    def is_settled(self) -> bool:
        """True once the root's result is proven, or there is only one move."""
        is_proven = self._lows.item(self.root) == self._highs.item(self.root)
        return bool(is_proven or self._num_edges.item(self.root) == 1)

    def standing(self) -> Standing:
        """How the moves at an expanded root stand."""
        figures = np.empty(4, np.int64)
        _stand(self.graph, self.root, figures)
        alive, most, second, is_agreed = figures.tolist()
        return Standing(alive, most, second, bool(is_agreed))

    def reroot(self, position: Position, seconds: float | None = None, visits: int | None = None) -> None:
        """Make the position the root, with all that is known below it; no leaf may be waiting.

        Where moving the tree might take more than these seconds, what is known is given up instead. A search of few
        visits takes no more memory than it needs.
        """
        if self.graph.used[PENDING] > 0:
            raise ValueError("leaves are waiting for their evaluation")
        if position.game != self._game:
            self._make_graphs(position.game, visits)
        elif self._capacity(position.game, visits) > len(self.graph.nodes):
            self._grow(position.game, visits)
        self._state = state_of(position)
        self._dropped = 0
        self.is_full = False
        before, self.root = self.root, find_node(self.graph, key(self._state))
        if self._is_half_full() and self.root != before:
            self._make_room(seconds)
        if self.root < 0:
            self.root = node_of(self.graph, self._state, self._puct.objective)
        self._open_root()
        self._inherited = self.visits

    def select(self, count: int, visits: int | None = None) -> Leaves:
        """Descend until `count` leaves want evaluation, at most `visits` times, `count` if that is not given.

        Fewer come when descents end in something known, meet a leaf that waits already, or find no room.
        """
        batch = self._free.pop() if self._free else make_batch(self._most + self._puct.collisions)
        count = min(count, self._most)
        made: int = _gather(
            self.graph,
            self.root,
            self._state,
            Bounds(count, min(count if visits is None else visits, MOST_VISITS - self.visits)),
            self._puct,
            batch,
            self._work,
        )
        self.is_full = bool(batch.ends[FULL])
        return Leaves(batch.states[:made], batch)

    def update(self, leaves: Leaves, evaluation: Evaluation) -> None:
        """Expand the leaves and back their values up; EngineError, and nothing done, when these are no numbers."""
        logits = np.ascontiguousarray(evaluation.logits, np.float32)
        value = np.ascontiguousarray(evaluation.value, np.float32)
        if not _update(self.graph, leaves.batch, len(leaves), logits, value):
            raise EngineError("the evaluation is not a number")
        self._free.append(leaves.batch)

    @property
    def best_move(self) -> Move | None:
        """What would be played at an expanded root, None while that was never visited."""
        edge: int = _best_edge(self.graph, self.root)
        return int(self.graph.edges["move"][edge]) if self.graph.edges["visits"][edge] > 0 else None

    def refute(self, move: Move, plies: int) -> None:
        """Note that the opponent wins in so many plies after a move that was visited; its visits count no longer."""
        first = int(self.graph.nodes["first"][self.root])
        opened = self.graph.edges["move"][first : first + int(self.graph.nodes["num_opened"][self.root])]
        edge = first + int(np.flatnonzero(opened == move)[0])
        child = int(self.graph.edges["child"][edge])
        settle(self.graph, child, 1)
        self.graph.nodes["distance"][child] = plies
        self._dropped += int(self.graph.edges["visits"][edge]) - 1
        self.graph.edges["visits"][edge] = 1
        refresh(self.graph, self.root)

    def release(self, leaves: Leaves) -> None:
        """Take leaves back that nobody evaluates."""
        _release(self.graph, leaves.batch, len(leaves))
        self._free.append(leaves.batch)

    def abandon(self, leaves: Leaves) -> None:
        """Take leaves back that somebody still looks at: their memory is not used again."""
        _release(self.graph, leaves.batch, len(leaves))

    def analysis(self, seconds: float) -> Analysis:
        """What is known of an expanded root."""
        return replace(analysis_of(self.graph, self.root, seconds), inherited=self._inherited)

    def show_root(self) -> None:
        """Give every move of an expanded root its edge."""
        self.is_full |= not show_all(self.graph, self.root, self._state, np.empty(NUM_MOVES, np.int16))

    def _hold(self, graph: Graph, spare: Graph) -> None:
        """Have a graph, and spare arrays; what a search asks of the root after each batch is at hand."""
        self.graph, self._spare = graph, spare
        nodes = graph.nodes
        self._visits, self._num_edges = nodes["visits"], nodes["num_edges"]
        self._lows, self._highs = nodes["low"], nodes["high"]

    def _edges_a_node(self, game: Game) -> int:
        return EDGES_A_NODE.get(game.name, min(self._puct.width, game.size**2))

    def _capacity(self, game: Game, visits: int | None) -> int:
        """How many nodes there is to be room for."""
        most = max(LEAST_NODES, self._memory // 2 // (NODE_BYTES + self._edges_a_node(game) * EDGE_BYTES))
        return most if visits is None else min(most, SEARCHES * (visits + FEW_VISITS))

    def _make_graphs(self, game: Game, visits: int | None) -> None:
        nodes = self._capacity(game, visits)
        edges = max(LEAST_EDGES, nodes * self._edges_a_node(game))
        self._hold(make_graph(nodes, edges), make_graph(nodes, edges))
        self._puct = self._puct._replace(objective=game.objective)
        self._game = game

    def _grow(self, game: Game, visits: int | None) -> None:
        """Have room for a search of more visits, and keep what is below the root."""
        small, places = self.graph, np.empty(self.num_nodes, np.int32)
        self._make_graphs(game, visits)
        copy_reachable(small, self.root, self.graph, places)
        self.root = 0

    def _is_half_full(self) -> bool:
        graph = self.graph
        return bool(2 * graph.used[NODES] > len(graph.nodes) or 2 * graph.used[EDGES] > len(graph.edges))

    def _make_room(self, seconds: float | None) -> None:
        """Keep only what is below the root, or nothing when that would take too long."""
        is_slow = seconds is not None and self.root >= 0 and min(self.visits, self.num_nodes) * COPYING > seconds
        if self.root < 0 or is_slow:
            clear(self.graph)
            self.root = -1
            return
        copy_reachable(self.graph, self.root, self._spare, np.empty(self.num_nodes, np.int32))
        self._hold(self._spare, self.graph)
        self.root = 0

    def _open_root(self) -> None:
        """A root has a move to play: forget that it was settled without one, and show all of its moves.

        What was forgotten of a child, when that was the root, is not certain of its parent any more.
        """
        if self.is_expanded:
            self.show_root()
            refresh(self.graph, self.root)
        elif self._state[RESULT] == GOING_ON:
            self.graph.nodes["low"][self.root], self.graph.nodes["high"][self.root] = -1, 1
            self.graph.nodes["visits"][self.root] = 0
