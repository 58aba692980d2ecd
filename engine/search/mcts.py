"""Batched tree search: the loop that has the leaves of a tree evaluated until a move can be chosen."""

from __future__ import annotations

import math
from typing import Protocol

from ..evaluators.ahead import begin_of
from ..evaluators.evaluator import Evaluator
from ..games.game import Move, Position
from ..kernels.puct import Puct
from ..kernels.vectors import LANES
from .analysis import Choice, Reporter, ignore
from .steps import SETTLED, Ahead, Helped, InTurn, Steps
from .stopper import Stopper
from .tree import Tree

MEGABYTE = 1 << 20
BATCH = 8
# Leaves of a batch while the tree is small, for the root of its visits: they are chosen without knowing of each other.
# Where only time is the limit more are taken by kernels with more lanes: empty ones take as long as full ones.
RAMP, TIMED_RAMP = 0.5, LANES / 16
MOVING = 0.2  # of the time left, for moving the tree
AHEAD_FROM = 512  # visits of a tree in which leaves that know nothing of a batch under way are still well chosen
HELPED_FROM = 128  # visits from which on there are as many leaves for each helper
LOOK = 4  # batches, after which the search looks whether the move can still change
# When the time that is saved can be used later: how much of it must be spent before the search may end, and what share
# of the visits to come the second best move would need to catch up.
LEAST_SHARE, CATCHING_UP = 0.1, 1 / 1.33
CLOSE, DROP = 1.3, 0.1  # the search wants more time when the visits are this close, or the value fell by so much


class Guard(Protocol):
    """Knows of refutations that a tree does not see."""

    def refutation(self, position: Position, move: Move, stopper: Stopper, visits: int) -> int:
        """The plies of the opponent's proven win after a move, 0 where none is found or no look is due."""


class Search:
    """Chooses moves by a tree whose leaves an evaluator sees in batches; the tree is kept from move to move."""

    def __init__(
        self,
        evaluator: Evaluator,
        memory: int,
        batch: int = BATCH,
        puct: Puct | None = None,
        root_evaluator: Evaluator | None = None,
        pace: float = 0.0,
        guard: Guard | None = None,
        visits: int = 0,
        helpers: int = 0,
    ) -> None:
        """`pace` is the seconds that an evaluation takes for each leaf; a root may have an evaluator of its own.

        Where no search has more than so many `visits`, less memory suffices; 0 is no limit. `helpers` are threads
        that work beside the search where visits are not counted: what they do depends on chance.
        """
        self.tree = Tree(memory, puct, batch)
        self._evaluator = evaluator
        self._root_evaluator = root_evaluator or evaluator
        self._batch = batch
        self._pace = pace
        self._guard = guard
        self._visits = visits
        self._helpers = helpers
        self._begin = begin_of(evaluator)
        self._last_value = 0.0

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Search until the stopper stops it, the root is settled or memory is spent; the root is always evaluated."""
        moving = None if stopper.seconds is None else MOVING * (stopper.seconds - stopper.elapsed)
        few = self._visits > 0 and stopper.limits.visits is not None  # memory is taken before a clock runs
        self.tree.reroot(position, moving, max(self._visits, stopper.limits.visits or 0) if few else None)
        if not self.tree.is_expanded:
            InTurn(self.tree, self._root_evaluator).step(1, 1)
            self.tree.show_root()
        self._search(position, stopper, report)
        self._last_value = self.tree.value
        analysis = self.tree.analysis(stopper.elapsed)
        return Choice(analysis.best.move, analysis)

    def _search(self, position: Position, stopper: Stopper, report: Reporter) -> None:
        begun, visits, number = stopper.elapsed, self.tree.visits, 0
        steps: Steps = InTurn(self.tree, self._evaluator)
        try:
            while not self.tree.is_settled and not self.tree.is_full and self._may_go_on(stopper):
                steps = self._steps(steps, stopper)
                count = self._count(stopper, steps.under_way)
                steps.step(count, stopper.visits_left(self.tree.visits, SETTLED * count))
                report(lambda: self.tree.analysis(stopper.elapsed))
                number += 1
                if number % LOOK or self._is_refuted(position, stopper):
                    continue
                if self._cannot_change(stopper, stopper.elapsed - begun, self.tree.visits - visits):
                    break
        finally:
            steps.finish()

    def _steps(self, steps: Steps, stopper: Stopper) -> Steps:
        """How to go on: ahead of a device, or with helpers, once the tree is large.

        Not where visits are counted, which are the same everywhere.
        """
        if stopper.limits.visits is not None or not isinstance(steps, InTurn):
            return steps
        if self._begin is not None:
            return Ahead(self.tree, self._begin) if self.tree.visits >= AHEAD_FROM else steps
        if self._helpers > 0 and self.tree.visits >= HELPED_FROM:
            return Helped(self.tree, self._evaluator, self._helpers, lambda: self._count(stopper, 0))
        return steps

    def _may_go_on(self, stopper: Stopper) -> bool:
        if not stopper.should_stop(self.tree.visits):
            return True
        return self._is_unstable() and stopper.extend() and not stopper.should_stop(self.tree.visits)

    def _is_unstable(self) -> bool:
        standing = self.tree.standing()
        is_close = standing.most < CLOSE * standing.second
        return is_close or not standing.is_agreed or self.tree.value < self._last_value - DROP

    def _cannot_change(self, stopper: Stopper, seconds: float, visits: int) -> bool:
        """True when the time that is left cannot change the move, or would be better spent on the next one."""
        if stopper.seconds is None:
            return False
        standing = self.tree.standing()
        if standing.alive <= 1:
            return True
        if not stopper.is_saving or stopper.share_spent < LEAST_SHARE:
            return False
        to_come = (stopper.seconds - stopper.elapsed) * visits / max(seconds, 1e-6)
        return standing.is_agreed and standing.most - standing.second > CATCHING_UP * to_come

    def _is_refuted(self, position: Position, stopper: Stopper) -> bool:
        """True when the move that would be played was found to lose; the tree knows it then."""
        move = self.tree.best_move
        if self._guard is None or move is None:
            return False
        plies = self._guard.refutation(position, move, stopper, self.tree.visits)
        if plies > 0:
            self.tree.refute(move, plies)
        return plies > 0

    def _count(self, stopper: Stopper, under_way: int) -> int:
        """How many leaves to gather: few while the tree is small, lest they be chosen blindly, or time is short."""
        is_timed = stopper.seconds is not None and stopper.limits.visits is None
        ramp = TIMED_RAMP if is_timed else RAMP
        count = max(1, min(self._batch, int(math.sqrt(self.tree.visits) * ramp)))
        count -= count % LANES if count > LANES else 0  # as many as kernels take side by side
        if stopper.seconds is None or self._pace * count == 0.0:
            return count
        return max(1, min(count, int((stopper.seconds - stopper.elapsed) / self._pace) - under_way))
