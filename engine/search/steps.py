"""How a search has the leaves of its tree evaluated: batch by batch, or one batch while the next is gathered."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from ..evaluators.ahead import Collect, begin_of
from ..evaluators.evaluator import Evaluator, States
from .tree import Leaves, Tree


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
    """The next leaves are gathered while the last ones are evaluated, by a device or by a thread of its own.

    What is done, and in which order, does not depend on how long anything takes.
    """

    def __init__(self, tree: Tree, evaluator: Evaluator) -> None:
        self._tree = tree
        self._thread: ThreadPoolExecutor | None = None
        self._begin = begin_of(evaluator) or self._by_thread(evaluator)
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
        """Take what is under way, and end the thread."""
        before, self._waiting = self._waiting, None
        try:
            self._take(before)
        finally:
            if self._thread is not None:
                self._thread.shutdown()

    def _take(self, waiting: tuple[Leaves, Collect] | None) -> None:
        if waiting is not None:
            _settle(self._tree, *waiting)

    def _by_thread(self, evaluator: Evaluator) -> Callable[[States], Collect]:
        thread = self._thread = ThreadPoolExecutor(1, "ahead")
        return lambda states: thread.submit(evaluator.evaluate, states).result


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
