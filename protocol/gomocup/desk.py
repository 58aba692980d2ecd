"""What a manager has told, and what every command of the protocol works on."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from ...engine.clock import TimeControl
from ...engine.errors import EngineError
from ...engine.memory import no_more_than_free
from ...engine.options import Options
from ...engine.session import Session
from ..command import CommandTable, Exchange, Nobody, Waiting

UNLIMITED = 2**31 - 1  # a time_left of so many milliseconds
WITH_NET, WITHOUT_NET = 270, 200  # megabytes that the process takes without its tree or hash table
USUAL_MEMORY = 350  # megabytes, as tournaments have it
LEAST_MEMORY = 16  # megabytes for these


@dataclass(slots=True)
class Call:
    """One command under way."""

    waiting: Waiting
    tell: Callable[[str], None]  # sends a line at once
    asked: float  # when it came


@dataclass(slots=True)
class Desk:
    """One manager's session and wishes."""

    session: Session
    table: CommandTable
    now: Callable[[], float] = time.monotonic
    created: float = 0.0  # when the process began
    closed: bool = False
    has_started: bool = False
    turn: float = 30.0  # seconds; 0 is as fast as possible, less no limit
    match: float = 0.0  # seconds; 0 is no limit
    increment: float = 0.0  # seconds added after each move
    left: float | None = None  # seconds of the match, as the manager told last
    detail: int = 0  # 1 marks points, 2 sends lines of play, 3 both
    complaint: str | None = None  # of an INFO, told at the next command
    hurry: float = float("inf")  # when a search has to end for an INFO that came while it ran
    _megabytes: int | None = USUAL_MEMORY  # for the whole process; None leaves the session's own wish

    def run(self, *words: str) -> str:
        """Carry out a command of the table; a refusal is raised."""
        answer = self.table.answer(words, self.session, Exchange(Nobody(), lambda text: None))
        if not answer.accepted:
            raise EngineError(answer.text)
        return answer.text

    def set_option(self, name: str, text: str) -> None:
        """Change an option; one that stays as it is costs no brain."""
        if self.session.options.text(name) != text:
            self.run("set_option", name, text)

    def set_clock(self) -> None:
        """Let the session's clock be what the manager told."""
        main = self.left if self.match <= 0 and self.left is not None else self.match
        longest = self.turn if self.turn >= 0 else float("inf")  # some managers mean no limit by a negative turn
        if main > 0:
            control: TimeControl | None = TimeControl(main=main, increment=self.increment, longest=longest)
        else:
            control = TimeControl(period=self.turn) if self.turn >= 0 else None
        self.session.clock.set_control(control)

    def limit_memory(self, megabytes: int) -> None:
        """Keep the whole process below that."""
        self._megabytes = megabytes
        self.fit_memory()

    def wish_memory(self, megabytes: int) -> None:
        """Give the search so much, whatever the process takes."""
        self.set_option("memory", str(megabytes))
        self._megabytes = None

    def fit_memory(self) -> None:
        """Give the search what the process leaves; once a net's runtime was loaded, it stays."""
        if self._megabytes is None:
            return
        has_net = self.session.brain_at_work == "mcts" or "onnxruntime" in sys.modules
        left = no_more_than_free(self._megabytes - (WITH_NET if has_net else WITHOUT_NET))
        self.set_option("memory", str(max(LEAST_MEMORY, left)))

    def begin(self) -> None:
        """Take a tournament's usual limits, where nobody wished for others."""
        self.set_clock()
        if self.session.options.memory != Options().memory:
            self._megabytes = None
        self.fit_memory()

    def is_interrupted(self, waiting: Waiting) -> bool:
        """True when the search under way has to end."""
        return waiting.interrupted() or self.now() >= self.hurry
