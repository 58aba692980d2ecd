"""A conversation over GTP that never waits: questions go out, and their answers call back when `pump` hears them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from .link import Dial, Ended, Heard, Line

Told = Callable[[str], None]
SILENCE = 60.0  # seconds until an engine that has never said anything is given up


@dataclass(frozen=True, slots=True)
class Answer:
    """An engine's whole answer."""

    accepted: bool
    text: str

    @property
    def last_line(self) -> str:
        """What a streamed answer ends with."""
        return self.text.rpartition("\n")[2]


Answered = Callable[[Answer], None]


def nobody(answer: Answer) -> None:
    """Nobody wants this answer."""


def unheard(line: str) -> None:
    """Nobody listens to the lines of this answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """A command under way."""

    command: str
    answered: Answered
    told: Told  # hears each line of the answer as it comes


class Engine:
    """Asks one engine; callbacks run in the thread that calls `pump`."""

    def __init__(self, dial: Dial, ended: Callable[[Ended], None], arrived: Callable[[], None] = lambda: None) -> None:
        self._ended = ended
        self._heard: SimpleQueue[Heard] = SimpleQueue()
        self._pending: deque[Question] = deque()
        self._sign = ""  # of the answer under way
        self._lines: list[str] = []
        self.gone = False
        self._silent = True  # it has not said anything yet

        def hear(heard: Heard) -> None:
            self._heard.put(heard)
            arrived()

        self._link = dial(hear)

    @property
    def busy(self) -> bool:
        """True while an answer is owed."""
        return bool(self._pending)

    def ask(self, command: str, answered: Answered = nobody, told: Told = unheard) -> None:
        """Send a command; its answer comes later, in order."""
        if self.gone:
            return
        self._pending.append(Question(command, answered, told))
        self._link.send(command)

    def interrupt(self) -> None:
        """End the search under way."""
        if not self.gone:
            self._link.send("# interrupt")

    def close(self) -> None:
        """Leave the engine; nothing more is heard of it."""
        self.gone = True
        self._pending.clear()
        self._link.close()

    def join(self) -> None:
        """Wait until an engine that was left is gone."""
        self._link.join()

    def pump(self, age: float) -> None:
        """Take in whatever has come in the seconds since it was started; returns at once."""
        if self._silent and age > SILENCE:
            self._heard.put(Ended("", key="ended_silent"))
        while not self.gone:
            try:
                heard = self._heard.get_nowait()
            except Empty:
                return
            if isinstance(heard, Line):
                self._hear(heard.text)
            else:
                self.close()
                self._ended(heard)

    def _hear(self, line: str) -> None:
        self._silent = False
        if not self._sign:
            if line[:1] in ("=", "?"):
                self._sign = line[0]
                self._take(line[1:].lstrip("0123456789").strip())
        elif line.strip():
            self._take(line)
        else:
            self._complete()

    def _take(self, line: str) -> None:
        self._lines.append(line)
        if self._pending and line:
            self._pending[0].told(line)

    def _complete(self) -> None:
        answer = Answer(self._sign == "=", "\n".join(self._lines).strip())
        self._sign, self._lines = "", []
        if self._pending:
            self._pending.popleft().answered(answer)
