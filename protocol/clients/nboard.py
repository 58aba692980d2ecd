"""Drives an engine over the NBoard protocol."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count

from ...engine.errors import EngineError
from ...engine.games.game import Color, Game, Move
from ..ggf import write_ggf
from ..notation import read_vertex
from .client import Pace
from .fault import FaultError, Kind
from .process import GRACE, Child

_ANSWER = re.compile(r"===\s*(\w+)\b.*")
UNLIMITED = 86400.0  # seconds
# Moves' worth of time on the clock that it is told where each move is judged: the protocol has clocks of whole games
# only, and who spends no more than this part of its clock on a move is in time.
MOVES = 4


class NBoardClient:
    """An engine that speaks NBoard, version 2: it plays Othello on 8x8, as deep as its setup says."""

    def __init__(self, command: Sequence[str], setup: Sequence[str], *, lenient: bool = False) -> None:
        self._setup = setup  # lines
        self._lenient = lenient  # answers that nobody asked for are passed over; other lines always are
        self._numbers = count(1)
        self._game: Game | None = None
        self._pace = Pace()
        self._moves: list[Move] = []
        self._child = Child(command)

    @property
    def pid(self) -> int:
        """The engine's process group."""
        return self._child.pid

    def greet(self, deadline: float) -> None:
        """Send the setup, and wait until it has been read; who made the client closes it, also when this fails."""
        try:
            for line in ("nboard 2", *self._setup):
                self._child.write(line)
            self._synchronize(deadline)
        except FaultError as fault:
            raise FaultError(Kind.START, str(fault)) from fault

    def remark(self, pace: Pace) -> str | None:
        """What the engine is told otherwise than it is judged."""
        return f"its protocol has no time a move: it is told of a clock of {MOVES} moves" if pace.move else None

    def begin(self, game: Game, moves: list[tuple[Color, Move]], pace: Pace, deadline: float) -> None:
        """Set up a new game with these moves played."""
        if (refused := refusal(game)) is not None:
            raise FaultError(Kind.START, refused)
        self._game, self._pace, self._moves = game, pace, [move for _, move in moves]

    def genmove(self, color: Color, left: float | None, deadline: float) -> Move:
        """Ask for a move: the whole game is sent each time, with the time that is left."""
        assert self._game is not None
        clock = _clock(min(UNLIMITED if left is None else left, MOVES * self._pace.move or UNLIMITED))
        record = write_ggf(self._game, [(move, None) for move in self._moves], {"PB": "B", "PW": "W", "TI": clock})
        self._child.write(f"set game {record}")
        self._synchronize(deadline)
        self._child.write("go")
        self._moves.append(self._move(self._answer(deadline)))
        return self._moves[-1]

    def play(self, color: Color, move: Move, deadline: float) -> None:
        """Keep a move in mind until the engine is asked for its answer."""
        self._moves.append(move)

    def result(self, deadline: float) -> str | None:
        """The protocol has no word for it."""
        return None

    def close(self, grace: float = GRACE) -> None:
        """Tell it to quit, then end it."""
        try:
            self._child.write("quit")
        except FaultError:
            pass
        finally:
            self._child.close(grace)

    def _synchronize(self, deadline: float) -> None:
        """Wait until the engine has read everything; what it answers before belongs to nothing."""
        number = next(self._numbers)
        self._child.write(f"ping {number}")
        while (line := self._child.read(deadline).strip()) != f"pong {number}":
            if _ANSWER.fullmatch(line) and not self._lenient:
                raise FaultError(Kind.GARBAGE, f"'{line[:80]}' answers no command")

    def _answer(self, deadline: float) -> str:
        while True:
            found = _ANSWER.fullmatch(self._child.read(deadline).strip())
            if found is not None:
                return found[1]

    def _move(self, text: str) -> Move:
        assert self._game is not None
        assert self._game.pass_move is not None
        try:
            move = read_vertex(text, self._game)
        except EngineError as error:
            raise FaultError(Kind.ILLEGAL, f"'{text[:40]}' is no move") from error
        return self._game.pass_move if move is None else move


def refusal(game: Game) -> str | None:
    """Why the protocol cannot play a game, None where it can."""
    is_played = (game.name, game.size) == ("othello", 8)
    return None if is_played else f"the NBoard protocol has no {game.name} {game.size}x{game.size}"


def _clock(seconds: float) -> str:
    """Minutes and whole seconds; less than one is told as it is, for more would be a promise that is not kept."""
    whole = int(seconds)
    return f"{whole // 60:02}:{whole % 60:02}" if whole else f"00:{seconds:05.2f}"
