"""An evaluator that many searches share: their batches are joined into one.

There is no thread of its own. Whoever comes while nobody leads does so: it waits a moment for the others, then
evaluates the requests at the head of the queue, hands out the answers and gives the lead to the first who still waits.
Meanwhile the others gather their next leaves, so that batches grow with the number of searches even without a wait. A
request of another game or size than the first one's waits for the next turn, in which it is first.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

import numpy as np

from ..errors import EngineError
from ..kernels.layout import KIND, SIZE
from .evaluator import Evaluation, Evaluator, States


def _held() -> threading.Lock:
    """A lock that somebody else will release: the cheapest way to wake one thread and no other."""
    lock = threading.Lock()
    lock.acquire()
    return lock


@dataclass(slots=True, eq=False)
class _Request:
    states: States
    answer: Evaluation | None = None
    refusal: str = "the evaluation failed in another search"
    is_done: bool = False
    woken: threading.Lock = field(default_factory=_held)  # released when it is done, or must lead

    @property
    def board(self) -> tuple[int, int]:
        return int(self.states[0, KIND]), int(self.states[0, SIZE])


class BatchedEvaluator:
    """Joins what comes from its members within `wait` seconds, up to `most` positions at a time."""

    def __init__(self, evaluator: Evaluator, most: int = 256, wait: float = 0.002) -> None:
        self._evaluator = evaluator
        self._most = most
        self._wait = wait
        self._members = 0
        self._queue: list[_Request] = []  # the first one's search leads, or is about to
        self._is_led = False
        self._changed = threading.Condition()  # only the leader waits for it

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
        if not self._queued(request):
            request.woken.acquire()
        if not request.is_done:
            self._serve()
        if request.answer is None:
            raise EngineError(request.refusal)
        return request.answer

    def _queued(self, request: _Request) -> bool:
        """Put a request into the queue; True when whoever asks must lead at once."""
        with self._changed:
            self._queue.append(request)
            must_lead = not self._is_led
            self._is_led = True
            self._changed.notify()
            return must_lead

    def _serve(self) -> None:
        """Evaluate one batch, wake those who asked for it, and pass the lead on."""
        batch: list[_Request] = []
        try:
            with self._changed:
                self._changed.wait_for(self._is_complete, self._wait)
                batch = self._take()
            self._answer(batch)
        finally:
            with self._changed:
                self._is_led = bool(self._queue)
                following = self._queue[:1]
            for request in batch:
                request.is_done = True
                request.woken.release()
            for request in following:
                request.woken.release()

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
        """Evaluate together; what is refused together is tried one by one."""
        try:
            evaluation = self._evaluator.evaluate(np.concatenate([request.states for request in batch]))
        except EngineError as refusal:
            if len(batch) == 1:
                batch[0].refusal = str(refusal)
                return
            for request in batch:
                self._answer([request])
            return
        start = 0
        for request in batch:
            request.answer = evaluation[start : start + len(request.states)]
            start += len(request.states)


def searching(evaluator: Evaluator) -> AbstractContextManager[object]:
    """Be a member while a search lasts, where the evaluator is shared."""
    return evaluator.member() if isinstance(evaluator, BatchedEvaluator) else nullcontext()
