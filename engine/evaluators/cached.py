"""An evaluator that remembers: positions met again, in this game or another, are not evaluated again."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt

from ..kernels.batches import keys
from ..kernels.layout import KIND, SIZE
from .evaluator import Evaluation, Evaluator, States

Mask = npt.NDArray[np.bool_]


class CachedEvaluator:
    """Keeps the last evaluation in each of 2**bits places for each game and size, logits in half precision."""

    def __init__(self, evaluator: Evaluator, bits: int = 17) -> None:
        self.lookups, self.hits = 0, 0
        self._evaluator = evaluator
        self._num_places = 1 << bits
        self._tables: dict[tuple[int, int], _Table] = {}  # by game and size
        self._lock = threading.Lock()

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch; only what is not remembered is computed."""
        hashes = np.empty(len(states), np.uint64)
        keys(states, hashes)
        board = (int(states[0, KIND]), int(states[0, SIZE]))
        with self._lock:
            table = self._tables.get(board)
            known = np.zeros(len(states), np.bool_) if table is None else table.knows(hashes)
            remembered = None if table is None else table.recall(hashes)
            self.lookups += len(states)
            self.hits += int(known.sum())
        if remembered is not None and known.all():
            return remembered
        computed = self._evaluator.evaluate(states[~known])
        with self._lock:
            table = self._tables.setdefault(board, _Table(self._num_places, computed.logits.shape[1]))
            table.store(hashes[~known], computed)
        return computed if remembered is None else _merged(remembered, computed, ~known)


class _Table:
    """Evaluations by hash; a later one takes the place of an earlier one."""

    def __init__(self, num_places: int, num_moves: int) -> None:
        self._hashes = np.zeros(num_places, np.uint64)
        self._logits = np.empty((num_places, num_moves), np.float16)
        self._values = np.empty((num_places, 2), np.float32)

    def knows(self, hashes: States) -> Mask:
        known: Mask = self._hashes[self._places(hashes)] == hashes
        return known

    def recall(self, hashes: States) -> Evaluation:
        """What stands in the places of these hashes, theirs or not."""
        places = self._places(hashes)
        value, draw = self._values[places].T.copy()
        return Evaluation(self._logits[places].astype(np.float32), value, draw)

    def store(self, hashes: States, evaluation: Evaluation) -> None:
        places = self._places(hashes)
        self._hashes[places] = hashes
        self._logits[places] = evaluation.logits
        self._values[places, 0] = evaluation.value
        self._values[places, 1] = evaluation.draw

    def _places(self, hashes: States) -> npt.NDArray[np.intp]:
        return (hashes & np.uint64(len(self._hashes) - 1)).astype(np.intp)


def _merged(remembered: Evaluation, computed: Evaluation, missing: Mask) -> Evaluation:
    remembered.logits[missing] = computed.logits
    remembered.value[missing] = computed.value
    remembered.draw[missing] = computed.draw
    return remembered
