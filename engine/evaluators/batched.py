"""An evaluator that many searches share: their batches are joined into one.

It has a thread of its own, so that nobody waits for an evaluation in the thread of a search that has less of a
processor. Requests are served in the order they came, and a search has one at a time: so all have equal shares. A
request of another game or size than the first one's waits for the next turn, in which it is first.

Where a device does the work, half of the searches ask while the other half is being answered: the next batch is begun
before the last one is collected.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import NoReturn

from ..errors import EngineError
from .ahead import Collect, begin_of
from .evaluator import Evaluation, Evaluator, States, device_of
from .joined import Kind, begin_joined, evaluate_joined, kind_of
from .views import Symmetries

LONGEST = 0.02  # seconds of a batch, which is not interrupted: whoever's time is up waits for it
MEMORY = 0.2  # the weight of the last batch in the pace


@dataclass(slots=True, eq=False)
class _Request:
    states: States
    symmetries: Symmetries | None = None
    answer: Evaluation | Exception | None = None
    waiting: threading.Lock = field(default_factory=threading.Lock)  # lighter than a future, which has a condition

    def __post_init__(self) -> None:
        self.waiting.acquire()

    @property
    def kind(self) -> Kind:
        return kind_of(self)

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


@dataclass(frozen=True, slots=True)
class _UnderWay:
    batch: list[_Request]
    collect: Collect
    begun: float


class BatchedEvaluator:
    """Joins what its members ask within `wait` seconds: up to `most` positions, or `longest` seconds by their pace."""

    def __init__(
        self,
        evaluator: Evaluator,
        most: int = 256,
        wait: float = 0.002,
        longest: float = LONGEST,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.positions = 0  # evaluated so far
        self.batches = 0
        self.device = device_of(evaluator)
        self._evaluator = evaluator
        self._begin_aside = begin_of(evaluator)
        self._most = most
        self._wait = wait
        self._longest = longest
        self._now = now
        self._paces: dict[Kind, float] = {}  # seconds for each position
        self._finished = now()  # when the last batch was
        self._members = 0
        self._num_under_way = 0  # members whose requests are
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
        return self._ask(_Request(states))

    def evaluate_through(self, states: States, symmetries: Symmetries) -> Evaluation:
        """The same, each position seen through its symmetry."""
        return self._ask(_Request(states, symmetries))

    def _ask(self, request: _Request) -> Evaluation:
        with self._changed:
            self._queue.append(request)
            if len(self._queue) == 1 or self._is_complete():  # to wake the thread for each would cost more than waiting
                self._changed.notify()
        return request.taken()

    def _serve(self) -> None:
        """Evaluate batch after batch, for as long as the process lives."""
        last: _UnderWay | None = None
        while True:
            with self._changed:
                self._num_under_way = 0 if last is None else len(last.batch)
                if last is None:
                    self._changed.wait_for(lambda: self._queue)
                if self._queue:
                    self._changed.wait_for(self._is_complete, self._wait)
                batch = self._take() if self._queue else []
            begun = self._begin(batch) if batch else None
            if last is not None:
                self._finish(last)
            last = begun
            if last is not None and self._begin_aside is None:
                self._finish(last)
                last = None

    def _is_complete(self) -> bool:
        """True when nobody else can come, or the batch is full."""
        positions = sum(len(request.states) for request in self._queue)
        enough = min(self._members - self._num_under_way, self._most_requests())
        return len(self._queue) >= enough or (positions > 0 and positions >= self._room(self._queue[0].kind))

    def _most_requests(self) -> int:
        """Of a batch: where a device does the work, half of the members have it while the others prepare the next."""
        known = max(self._members, len(self._queue))
        return known if self._begin_aside is None else -(-known // 2)

    def _room(self, kind: Kind) -> int:
        """How many positions a batch may have, by the pace of those before."""
        pace = self._paces.get(kind, 0.0)
        return self._most if pace * self._most <= self._longest else max(1, int(self._longest / pace))

    def _take(self) -> list[_Request]:
        """Take the first request and those after it that may join it."""
        batch, most = [self._queue[0]], self._most_requests()
        room = self._room(batch[0].kind) - len(batch[0].states)
        for request in self._queue[1:]:
            if request.kind == batch[0].kind:
                room -= len(request.states)
                if room < 0 or len(batch) == most:
                    break
                batch.append(request)
        self._queue = [request for request in self._queue if request not in batch]
        return batch

    def _begin(self, batch: list[_Request]) -> _UnderWay:
        """Start on a batch where a device does the work; elsewhere it is evaluated when it is collected."""
        begun = self._now()
        if self._begin_aside is None:
            return _UnderWay(batch, partial(evaluate_joined, self._evaluator, batch), begun)
        try:
            return _UnderWay(batch, begin_joined(self._begin_aside, batch), begun)
        except Exception as error:  # whoever collects has it raised
            return _UnderWay(batch, partial(_raise, error), begun)

    def _finish(self, last: _UnderWay) -> None:
        """Answer a batch; what is refused together is tried one by one, and a bug is raised where it was asked."""
        try:
            evaluation = last.collect()
        except (EngineError, MemoryError) as refusal:
            if len(last.batch) == 1:
                last.batch[0].give(refusal)
                return
            for request in last.batch:
                self._finish(self._begin([request]))
            return
        except Exception as bug:  # this thread must live on; whoever asked has it raised, and logged
            for request in last.batch:
                request.give(bug)
            return
        self._note(last, len(evaluation))
        start = 0
        for request in last.batch:
            request.give(evaluation[start : start + len(request.states)])
            start += len(request.states)

    def _note(self, last: _UnderWay, positions: int) -> None:
        """Take note of a batch, and of its pace: a device begins with it when it has finished the one before."""
        self.positions += positions
        self.batches += 1
        begun, self._finished = max(last.begun, self._finished), self._now()
        seen, kind = (self._finished - begun) / positions, last.batch[0].kind
        pace = self._paces.get(kind, seen)
        self._paces[kind] = pace + MEMORY * (seen - pace)


def _raise(error: Exception) -> NoReturn:
    raise error
