"""How a search has the leaves of its tree evaluated: batch by batch, or one batch while the next is gathered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Condition, Lock
from typing import Protocol

from ..evaluators.ahead import Begin, Collect
from ..evaluators.evaluator import Evaluation, Evaluator
from .aside import begin_aside
from .tree import Leaves, Tree

SETTLED = 16  # visits made for each leaf of a batch at most, where many end in something known
PATIENCE = 0.001  # seconds that a thread without leaves waits for those of another


class Steps(Protocol):
    """The steps of one search."""

    @property
    def under_way(self) -> int:
        """Leaves that are being evaluated."""

    def step(self, count: int, visits: int) -> None:
        """Gather so many leaves at most and have them evaluated; whatever is raised leaves nothing in flight."""

    def finish(self) -> None:
        """Wait for what is under way; nothing is in flight afterwards."""


class InTurn:
    """The tree waits for each batch: what it chooses next knows of everything before."""

    under_way = 0

    def __init__(self, tree: Tree, evaluator: Evaluator) -> None:
        self._tree = tree
        self._evaluator = evaluator

    def step(self, count: int, visits: int) -> None:
        """Evaluate one batch."""
        leaves = self._tree.select(count, visits)
        _settle(self._tree, leaves, lambda: self._evaluator.evaluate(leaves.states))

    def finish(self) -> None:
        """Nothing is under way between two steps."""


class Ahead:
    """The next leaves are gathered while a device evaluates the last ones.

    What is done, and in which order, does not depend on how long anything takes. On a processor a thread that evaluates
    meanwhile gains nothing: what it takes from the tree's thread and its cache is as much.
    """

    def __init__(self, tree: Tree, begin: Begin) -> None:
        self._tree = tree
        self._begin = begin
        self._waiting: tuple[Leaves, Collect] | None = None

    @property
    def under_way(self) -> int:
        """Leaves that are being evaluated."""
        return 0 if self._waiting is None else len(self._waiting[0])

    def step(self, count: int, visits: int) -> None:
        """Begin with one batch and take the evaluation of the one before."""
        leaves = self._tree.select(count, visits)
        before, self._waiting = self._waiting, None
        if len(leaves) > 0:
            self._waiting = leaves, self._begin(leaves.states)
        else:
            self._tree.release(leaves)
        self._take(before)

    def finish(self) -> None:
        """Take what is under way."""
        before, self._waiting = self._waiting, None
        self._take(before)

    def _take(self, waiting: tuple[Leaves, Collect] | None) -> None:
        if waiting is not None:
            _settle(self._tree, *waiting)


class Helped:
    """Helpers grow the tree beside the search, in threads: each gathers its own leaves and evaluates them.

    Whoever holds the lock has the tree to itself. The search's thread has it all the time but for its evaluations, so
    that nothing else in it needs to know of helpers. They are not waited for: what they have under way when the search
    ends goes back to the tree, and what is said of it is dropped.
    """

    under_way = 0

    def __init__(self, tree: Tree, evaluator: Evaluator, helpers: int, wanted: Callable[[], int]) -> None:
        """`wanted` tells how many leaves a helper is to gather; the evaluator may be asked by many threads."""
        self._tree = tree
        self._evaluator = evaluator
        self._wanted = wanted
        self._lock = Lock()
        self._changed = Condition(self._lock)
        self._is_over = False
        self._out: dict[int, Leaves] = {}  # what helpers have under way
        self._lock.acquire()
        self._has_ended = [begin_aside(partial(self._help, number)) for number in range(helpers)]

    def step(self, count: int, visits: int) -> None:
        """Evaluate one batch; what a helper raised is raised here."""
        self._has_ended = [has_ended for has_ended in self._has_ended if not has_ended(0.0)]
        leaves = self._tree.select(count, visits)
        _settle(self._tree, leaves, lambda: self._evaluate_apart(leaves))
        if len(leaves) == 0 and self._out:
            self._changed.wait(PATIENCE)

    def finish(self) -> None:
        """Take back what helpers have under way."""
        self._is_over = True
        for leaves in self._out.values():
            self._tree.abandon(leaves)
        self._lock.release()

    def _evaluate_apart(self, leaves: Leaves) -> Evaluation:
        self._lock.release()
        try:
            return self._evaluator.evaluate(leaves.states)
        finally:
            self._lock.acquire()

    def _help(self, number: int) -> None:
        while (leaves := self._gathered(number)) is not None:
            evaluation = None
            try:
                evaluation = self._evaluator.evaluate(leaves.states)
            finally:
                self._give(number, evaluation)

    def _gathered(self, number: int) -> Leaves | None:
        """Leaves for a helper, None once there will be no more."""
        with self._lock:
            while not (self._is_over or self._tree.is_settled or self._tree.is_full):
                count = self._wanted()
                leaves = self._tree.select(count, SETTLED * count)
                if len(leaves) > 0:
                    self._out[number] = leaves
                    return leaves
                self._tree.release(leaves)
                self._changed.wait(PATIENCE)
        return None

    def _give(self, number: int, evaluation: Evaluation | None) -> None:
        """Give a helper's leaves their evaluation, unless the search is over; those that have none go back."""
        with self._lock:
            if self._is_over:
                return
            leaves = self._out.pop(number)
            self._changed.notify()
            if evaluation is None:
                self._tree.release(leaves)
            else:
                _settle(self._tree, leaves, lambda: evaluation)


def _settle(tree: Tree, leaves: Leaves, collect: Collect) -> None:
    """Give leaves their evaluation; those that have none go back to the tree."""
    is_done = False
    try:
        if len(leaves) > 0:
            tree.update(leaves, collect())
            is_done = True
    finally:
        if not is_done:
            tree.release(leaves)
