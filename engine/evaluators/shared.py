"""Evaluators that many sessions share: each is opened once, and the batches of all who use it are joined."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..games.game import Game
from .batched import BatchedEvaluator
from .wishes import open_evaluator

if TYPE_CHECKING:
    from ..options import Options
    from .evaluator import Evaluator


class SharedEvaluators:
    """Opens evaluators for the sessions of one process; many threads may ask."""

    def __init__(self) -> None:
        self._opened: dict[tuple[object, ...], Evaluator] = {}
        self._lock = threading.Lock()

    def open(self, options: Options, game: Game) -> Evaluator:
        """The evaluator that the options ask for; EngineError when it cannot be had."""
        wish = (game, options.evaluator, options.weights, options.device, options.threads)
        with self._lock:
            if wish not in self._opened:
                self._opened[wish] = BatchedEvaluator(open_evaluator(options, game))
            return self._opened[wish]
