"""How a search has the leaves of its tree evaluated: batch by batch, or one batch while the next is gathered."""

from __future__ import annotations

from typing import Protocol

from ..evaluators.ahead import Begin, Collect
from ..evaluators.evaluator import Evaluator
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
