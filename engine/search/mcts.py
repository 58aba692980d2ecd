"""Batched tree search: a tree that never evaluates, and the loop that has its leaves evaluated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..errors import EngineError
from ..evaluators.evaluator import Evaluation, Evaluator, States
from ..games.game import Game, Position
from ..kernels import puct as kernels
from ..kernels.board import key
from ..kernels.graph import EDGE_BYTES, EDGES, NODE_BYTES, NODES, PENDING, Graph, clear, find_node, make_graph
from ..kernels.graph_copy import copy_reachable
from ..kernels.layout import STATE, STATE_WORDS
from ..kernels.puct import FULL, Batch, Puct, make_batch
from .analysis import Analysis, Choice, Reporter, ignore
from .graph_analysis import analysis_of
from .states import State, state_of
from .stopper import Stopper

MEGABYTE = 1 << 20
BATCH = 8
SETTLED = 16  # visits made for each leaf of a batch at most, where many end in something known
MOST_VISITS = 2**31 - 1  # what a node can count
EDGES_A_NODE = {"othello": 12}  # legal moves, roughly; in Gomoku every point
LEAST_NODES, LEAST_EDGES = 64, 4096


@dataclass(frozen=True, slots=True)
class Leaves:
    """Positions that wait for their evaluation; they belong to the tree again with its update."""

    states: States  # [leaves, STATE_WORDS]
    batch: Batch

    def __len__(self) -> int:
        return len(self.states)


class Tree:
    """A graph of positions below a root; `memory` bytes hold it and the spare arrays for moving it."""

    def __init__(self, memory: int, puct: Puct | None = None, most: int = BATCH) -> None:
        self.graph: Graph = make_graph(2, 2)
        self.root = 0
        self.is_full = False
        self._spare = self.graph
        self._memory = memory
        self._puct = puct or Puct()
        self._most = most
        self._game: Game | None = None
        self._state: State = np.zeros(STATE_WORDS, STATE)
        self._free: list[Batch] = []
        self._ends = np.zeros(4, np.int64)

    @property
    def visits(self) -> int:
        """The visits of the root, its evaluation among them."""
        return int(self.graph.visits[self.root])

    @property
    def num_nodes(self) -> int:
        """How many positions are held."""
        return int(self.graph.used[NODES])

    @property
    def is_expanded(self) -> bool:
        """True once the root has been evaluated."""
        return bool(self.graph.first[self.root] >= 0)

    @property
    def is_settled(self) -> bool:
        """True once the root's result is proven, or there is only one move."""
        is_proven = self.graph.low[self.root] == self.graph.high[self.root]
        return bool(is_proven or self.graph.num_edges[self.root] == 1)

    def reroot(self, position: Position) -> None:
        """Make the position the root, with all that is known below it; no leaf may be waiting."""
        if self.graph.used[PENDING] > 0:
            raise ValueError("leaves are waiting for their evaluation")
        if position.game != self._game:
            self._make_graphs(position.game)
        self._state = state_of(position)
        self.is_full = False
        self.root = find_node(self.graph, key(self._state))
        if self._is_half_full():
            self._move_into_spare()
        if self.root < 0:
            self.root = kernels.node_of(self.graph, self._state, self._puct.objective)

    def select(self, count: int, visits: int | None = None) -> Leaves:
        """Descend until `count` leaves want evaluation, at most `visits` times, `count` if that is not given.

        Fewer come when descents end in something known, meet a leaf that waits already, or find no room.
        """
        batch = self._free.pop() if self._free else make_batch(self._most + self._puct.collisions)
        count = min(count, self._most)
        self._ends[:] = 0
        made = kernels.gather(
            self.graph,
            self.root,
            self._state,
            count,
            min(count if visits is None else visits, MOST_VISITS - self.visits),
            self._puct,
            batch,
            self._ends,
        )
        self.is_full = bool(self._ends[FULL])
        return Leaves(batch.states[:made], batch)

    def update(self, leaves: Leaves, evaluation: Evaluation) -> None:
        """Expand the leaves and back their values up; EngineError, and nothing done, when these are no numbers."""
        logits = np.ascontiguousarray(evaluation.logits, np.float32)
        value = np.ascontiguousarray(evaluation.value, np.float32)
        if not kernels.are_numbers(logits, value):
            raise EngineError("the evaluation is not a number")
        kernels.update(self.graph, leaves.batch, len(leaves), logits, value)
        self._free.append(leaves.batch)

    def release(self, leaves: Leaves) -> None:
        """Take leaves back that nobody evaluates."""
        kernels.release(self.graph, leaves.batch, len(leaves))
        self._free.append(leaves.batch)

    def analysis(self, seconds: float) -> Analysis:
        """What is known of an expanded root."""
        return analysis_of(self.graph, self.root, seconds)

    def _make_graphs(self, game: Game) -> None:
        edges_a_node = EDGES_A_NODE.get(game.name, game.size**2)
        nodes = max(LEAST_NODES, self._memory // 2 // (NODE_BYTES + edges_a_node * EDGE_BYTES))
        edges = max(LEAST_EDGES, nodes * edges_a_node)
        self.graph, self._spare = make_graph(nodes, edges), make_graph(nodes, edges)
        self._puct = self._puct._replace(objective=game.objective)
        self._game = game

    def _is_half_full(self) -> bool:
        graph = self.graph
        return bool(2 * graph.used[NODES] > len(graph.key) or 2 * graph.used[EDGES] > len(graph.move))

    def _move_into_spare(self) -> None:
        """Keep only what is below the root."""
        if self.root < 0:
            clear(self.graph)
            return
        copy_reachable(self.graph, self.root, self._spare, np.empty(self.num_nodes, np.int32))
        self.graph, self._spare, self.root = self._spare, self.graph, 0


class Search:
    """Chooses moves by a tree whose leaves an evaluator sees in batches; the tree is kept from move to move."""

    def __init__(self, evaluator: Evaluator, memory: int, batch: int = BATCH, puct: Puct | None = None) -> None:
        self.tree = Tree(memory, puct, batch)
        self._evaluator = evaluator
        self._batch = batch

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Search until the stopper stops it, the root is settled or memory is spent; the root is always evaluated."""
        self.tree.reroot(position)
        if not self.tree.is_expanded:
            self._step(1, 1)
        while not self.tree.is_settled and not self.tree.is_full and not stopper.should_stop(self.tree.visits):
            count = self._count()
            self._step(count, stopper.visits_left(self.tree.visits, SETTLED * count))
            report(lambda: self.tree.analysis(stopper.elapsed))
        analysis = self.tree.analysis(stopper.elapsed)
        return Choice(analysis.best.move, analysis)

    def _count(self) -> int:
        """How many leaves to gather: few while the tree is small, lest they be chosen blindly."""
        return max(1, min(self._batch, int(math.sqrt(self.tree.visits) / 2)))

    def _step(self, count: int, visits: int) -> None:
        """Evaluate one batch; whatever is raised on the way leaves nothing in flight."""
        leaves, is_done = self.tree.select(count, visits), False
        try:
            if len(leaves) > 0:
                self.tree.update(leaves, self._evaluator.evaluate(leaves.states))
                is_done = True
        finally:
            if not is_done:
                self.tree.release(leaves)
