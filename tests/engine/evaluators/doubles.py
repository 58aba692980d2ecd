"""Evaluators for tests of the wrappers."""

import threading

import numpy as np

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluation, Floats, States
from extremum.engine.kernels.layout import GOMOKU, KIND, OBJECTIVE, SIZE


class StoneEvaluator:
    """Says something different of every state, and records the batches it was shown."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self._lock = threading.Lock()

    def evaluate(self, states: States) -> Evaluation:
        assert len({(int(kind), int(size)) for kind, size in states[:, (KIND, SIZE)]}) == 1
        assert self._lock.acquire(blocking=False), "two evaluations at once"
        self.batches.append(len(states))
        value = stone_values(states)
        num_moves = int(states[0, SIZE]) ** 2 + (states[0, KIND] != GOMOKU)
        logits = value[:, None] + np.arange(num_moves, dtype=np.float32)
        self._lock.release()
        return Evaluation(logits, value, np.abs(value) * np.float32(0.5))


class MisereRefusing(StoneEvaluator):
    """Refuses a batch with a misère position."""

    def evaluate(self, states: States) -> Evaluation:
        if states[:, OBJECTIVE].any():
            raise EngineError("no misère")
        return super().evaluate(states)


def stone_values(states: States) -> Floats:
    weights = np.random.default_rng(3).random(states.shape[1])
    values: Floats = np.sin((states % 1009) @ weights).astype(np.float32)
    return values
