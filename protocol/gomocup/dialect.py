"""The dialect: lines in, lines out, nothing lost while it thinks."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from ...engine import lean
from ...engine.errors import EngineError
from ...engine.session import Session
from ..command import CommandTable, Waiting, attempt
from ..commands import COMMANDS
from ..connection import Send, Urgency
from . import absent, games, info, swap2, yixin  # noqa: F401, they fill the table
from .desk import UNLIMITED, Call, Desk
from .intact import intact
from .startup import working_age
from .table import LINES, Line

DONE = "DONE"
MOST_STONES = 2000  # lines of a BOARD; there is no board with as many points
QUIET = 0.05  # seconds without a line after which it is time to get ready for the game at hand
POLL = 0.005  # seconds between two looks at what waits
BURST = 0.1  # seconds in which what was sent while the process started is read: the clock runs since then
HURRYING = ("TIME_LEFT", "TIMEOUT_TURN")


class Gomocup:
    """Answers the lines of one manager."""

    def __init__(
        self, session: Session, table: CommandTable = COMMANDS, now: Callable[[], float] = time.monotonic
    ) -> None:
        lean.install()  # tournaments count memory
        self._now = now
        self._made = now()
        self._desk = Desk(session, table, now, created=now() - working_age())
        self._arrivals: deque[float] = deque()  # of the lines that were not yet handled
        self._first_read: float | None = None
        self._answered = 0.0  # when the last line of a game was
        self._has_begun = False
        self._body: tuple[str, list[str]] | None = None  # a command that waits for its DONE

    @property
    def closed(self) -> bool:
        """True after END."""
        return self._desk.closed

    def urgency(self, message: bytes) -> Urgency:
        """What a line means to the search under way, seen before it is that line's turn; its arrival is noted."""
        now = self._now()
        self._first_read = min(now, self._first_read or now)
        was_waiting = self._first_read < self._made + BURST and now < self._first_read + BURST
        self._arrivals.append(self._desk.created if was_waiting else now)
        words = _text(message[:200]).upper().split()
        if words[:1] == ["INFO"]:
            self._hear_time(words, now)
        found = LINES.get(words[0]) if words else None
        return Urgency.NONE if found is None else found.urgency

    def handle(self, message: bytes, send: Send[bytes], waiting: Waiting) -> None:
        """Answer a line; each line of the answer is sent by itself."""
        if not self._has_begun:
            self._has_begun = True
            self._desk.begin()
        # A script sends its next move ahead: its time begins when the last answer was given.
        asked = max(self._arrivals.popleft(), self._answered) if self._arrivals else self._now()

        def tell(text: str) -> None:
            send(f"{text}\n".encode("utf-8", "replace"))

        line = _text(message)
        if line:
            self._take(line, Call(waiting, tell, asked))
        if line and not line.upper().startswith("INFO") and self._desk.session.moves:
            self._answered = self._now()

    def idle(self, waiting: Waiting) -> None:
        """Load what every game needs, then get ready for the one at hand, then ponder, until anything comes."""
        if not self._desk.has_started:
            self._desk.session.readiness.preload(self._desk.session.game)
            return
        session, quiet = self._desk.session, self._now() + QUIET
        while not session.is_ready and not waiting.has_message() and self._now() < quiet:
            time.sleep(POLL)  # more may come that changes who is to play
        while not waiting.has_message() and not session.be_ready(POLL):
            pass
        if not waiting.has_message():
            attempt(lambda: session.idle(waiting.has_message), session, "idling")

    def _hear_time(self, words: list[str], now: float) -> None:
        """Let an INFO that waits behind a search end it in time."""
        if len(words) > 2 and words[1] in HURRYING and words[2].isdecimal() and int(words[2]) < UNLIMITED:
            self._desk.hurry = now + max(0.0, int(words[2]) / 1000 - self._desk.session.options.lag)

    def _take(self, line: str, call: Call) -> None:
        name, _, rest = line.partition(" ")
        name = name.upper()
        if name == "INFO":
            self._desk.hurry = float("inf")
            info.take(self._desk, rest)
        elif self._body is not None and name not in LINES:
            self._take_stone(line, call)
        else:
            if self._body is not None:
                missing = DONE if LINES[self._body[0]].num_lines is None else "a file"
                call.tell(f"ERROR {self._body[0]} without {missing}")
                self._body = None
            self._command(name, rest, call)

    def _command(self, name: str, rest: str, call: Call) -> None:
        found = LINES.get(name)
        if found is None:
            call.tell(f"UNKNOWN command {name[:40]}")
        elif not found.has_body:
            self._run(found, rest, call)
        else:
            self._body = (name, [])
            # Some managers send it all in one line.
            for word in rest.split() if found.num_lines is None else [rest] * bool(rest):
                self._take_stone(word, call)

    def _take_stone(self, line: str, call: Call) -> None:
        if self._body is None:
            return
        name, stones = self._body
        if line.upper() != DONE:
            stones.append(line if len(stones) < MOST_STONES else "")
            del stones[MOST_STONES + 1 :]
            if len(stones) != LINES[name].num_lines:
                return
        self._body = None
        self._run(LINES[name], "\n".join(stones), call)

    def _run(self, line: Line, rest: str, call: Call) -> None:
        def run() -> str | None:
            if line.hears_complaints and self._desk.complaint is not None:
                complaint, self._desk.complaint = self._desk.complaint, None
                raise EngineError(complaint)
            with intact(self._desk.session):
                return line.function(self._desk, rest, call)

        answer = attempt(run, self._desk.session, rest)
        for text in answer.text.splitlines():
            call.tell(text if answer.accepted else f"ERROR {text}")


def _text(message: bytes) -> str:
    return " ".join(message.decode("utf-8", "replace").replace("\0", "").split())
