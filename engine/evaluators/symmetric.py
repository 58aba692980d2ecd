"""Evaluators that look at the board from its other sides."""

from __future__ import annotations

import numpy as np

from ..games.symmetry import SYMMETRIES
from .ahead import Beginning, Collect
from .evaluator import Evaluation, Evaluator, Floats, States
from .views import Symmetries, begin_through, views_of

DRAWN = 4096  # symmetries at a time


class TurnedEvaluator:
    """Shows every position to the evaluator through one random symmetry."""

    def __init__(self, evaluator: Evaluator, rng: np.random.Generator) -> None:
        self._evaluate_through = views_of(evaluator)
        self._rng = rng
        self._drawn: Symmetries = np.zeros(0, np.int64)  # ahead of their use: many cost little more than one

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch, as seen from here."""
        return self._evaluate_through(states, self._draw(len(states)))

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
        return begin_through(self._beginning.begin, states, self._draw(len(states)))


def turned(evaluator: Evaluator, rng: np.random.Generator) -> TurnedEvaluator:
    """The evaluator through random symmetries, begun ahead where that has a use."""
    if isinstance(evaluator, Beginning) and evaluator.works_aside:
        return TurnedBeginner(evaluator, evaluator, rng)
    return TurnedEvaluator(evaluator, rng)


class AveragedEvaluator:
    """Averages what the evaluator says of a position's eight views: logits, values and draws alike."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluate_through = views_of(evaluator)

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch, eight times as dear."""
        views = len(SYMMETRIES)
        symmetries = np.tile(np.arange(views), len(states))
        each = self._evaluate_through(states.repeat(views, axis=0), symmetries)
        return Evaluation(_means(each.logits, views), _means(each.value, views), _means(each.draw, views))


def _means(values: Floats, views: int) -> Floats:
    means: Floats = values.reshape(-1, views, *values.shape[1:]).mean(axis=1)
    return means
