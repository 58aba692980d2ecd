"""Evaluators that look at the board from its other sides."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from ..games.symmetry import SYMMETRIES, permutation
from ..kernels import batches
from ..kernels.direct import direct
from ..kernels.layout import SIZE
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
        drawn = self._drawn
        if len(drawn) < len(states):
            drawn = self._rng.integers(len(SYMMETRIES), size=max(DRAWN, len(states)))
        self._drawn = drawn[len(states) :]
        return _evaluate_through(self._evaluator, states, drawn[: len(states)])


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
    turned = np.empty(states.shape, np.uint64)
    _turn(np.ascontiguousarray(states), symmetries, goals, turned)
    seen = evaluator.evaluate(turned)
    logits = np.empty(seen.logits.shape, np.float32)
    _turn_back(np.ascontiguousarray(seen.logits, np.float32), symmetries, goals, logits)
    return Evaluation(logits, seen.value, seen.draw)


@cache
def _goals(size: int) -> npt.NDArray[np.int16]:
    """Where each point goes, [symmetry, point]."""
    return np.array([permutation(size, symmetry) for symmetry in SYMMETRIES], np.int16)


def _means(values: Floats, views: int) -> Floats:
    means: Floats = values.reshape(-1, views, *values.shape[1:]).mean(axis=1)
    return means
