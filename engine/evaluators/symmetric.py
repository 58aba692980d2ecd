"""Evaluators that look at the board from its other sides."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from ..games.symmetry import SYMMETRIES, permutation
from ..kernels.batches import turn, turn_back
from ..kernels.layout import SIZE
from .evaluator import Evaluation, Evaluator, Floats, States

Symmetries = npt.NDArray[np.int64]  # [batch]


class TurnedEvaluator:
    """Shows every position to the evaluator through one random symmetry."""

    def __init__(self, evaluator: Evaluator, rng: np.random.Generator) -> None:
        self._evaluator = evaluator
        self._rng = rng

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch, as seen from here."""
        symmetries = self._rng.integers(len(SYMMETRIES), size=len(states))
        return _evaluate_through(self._evaluator, states, symmetries)


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
    size = int(states[0, SIZE])
    goals = _goals(size)
    turned = np.empty_like(states)
    turn(states, symmetries, goals, turned)
    seen = evaluator.evaluate(turned)
    logits = np.empty(seen.logits.shape, np.float32)
    turn_back(np.ascontiguousarray(seen.logits), symmetries, goals, logits)
    return Evaluation(logits, seen.value, seen.draw)


@cache
def _goals(size: int) -> npt.NDArray[np.int16]:
    """Where each point goes, [symmetry, point]."""
    return np.array([permutation(size, symmetry) for symmetry in SYMMETRIES], np.int16)


def _means(values: Floats, views: int) -> Floats:
    means: Floats = values.reshape(-1, views, *values.shape[1:]).mean(axis=1)
    return means
