"""Evaluators that need no weights: rollouts, and the static values of the alpha-beta searches."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np

from ..errors import EngineError
from ..kernels.layout import GOMOKU, KIND, SIZE
from ..kernels.opinion import judge, make_opinion_work, roll_out
from .evaluator import Evaluation, Floats, States
from .inputs import refuse_device

ROLLOUTS = 8


class RolloutEvaluator:
    """Equal priors, and the mean result of some rollouts; the same for a position each time."""

    def __init__(self, game: str | None = None, count: int = ROLLOUTS, seed: int = 1) -> None:
        self._game = game
        self._count = count
        self._seed = seed
        self._work = make_opinion_work()
        self._lock = threading.Lock()

    @classmethod
    def load(
        cls, path: Path | None, game: str, *, sha256: str | None = None, device: str = "auto", threads: int = 1
    ) -> RolloutEvaluator:
        """The evaluator for a game; EngineError when it is given weights or another device."""
        _refuse_weights("rollout", path)
        refuse_device("rollout", device)
        return cls(game)

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch."""
        logits = np.zeros((len(states), _num_moves(states, self._game)), np.float32)
        values = np.empty((len(states), 2), np.float32)
        with self._lock:
            roll_out(states, self._count, self._seed, self._work, values)
        value, draw = values.T.copy()
        return Evaluation(logits, value, draw)


class PatternsEvaluator:
    """What alpha-beta thinks of a position at its horizon, and of each move at first sight."""

    def __init__(self, game: str | None = None) -> None:
        self._game = game
        self._work = make_opinion_work()
        self._lock = threading.Lock()

    @classmethod
    def load(
        cls, path: Path | None, game: str, *, sha256: str | None = None, device: str = "auto", threads: int = 1
    ) -> PatternsEvaluator:
        """The evaluator for a game; EngineError when it is given weights or another device."""
        _refuse_weights("patterns", path)
        refuse_device("patterns", device)
        return cls(game)

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch."""
        logits = np.empty((len(states), _num_moves(states, self._game)), np.float32)
        value: Floats = np.empty(len(states), np.float32)
        with self._lock:
            judge(states, self._work, logits, value)
        return Evaluation(logits, value, np.zeros(len(states), np.float32))


def _refuse_weights(evaluator: str, path: Path | None) -> None:
    if path is not None:
        raise EngineError(f"the {evaluator} evaluator takes no weights")


def _num_moves(states: States, game: str | None) -> int:
    """The length of a policy; EngineError for another game."""
    kinds, sizes = states[:, KIND], states[:, SIZE]
    if (kinds != kinds[0]).any() or (sizes != sizes[0]).any():
        raise ValueError("the states of a batch are of different games or sizes")
    found = "gomoku" if kinds[0] == GOMOKU else "othello"
    if game not in (None, found):
        raise EngineError(f"the evaluator is for {game}, not {found}")
    return int(sizes[0]) ** 2 + (found == "othello")
