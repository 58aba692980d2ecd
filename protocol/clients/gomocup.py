"""Drives an engine over the Gomocup protocol."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from ...engine.games.game import Color, Game, Move
from ...engine.games.gomoku import Gomoku
from .client import Pace
from .fault import FaultError, Kind
from .process import GRACE, Child

RULES = {"freestyle": 0, "standard": 1, "renju": 4}
ROW = 5
UNLIMITED = 2**31 - 1
PAUSE = 0.03  # seconds: Rapfi loses a command that comes while it puts away the search whose move it has told
TALK = ("MESSAGE", "DEBUG", "INFO")
_POINT = re.compile(r"(\d+) *, *(\d+)")


class GomocupClient:
    """An engine that speaks Gomocup: it plays Gomoku, five in a row, on boards of its choice."""

    def __init__(self, command: Sequence[str], setup: Sequence[str], *, lenient: bool = False) -> None:
        self._setup = [line.removeprefix("INFO ") for line in setup]  # keys and values that follow START
        self._lenient = lenient
        self._game: Game | None = None
        self._moves: list[tuple[Color, Move]] = []
        self._begun = False  # it has answered once
        self._told = False  # the engine knows every move but perhaps the last
        self._answered = 0.0  # when it made its last move
        self._child = Child(command)

    @property
    def pid(self) -> int:
        """The engine's process group."""
        return self._child.pid

    def greet(self, deadline: float) -> None:
        """Nothing: each game has its handshake."""

    def remark(self, pace: Pace) -> str | None:
        """What the engine is told otherwise than it is judged: nothing."""
        return None

    def begin(self, game: Game, moves: list[tuple[Color, Move]], pace: Pace, deadline: float) -> None:
        """Set up a new game with these moves played."""
        if (refused := refusal(game)) is not None:
            raise FaultError(Kind.START, refused)
        self._start(game.size, deadline)
        turn = pace.move or pace.main
        settings = [f"rule {RULES[game.rule]}", f"timeout_match {pace.main * 1000:.0f}", *self._setup]
        for setting in [f"timeout_turn {turn * 1000:.0f}", *settings] if turn else settings:
            self._send(f"INFO {setting}")
        self._game, self._moves, self._told = game, list(moves), False

    def genmove(self, color: Color, left: float | None, deadline: float) -> Move:
        """Ask for a move."""
        self._send(f"INFO time_left {UNLIMITED if left is None else round(left * 1000)}")
        self._ask_for_move(color)
        self._told = True
        move = self._move(self._answer(deadline))
        self._answered = time.monotonic()
        self._moves.append((color, move))
        return move

    def play(self, color: Color, move: Move, deadline: float) -> None:
        """Keep a move in mind until the engine is asked for its answer, which is not at once after its last one."""
        time.sleep(max(0.0, self._answered + PAUSE - time.monotonic()))
        self._moves.append((color, move))

    def result(self, deadline: float) -> str | None:
        """The protocol has no word for it."""
        return None

    def close(self, grace: float = GRACE) -> None:
        """Tell it to end, then end it."""
        try:
            self._child.write("END")
        except FaultError:
            pass
        finally:
            self._child.close(grace)

    def _start(self, size: int, deadline: float) -> None:
        """The handshake of each game; in the first one silence and death mean that the engine does not start.

        ABOUT would come before it under other managers, but some engines do not know it.
        """
        try:
            self._send(f"START {size}")
            answer = self._answer(deadline)
        except FaultError as fault:
            if self._begun or fault.kind not in (Kind.TIME, Kind.CRASH):
                raise
            raise FaultError(Kind.START, str(fault)) from fault
        if not answer.upper().startswith("OK"):
            raise FaultError(Kind.REFUSAL, f"'{answer[:80]}' to 'START {size}'")
        self._begun = True

    def _ask_for_move(self, color: Color) -> None:
        if not self._moves:
            self._send("BEGIN")
        elif self._told:
            self._send(f"TURN {self._point(self._moves[-1][1])}")
        else:
            self._send("BOARD")
            for whose, move in self._moves:
                self._child.write(f"{self._point(move)},{1 if whose is color else 2}")
            self._child.write("DONE")

    def _send(self, line: str) -> None:
        unasked = [line for line in self._child.unasked() if not _is_talk(line)]
        if unasked and not self._lenient:
            raise FaultError(Kind.GARBAGE, f"'{unasked[0][:80]}' before '{line}'")
        self._child.write(line)

    def _answer(self, deadline: float) -> str:
        """The next line that is an answer."""
        while True:
            line = self._child.read(deadline).strip()
            if not line or _is_talk(line):
                continue
            if line.upper().startswith(("ERROR", "UNKNOWN")):
                raise FaultError(Kind.REFUSAL, f"'{line[:80]}'")
            if _POINT.fullmatch(line) or line.upper().startswith("OK"):
                return line
            if not self._lenient:
                raise FaultError(Kind.GARBAGE, f"'{line[:80]}'")

    def _move(self, text: str) -> Move:
        assert self._game is not None
        found = _POINT.fullmatch(text)
        if found is None:
            raise FaultError(Kind.GARBAGE, f"'{text[:80]}' is no move")
        column, row = int(found[1]), int(found[2])
        if not (column < self._game.size and row < self._game.size):
            raise FaultError(Kind.ILLEGAL, f"{text} is off the board")
        return row * self._game.size + column

    def _point(self, move: Move) -> str:
        assert self._game is not None
        row, column = divmod(move, self._game.size)
        return f"{column},{row}"


def refusal(game: Game) -> str | None:
    """Why the protocol cannot play a game, None where it can."""
    if not isinstance(game, Gomoku):
        return f"the Gomocup protocol has no {game.name}"
    return None if game.in_a_row == ROW else f"the Gomocup protocol has no {game.in_a_row} in a row"


def _is_talk(line: str) -> bool:
    return line.strip().upper().startswith(TALK)
