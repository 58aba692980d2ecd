"""Moves chosen with few visits: the Gumbel root on one position, without chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import EngineError
from ..evaluators.evaluator import Evaluator
from ..games.game import Game, Position
from ..kernels import lockstep
from ..kernels.gather import are_numbers
from ..kernels.graph import EDGE_BYTES, NODE_BYTES, Graph, clear, make_graph
from ..kernels.gumbel import Gumbel, chosen_edge, forget, make_plans, make_roots
from ..kernels.leaf import make_leaf_work
from ..kernels.puct import Puct, node_of
from ..kernels.rng import make_rng
from .analysis import Analysis, Choice, Reporter, ignore
from .graph_analysis import analysis_of
from .states import state_of
from .stopper import Stopper

MEGABYTE = 1 << 20
BUDGET = (16, 64)  # moves tried, and visits


class GumbelSearch:
    """Chooses by a fixed number of visits, shared out by sequential halving and evaluated round by round."""

    def __init__(
        self,
        evaluator: Evaluator,
        budget: tuple[int, int] = BUDGET,
        memory: int = 16 * MEGABYTE,
        puct: Puct | None = None,
        gumbel: Gumbel | None = None,
        seed: int = 0,
    ) -> None:
        self._evaluator = evaluator
        self._budget = budget
        self._memory = memory
        self._manner = lockstep.Manner(puct or Puct(), gumbel or Gumbel(noise=0.0))
        self._rng = make_rng(seed)
        self._plans = make_plans(budget)
        self._rows = lockstep.make_rows(budget[0])
        self._work = make_leaf_work()
        self._game: Game | None = None
        self._graph: Graph = make_graph(2, 2)
        self._roots = make_roots(1, 1)

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Search until the visits are made, the root is proven or the stopper stops it; a root is always evaluated."""
        self._set_root(position)
        while self._step() and not (self._is_expanded and stopper.should_stop(int(self._roots.made[0]))):
            if self._is_expanded:
                report(lambda: self._analysis(stopper.elapsed))
        analysis = self._analysis(stopper.elapsed)
        return Choice(analysis.best.move, analysis)

    @property
    def _is_expanded(self) -> bool:
        return bool(self._graph.nodes["first"][self._roots.nodes[0]] >= 0 and self._roots.made[0] >= 0)

    def _set_root(self, position: Position) -> None:
        """Begin with an empty graph: few visits fill it fast, and leave little to keep."""
        game = position.game
        if game != self._game:
            self._make_arrays(game)
        clear(self._graph)
        self._roots.states[0] = state_of(position)
        forget(self._roots, 0)
        self._roots.nodes[0] = node_of(self._graph, self._roots.states[0], game.objective)

    def _make_arrays(self, game: Game) -> None:
        nodes = max(2 * self._budget[1], self._memory // (NODE_BYTES + game.num_moves * EDGE_BYTES))
        self._graph, self._roots = make_graph(nodes, nodes * game.num_moves), make_roots(1, game.num_moves)
        self._manner = self._manner._replace(puct=self._manner.puct._replace(objective=game.objective))
        self._game = game

    def _step(self) -> bool:
        """Make one round; False when there is none left."""
        status = lockstep.advance(
            self._graph, self._roots, 0, self._plans, self._manner, self._rows, self._work, self._rng
        )
        count = int(self._rows.filled[lockstep.LEAVES])
        if count > 0:
            self._evaluate(count)
        return status not in (lockstep.DONE, lockstep.FULL, lockstep.KNOWN)

    def _evaluate(self, count: int) -> None:
        """Have the leaves evaluated; whatever is raised on the way leaves nothing in flight."""
        try:
            evaluation = self._evaluator.evaluate(self._rows.batch.states[:count])
            logits = np.ascontiguousarray(evaluation.logits, np.float32)
            value = np.ascontiguousarray(evaluation.value, np.float32)
            if not are_numbers(logits, value):
                raise EngineError("the evaluation is not a number")
            lockstep.update(self._graph, self._rows, logits, value)
        finally:
            lockstep.release(self._graph, self._rows)

    def _analysis(self, seconds: float) -> Analysis:
        """What is known, the chosen move first."""
        node = int(self._roots.nodes[0])
        analysis = analysis_of(self._graph, node, seconds)
        move = int(self._graph.edges["move"][chosen_edge(self._graph, self._roots, 0, self._manner.gumbel)])
        chosen = [candidate for candidate in analysis.candidates if candidate.move == move]
        others = [candidate for candidate in analysis.candidates if candidate.move != move]
        return replace(analysis, candidates=(*chosen, *others))
