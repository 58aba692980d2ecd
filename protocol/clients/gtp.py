"""Drives an engine over GTP."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import count

from ...engine.errors import EngineError
from ...engine.games.game import Color, Game, Move
from ...engine.games.gomoku import Gomoku
from ..notation import read_vertex, write_color, write_vertex
from .client import RESIGNATION, Pace
from .fault import FaultError, Kind
from .process import GRACE, MOST_UNREAD, Child

_ANSWER = re.compile(r"([=?])(\d*)[ \t]*(.*)")


class GtpClient:
    """An engine that speaks GTP; commands carry numbers, so that an answer too many is noticed."""

    def __init__(self, command: Sequence[str], setup: Sequence[str], *, lenient: bool = False) -> None:
        self._setup = setup  # commands
        self._lenient = lenient  # lines that are no answers are passed over
        self._numbers = count(1001)
        self._game: Game | None = None
        self._known = frozenset[str]()
        self._child = Child(command)

    @property
    def pid(self) -> int:
        """The engine's process group."""
        return self._child.pid

    @property
    def _is_exact(self) -> bool:
        """True when it reads fractions of seconds: those who know this command do."""
        return "kata-time_settings" in self._known

    def greet(self, deadline: float) -> None:
        """Ask what it knows, and send the setup; who made the client closes it, also when this fails."""
        self._known = frozenset(self._starting("list_commands", deadline).split())
        for line in self._setup:
            self._starting(line, deadline)

    def remark(self, pace: Pace) -> str | None:
        """What the engine is told otherwise than it is judged."""
        if self._is_exact or pace == Pace():
            return None
        if "time_settings" not in self._known:
            return "it has no time_settings and is told of no clock"
        told = _whole(pace.move)
        if pace.move and told != pace.move:
            return f"without kata-time_settings it reads whole seconds: it is told {told} s a move, not {pace.move:g}"
        return "without kata-time_settings it is told of no increment" if pace.increment else None

    def begin(self, game: Game, moves: list[tuple[Color, Move]], pace: Pace, deadline: float) -> None:
        """Set up a new game with these moves played."""
        if game != self._game:
            self._choose_game(game, deadline)
        self._demand(f"boardsize {game.size}", deadline)
        self._demand("clear_board", deadline)
        self._tell_pace(pace, deadline)
        self._game = game
        for color, move in moves:
            self.play(color, move, deadline)

    def genmove(self, color: Color, left: float | None, deadline: float) -> Move:
        """Ask for a move, or RESIGNATION."""
        assert self._game is not None
        if left is not None and "time_left" in self._known:
            seconds = f"{left:.2f}" if self._is_exact else str(math.floor(left))
            self._ask(f"time_left {write_color(color)} {seconds} 0", deadline)
        answer = self._demand(f"genmove {write_color(color)}", deadline)
        if answer.lower() == "resign":
            return RESIGNATION
        try:
            move = read_vertex(answer, self._game)
        except EngineError as error:
            raise FaultError(Kind.ILLEGAL, f"'{answer[:40]}' is no move") from error
        if move is not None:
            return move
        if self._game.pass_move is None:
            raise FaultError(Kind.ILLEGAL, "pass before the end of the game")
        return self._game.pass_move

    def play(self, color: Color, move: Move, deadline: float) -> None:
        """Tell of a move; a forced pass may be refused, for some engines pass by themselves."""
        assert self._game is not None
        line = f"play {write_color(color)} {write_vertex(move, self._game)}"
        if move == self._game.pass_move:
            self._ask(line, deadline)
        else:
            self._demand(line, deadline)

    def result(self, deadline: float) -> str | None:
        """What the engine answers to `final_score`."""
        if "final_score" not in self._known:
            return None
        accepted, text = self._ask("final_score", deadline)
        return text if accepted else None

    def close(self, grace: float = GRACE) -> None:
        """Ask it to quit, then end it."""
        try:
            self._child.write("quit")
        except FaultError:
            pass
        finally:
            self._child.close(grace)

    def _choose_game(self, game: Game, deadline: float) -> None:
        if "set_game" not in self._known:
            return
        words = [game.name.capitalize()]
        if isinstance(game, Gomoku) and (game.rule, game.in_a_row) != ("freestyle", min(5, game.size)):
            words += [game.rule, str(game.in_a_row)]
        self._demand(f"set_game {' '.join(words)}", deadline)

    def _tell_pace(self, pace: Pace, deadline: float) -> None:
        if pace.move and pace.main:
            if not self._is_exact:
                raise FaultError(Kind.START, "it has no kata-time_settings to tell it of --movetime and --time at once")
            clock = f"{pace.main:g} {pace.increment:g} -1 {pace.move:g}"
            self._demand(f"kata-time_settings fischer-capped {clock}", deadline)
        elif pace != Pace():
            self._ask(self._time(pace), deadline)

    def _time(self, pace: Pace) -> str:
        """The time control; seconds are whole numbers but for those who say that they read others."""
        if pace.move:
            return f"time_settings 0 {pace.move if self._is_exact else _whole(pace.move):g} 1"
        if self._is_exact and pace.increment:
            return f"kata-time_settings fischer {pace.main:g} {pace.increment:g}"
        if self._is_exact:
            return f"kata-time_settings absolute {pace.main:g}"
        return f"time_settings {_whole(pace.main)} 0 0"

    def _starting(self, command: str, deadline: float) -> str:
        """An answer without which there is no game at all."""
        try:
            return self._demand(command, deadline)
        except FaultError as fault:
            kind = fault.kind if fault.kind is Kind.GARBAGE else Kind.START
            raise FaultError(kind, fault.text if kind is fault.kind else str(fault)) from fault

    def _demand(self, command: str, deadline: float) -> str:
        """The answer to a command that must not be refused."""
        accepted, text = self._ask(command, deadline)
        if not accepted:
            raise FaultError(Kind.REFUSAL, f"'{text[:80]}' to '{command}'")
        return text

    def _ask(self, command: str, deadline: float) -> tuple[bool, str]:
        unasked = self._child.unasked()
        if unasked and not self._lenient:
            raise FaultError(Kind.GARBAGE, f"'{unasked[0][:80]}' before '{command}'")
        number = str(next(self._numbers))
        self._child.write(f"{number} {command}")
        sign, text = self._first_line(number, command, deadline)
        return sign == "=", "\n".join([text, *self._more_lines(deadline)]).strip()

    def _first_line(self, number: str, command: str, deadline: float) -> tuple[str, str]:
        while True:
            line = self._child.read(deadline).strip()
            found = _ANSWER.fullmatch(line)
            if found is not None and found[2] in ("", number):
                # Edax writes a blank before the number.
                return found[1], found[3].removeprefix(number).strip() if not found[2] else found[3]
            if found is not None:
                raise FaultError(Kind.GARBAGE, f"'{line[:80]}' answers no command")
            if line and not self._lenient:
                raise FaultError(Kind.GARBAGE, f"'{line[:80]}' in answer to '{command}'")

    def _more_lines(self, deadline: float) -> list[str]:
        """The lines of an answer after its first one, up to the empty one."""
        lines, size = list[str](), 0
        while (line := self._child.read(deadline).strip()) != "":
            lines.append(line)
            size += len(line)
            if size > MOST_UNREAD:
                raise FaultError(Kind.GARBAGE, "an answer without an end")
        return lines


def _whole(seconds: float) -> int:
    return max(1, math.floor(seconds))
