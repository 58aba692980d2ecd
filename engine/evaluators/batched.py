"""An evaluator that many searches share: their batches are joined into one.

It has a thread of its own, so that nobody waits for an evaluation in the thread of a search that has less of a
processor. Requests are served in the order they came, and a search has one at a time: so all have equal shares. A
request of another game or size than the first one's waits for the next turn, in which it is first.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from ..errors import EngineError
from ..kernels.layout import KIND, SIZE
from .evaluator import Evaluation, Evaluator, States


@dataclass(slots=True, eq=False)
class _Request:
    states: States
    answer: Evaluation | Exception | None = None
    waiting: threading.Lock = field(default_factory=threading.Lock)  # lighter than a future, which has a condition

    def __post_init__(self) -> None:
        self.waiting.acquire()

    @property
    def board(self) -> tuple[int, int]:
        return int(self.states[0, KIND]), int(self.states[0, SIZE])

    def give(self, answer: Evaluation | Exception) -> None:
        """Let the one who asked go on."""
        self.answer = answer
        self.waiting.release()

    def taken(self) -> Evaluation:
        """Wait for the answer; what was raised on the way to it is raised here."""
        self.waiting.acquire()
        assert self.answer is not None
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class BatchedEvaluator:
    """Joins what comes from its members within `wait` seconds, up to `most` positions at a time."""

    def __init__(self, evaluator: Evaluator, most: int = 256, wait: float = 0.002) -> None:
        self.positions = 0  # evaluated so far
        self.batches = 0
        self._evaluator = evaluator
        self._most = most
        self._wait = wait
        self._members = 0
        self._queue: list[_Request] = []
        self._changed = threading.Condition()  # only the evaluator's own thread waits for it
        threading.Thread(target=self._serve, name="evaluator", daemon=True).start()

    @property
    def waiting(self) -> int:
        """Positions that wait for their turn."""
        with self._changed:
            return sum(len(request.states) for request in self._queue)

    @contextmanager
    def member(self) -> Iterator[Evaluator]:
        """Be counted among those whom a batch waits for; with all of them waiting it starts at once."""
        with self._changed:
            self._members += 1
        try:
            yield self
        finally:
            with self._changed:
                self._members -= 1
                self._changed.notify()

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch, computed along with those of others."""
        request = _Request(states)
        with self._changed:
            self._queue.append(request)
            if len(self._queue) == 1 or self._is_complete():  # to wake the thread for each would cost more than waiting
                self._changed.notify()
        return request.taken()

    def _serve(self) -> None:
        """Evaluate batch after batch, for as long as the process lives."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue)
                self._changed.wait_for(self._is_complete, self._wait)
                batch = self._take()
            self._answer(batch)

    def _is_complete(self) -> bool:
        positions = sum(len(request.states) for request in self._queue)
        return len(self._queue) >= self._members or positions >= self._most

    def _take(self) -> list[_Request]:
        """Take the first request and those after it that may join it."""
        batch = [self._queue[0]]
        room = self._most - len(batch[0].states)
        for request in self._queue[1:]:
            if request.board == batch[0].board:
                room -= len(request.states)
                if room < 0:
                    break
                batch.append(request)
        self._queue = [request for request in self._queue if request not in batch]
        return batch

    def _answer(self, batch: list[_Request]) -> None:
        """Evaluate together; what is refused together is tried one by one, and a bug is raised where it was asked."""
        try:
            evaluation = self._evaluator.evaluate(np.concatenate([request.states for request in batch]))
        except EngineError as refusal:
            if len(batch) == 1:
                batch[0].give(refusal)
                return
            for request in batch:
                self._answer([request])
            return
        except Exception as bug:  # this thread must live on; whoever asked has it raised, and logged
            for request in batch:
                request.give(bug)
            return
        self.positions += len(evaluation)
        self.batches += 1
        start = 0
        for request in batch:
            request.give(evaluation[start : start + len(request.states)])
            start += len(request.states)
