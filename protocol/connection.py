"""One client: an inbox that a transport fills, and a thread that answers it: one of its own, or one of a pool."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from enum import Enum
from threading import Condition
from typing import Generic, Protocol, TypeAlias, TypeVar

from .command import Waiting

M = TypeVar("M")
Send: TypeAlias = Callable[[M], None]

# Who leaves this early in a search is a script whose end was on its way: it gets its full answer.
PATIENCE = 0.5  # seconds until the end of input
QUIT_PATIENCE = 0.1  # seconds until a farewell, which a person's program may also send
FAREWELL = 2.0  # who leaves later gets whatever can be answered within this time
PARTING = 1.0  # seconds that searches have to answer when the process is told to end
MOST_WAITING = 100_000  # messages; then the transport is made to wait


class Urgency(Enum):
    """What a message means to the search under way."""

    NONE = 0
    INTERRUPT = 1  # ends every search asked for before it
    STOP = 2  # ends the search it comes next to
    QUIT = 3
    ASIDE = 4  # has nothing to do with a search, and is not to wait for it


class Dialect(Protocol[M]):
    """A protocol without its wires."""

    @property
    def closed(self) -> bool:
        """True after the client's farewell."""

    def urgency(self, message: M) -> Urgency:
        """Look at a message before its turn; called by the transport's thread, which then has no time to lose."""

    def handle(self, message: M, send: Send[M], waiting: Waiting) -> None:
        """Answer a message."""

    def idle(self, waiting: Waiting) -> None:
        """Use the time until a message waits; called at first, and after each answer that nothing waits behind."""


def nothing() -> None:
    """Nobody wants to know that it is over."""


def forget(message: object) -> None:
    """Nobody keeps the messages."""


class Connection(Generic[M]):
    """Takes messages from a transport at once and answers them in order, in the thread that calls `run`.

    A transport with very many connections gives `start` instead: it has `work` called in some thread when a message
    comes and nothing is being answered.
    """

    def __init__(
        self,
        dialect: Dialect[M],
        send: Send[M],
        finished: Callable[[], None] = nothing,
        log: Callable[[M], None] = forget,
        now: Callable[[], float] = time.monotonic,
        start: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        self._dialect = dialect
        self._send = send
        self._finished = finished
        self._log = log
        self._now = now
        self._start = start
        self._is_working = False  # `work` is called, or about to be
        self._is_over = False  # those who want to know were told
        self._changed = Condition()
        self._inbox: deque[tuple[int, M, Urgency]] = deque()
        self._received = 0
        self._interrupt = -1  # number of the last interrupting message
        self._ended = False  # nothing more comes
        self._gone = False  # nobody listens
        self._is_leaving = False  # a farewell has come
        self._left: list[M] = []  # what came behind it
        self._begun: float | None = None  # when the command under way began
        self._deadline: float | None = None  # set when the client leaves in the middle of a search

    @property
    def num_waiting(self) -> int:
        """How many messages wait for their turn."""
        return len(self._inbox)

    @property
    def has_ended(self) -> bool:
        """True once nothing more is answered."""
        return self._gone

    @property
    def is_resting(self) -> bool:
        """True when no thread works for it; only where `start` was given."""
        return not self._is_working

    def receive(self, message: M) -> bool:
        """Take a message from a transport; returns at once unless very many are waiting, False when it is over."""
        urgency = self._dialect.urgency(message)
        if urgency is Urgency.ASIDE and not (self._gone or self._is_leaving):
            self._answer_aside(message)
            return True
        with self._changed:
            while len(self._inbox) >= MOST_WAITING and not self._gone:
                self._changed.wait()
            if self._gone:
                return False
            self._inbox.append((self._received, message, urgency))
            if urgency is Urgency.INTERRUPT:
                self._interrupt = self._received
            if urgency is Urgency.QUIT:
                self._is_leaving = True
                self._hurry(QUIT_PATIENCE)
            self._received += 1
            self._changed.notify_all()
            must_start, self._is_working = self._start is not None and not self._is_working, True
        if must_start and self._start is not None:
            self._start(self.work)
        return True

    def end(self) -> None:
        """Take the end of input from a transport: what is in the inbox is still answered."""
        with self._changed:
            self._ended = True
            self._hurry(PATIENCE)
            self._changed.notify_all()

    def finish(self, refused: Callable[[M], M]) -> None:
        """Have the search under way answer now, and what waits behind it as its refused form is answered."""
        with self._changed:
            self._ended = True
            waiting = [(number, refused(message), Urgency.NONE) for number, message, _ in self._inbox]
            self._inbox = deque(waiting)
            self._deadline = self._now() + PARTING
            self._changed.notify_all()

    def hang_up(self) -> None:
        """Answer nothing more: nobody listens."""
        with self._changed:
            self._gone = True
            self._inbox.clear()
            self._changed.notify_all()
            is_over = self._start is not None and not self._is_working
        if is_over:
            self._tell_the_end()

    def patience(self) -> float | None:
        """Seconds that a transport should still wait for the end, None for as long as it takes."""
        return None if self._deadline is None else max(0.0, self._deadline - self._now())

    def run(self) -> None:
        """Answer until the client leaves."""
        try:
            self._idle(number=-1)
            while not self._dialect.closed and (taken := self._take()) is not None:
                self._answer(*taken)
                self._idle(taken[0])
        finally:
            self.hang_up()
            self._tell_the_end()

    def work(self) -> None:
        """Answer what waits, and return; the next message has it called again."""
        is_over = True
        try:
            while not self._dialect.closed:
                taken = self._take_waiting()
                if taken is None:
                    is_over = self._ended or self._gone
                    return
                self._answer(*taken)
                self._idle(taken[0])
        finally:
            if is_over:
                self._leave()
                self._tell_the_end()

    def left_behind(self) -> list[M]:
        """What came behind the farewell, told once: whoever called `start` may have it answered by another."""
        with self._changed:
            left, self._left = self._left, []
        return left

    def interrupted(self, number: int) -> bool:
        """True when a search asked for by that message has to end."""
        if self._gone or self._deadline is not None or self._interrupt > number:
            return True
        return bool(self._inbox) and self._inbox[0][2] is Urgency.STOP

    def has_message(self) -> bool:
        """True when anything waits, or nothing more can come."""
        return bool(self._inbox) or self._ended or self._gone

    def _leave(self) -> None:
        with self._changed:
            self._gone = True
            self._left = [message for _, message, _ in self._inbox]
            self._inbox.clear()
            self._changed.notify_all()

    def _tell_the_end(self) -> None:
        with self._changed:
            was_told, self._is_over = self._is_over, True
        if not was_told:
            self._finished()

    def _idle(self, number: int) -> None:
        if not self._dialect.closed and not self.has_message():
            self._dialect.idle(Behind(self, number))

    def _hurry(self, patience: float) -> None:
        """Cut short what has been going on for longer than that; the lock is held."""
        if self._deadline is None and self._begun is not None and self._now() > self._begun + patience:
            self._deadline = self._now() + FAREWELL

    def _take(self) -> tuple[int, M] | None:
        with self._changed:
            while not self._inbox:
                if self._ended or self._gone:
                    return None
                self._changed.wait()
            return self._pop()

    def _take_waiting(self) -> tuple[int, M] | None:
        with self._changed:
            self._is_working = bool(self._inbox)
            return self._pop() if self._inbox else None

    def _pop(self) -> tuple[int, M]:
        """Take the first message; the lock is held."""
        number, message, _ = self._inbox.popleft()
        self._begun = self._now()
        self._changed.notify_all()
        return number, message

    def _answer_aside(self, message: M) -> None:
        """Answer in the transport's thread, whatever is being answered in the other."""
        self._log(message)
        self._dialect.handle(message, self._tell, Behind(self, self._received))

    def _answer(self, number: int, message: M) -> None:
        self._log(message)
        self._dialect.handle(message, self._tell, Behind(self, number))
        with self._changed:
            self._begun = None

    def _tell(self, message: M) -> None:
        """Send an answer, unless it is over: a client may have been told so, and have begun anew."""
        if not self._gone:
            self._send(message)


class Behind(Generic[M]):
    """What waits behind one message of a connection."""

    def __init__(self, connection: Connection[M], number: int) -> None:
        self._connection = connection
        self._number = number

    def interrupted(self) -> bool:
        """True when a search has to end."""
        return self._connection.interrupted(self._number)

    def has_message(self) -> bool:
        """True when anything at all has come, or nothing more can come."""
        return self._connection.has_message()
