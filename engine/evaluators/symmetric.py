"""Evaluators that look at the board from its other sides."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from ..games.symmetry import SYMMETRIES, permutation
from ..kernels import batches
from ..kernels.direct import direct
from ..kernels.layout import SIZE
from .ahead import Beginning, Collect
from .evaluator import Evaluation, Evaluator, Floats, States

Symmetries = npt.NDArray[np.int64]  # [batch]
DRAWN = 4096  # symmetries at a time

_turn, _turn_back = direct(batches.turn), direct(batches.turn_back)


class TurnedEvaluator:
    """Shows every position to the evaluator through one random symmetry."""

    def __init__(self, evaluator: Evaluator, rng: np.random.Generator) -> None:
        self._evaluator = evaluator
        self._rng = rng
        self._drawn: Symmetries = np.zeros(0, np.int64)  # ahead of their use: many cost little more than one

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch, as seen from here."""
        return _evaluate_through(self._evaluator, states, self._draw(len(states)))

    def _draw(self, count: int) -> Symmetries:
        drawn = self._drawn
        if len(drawn) < count:
            drawn = self._rng.integers(len(SYMMETRIES), size=max(DRAWN, count))
        self._drawn = drawn[count:]
        return drawn[:count]


class TurnedBeginner(TurnedEvaluator):
    """The same for an evaluator whose device works while its caller does something else."""

    works_aside = True

    def __init__(self, beginning: Beginning, evaluator: Evaluator, rng: np.random.Generator) -> None:
        super().__init__(evaluator, rng)
        self._beginning = beginning

    def begin(self, states: States) -> Collect:
        """Start on a batch."""
        symmetries = self._draw(len(states))
        seen = self._beginning.begin(_turned(states, symmetries))
        return lambda: _turned_back(seen(), int(states[0, SIZE]), symmetries)


def turned(evaluator: Evaluator, rng: np.random.Generator) -> TurnedEvaluator:
    """The evaluator through random symmetries, begun ahead where that has a use."""
    if isinstance(evaluator, Beginning) and evaluator.works_aside:
        return TurnedBeginner(evaluator, evaluator, rng)
    return TurnedEvaluator(evaluator, rng)


class AveragedEvaluator:
    """Averages what the evaluator says of a position's eight views: logits, values and draws alike."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch, eight times as dear."""
        views = len(SYMMETRIES)
        symmetries = np.tile(np.arange(views), len(states))
        each = _evaluate_through(self._evaluator, states.repeat(views, axis=0), symmetries)
        return Evaluation(_means(each.logits, views), _means(each.value, views), _means(each.draw, views))


def _evaluate_through(evaluator: Evaluator, states: States, symmetries: Symmetries) -> Evaluation:
    seen = evaluator.evaluate(_turned(states, symmetries))
    return _turned_back(seen, int(states[0, SIZE]), symmetries)


def _turned(states: States, symmetries: Symmetries) -> States:
    """The states as the evaluator sees them."""
    views = np.empty(states.shape, np.uint64)
    _turn(np.ascontiguousarray(states), symmetries, _goals(int(states[0, SIZE])), views)
    return views


def _turned_back(seen: Evaluation, size: int, symmetries: Symmetries) -> Evaluation:
    logits = np.empty(seen.logits.shape, np.float32)
    _turn_back(np.ascontiguousarray(seen.logits, np.float32), symmetries, _goals(size), logits)
    return Evaluation(logits, seen.value, seen.draw)


@cache
def _goals(size: int) -> npt.NDArray[np.int16]:
    """Where each point goes, [symmetry, point]."""
    return np.array([permutation(size, symmetry) for symmetry in SYMMETRIES], np.int16)


def _means(values: Floats, views: int) -> Floats:
    means: Floats = values.reshape(-1, views, *values.shape[1:]).mean(axis=1)
    return means
