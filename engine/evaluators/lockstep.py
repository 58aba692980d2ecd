"""Many searches in one thread: each goes on until it wants an evaluation, then all of these are made at once.

A search that shares batches with others by threads pays for waking and sleeping at each of them. Here it is a strand,
plain calls with a stack of their own: to ask for an evaluation is to let the others go on, and the order in which
strands go on is always the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from greenlet import getcurrent, greenlet

from ..errors import EngineError
from .evaluator import Evaluation, Evaluator, States
from .joined import Kind, evaluate_joined, kind_of
from .views import Symmetries

MOST = 256  # positions evaluated at once


@dataclass(slots=True, eq=False)
class _Request:
    """What a strand waits for."""

    strand: greenlet
    evaluator: Evaluator
    states: States
    symmetries: Symmetries | None  # through which the positions are seen

    @property
    def kind(self) -> tuple[int, Kind]:
        """Those of one kind can be evaluated together."""
        return id(self.evaluator), kind_of(self)


class Strands:
    """Lets strands go on in turn; all of them, and whoever drives them, are in one thread."""

    def __init__(self) -> None:
        self.positions = 0  # evaluated so far
        self.batches = 0
        self._waiting: list[_Request] = []
        self._driver: greenlet | None = None

    def __len__(self) -> int:
        """How many there are that have not ended."""
        return len(self._waiting)

    def begin(self, work: Callable[[], None]) -> None:
        """Begin with a strand, up to its first evaluation; what it raises is raised here."""
        self._go_on(greenlet(work), None)

    def go_round(self) -> None:
        """Make the evaluations that all strands wait for, and let each go on to its next one or its end."""
        waiting, self._waiting = sorted(self._waiting, key=lambda request: request.kind), []
        for _, alike in groupby(waiting, key=lambda request: request.kind):
            for batch in _batches(list(alike)):
                self._answer(batch)

    def shared(self, evaluator: Evaluator) -> Evaluator:
        """The evaluator for searches in strands; asked from elsewhere it answers at once."""
        return _Shared(evaluator, self)

    def ask(self, evaluator: Evaluator, states: States, symmetries: Symmetries | None = None) -> Evaluation:
        """Wait in the present strand, if this is one."""
        here = getcurrent()
        request = _Request(here, evaluator, states, symmetries)
        if self._driver is None or here.parent is not self._driver:
            return evaluate_joined(evaluator, [request])
        self._waiting.append(request)
        evaluation: Evaluation = self._driver.switch()
        return evaluation

    def _answer(self, batch: list[_Request]) -> None:
        """Evaluate together; what is refused together is tried one by one, and raised where it was asked."""
        try:
            evaluation = evaluate_joined(batch[0].evaluator, batch)
        except EngineError as refusal:
            if len(batch) == 1:
                self._go_on(batch[0].strand, refusal)
                return
            for request in batch:
                self._answer([request])
            return
        self.positions += len(evaluation)
        self.batches += 1
        start = 0
        for request in batch:
            end = start + len(request.states)
            self._go_on(request.strand, evaluation[start:end])
            start = end

    def _go_on(self, strand: greenlet, answer: Evaluation | EngineError | None) -> None:
        """Let a strand run until it waits or ends."""
        self._driver = strand.parent = getcurrent()
        if isinstance(answer, EngineError):
            strand.throw(answer)
        elif answer is None:
            strand.switch()
        else:
            strand.switch(answer)


class _Shared:
    """An evaluator as strands see it."""

    def __init__(self, evaluator: Evaluator, strands: Strands) -> None:
        self._evaluator = evaluator
        self._strands = strands

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch, computed along with those of others."""
        return self._strands.ask(self._evaluator, states)

    def evaluate_through(self, states: States, symmetries: Symmetries) -> Evaluation:
        """The same, each position seen through its symmetry; boards are turned for all strands together."""
        return self._strands.ask(self._evaluator, states, symmetries)


def _batches(requests: list[_Request]) -> list[list[_Request]]:
    """In their order, none with more positions than are evaluated at once, unless one request has."""
    batches: list[list[_Request]] = []
    room = 0
    for request in requests:
        room -= len(request.states)
        if room < 0:
            batches.append([])
            room = MOST - len(request.states)
        batches[-1].append(request)
    return batches
