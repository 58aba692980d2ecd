"""What a cycle of a run was like: its games, and its learning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..kernels.layout import SIDE
from .learner import Step
from .samples import Samples


class Learned:
    """The means over the steps of a cycle."""

    def __init__(self) -> None:
        self._steps: list[Step] = []

    def add(self, step: Step) -> None:
        """Take note of a step."""
        self._steps.append(step)

    def summary(self) -> dict[str, object]:
        """The losses by head, and the entropy of the policies learned; empty when nothing was learned."""
        if not self._steps:
            return {}
        names = sorted({name for step in self._steps for name in step.losses})
        losses = {name: _mean([step.losses[name] for step in self._steps if name in step.losses]) for name in names}
        entropy = _mean([step.entropy for step in self._steps])
        return {"steps_made": len(self._steps), "losses": losses, "entropy": entropy}


def results_of(games: Sequence[Samples], seconds: float) -> dict[str, object]:
    """How games went, and how fast they were played."""
    if not games:
        return {}
    rows = sum(len(game) for game in games)
    first = [int(game.outcome[0]) * (1 if game.states[0, SIDE] == 0 else -1) for game in games]
    return {
        "playing_seconds": round(seconds, 2),
        "rows_per_second": round(rows / seconds, 1) if seconds > 0 else 0.0,
        "plies": round(rows / len(games), 2),
        "black_score": _mean([(outcome + 1) / 2 for outcome in first]),
        "draws": _mean([float(outcome == 0) for outcome in first]),
        "surprise": _mean([float(game.surprise.mean()) for game in games]),
    }


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4)
