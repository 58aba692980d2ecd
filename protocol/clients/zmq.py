"""Drives an engine on a server, as `zmq:ADDRESS [KEY SERVER_KEY]`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...engine.errors import EngineError
from ...engine.games.game import Color, Game, Move
from ...engine.games.gomoku import Gomoku
from ..client import CONNECTING, Client, LostError, RefusalError
from ..notation import read_vertex, write_color, write_vertex
from ..transports.curve import ClientKeys, read_keys
from .client import RESIGNATION, Pace
from .fault import FaultError, Kind
from .process import GRACE


class ZmqClient:
    """A session on a server; the setup are commands."""

    pid = None  # the process is not ours to end

    def __init__(self, command: Sequence[str], setup: Sequence[str], *, lenient: bool = False) -> None:
        self._command = command
        self._setup = setup
        self._game: Game | None = None
        self._connection: Client | None = None

    @property
    def _client(self) -> Client:
        assert self._connection is not None
        return self._connection

    def greet(self, deadline: float) -> None:
        """Connect, and send the setup."""
        address, *keys = self._command
        try:
            self._connection = Client(address, _keys(keys), connecting=min(CONNECTING, _left(deadline)))
        except (LostError, ValueError, OSError) as error:
            raise FaultError(Kind.START, str(error)) from error
        for line in self._setup:
            self._demand(deadline, *line.split())

    def remark(self, pace: Pace) -> str | None:
        """What the engine is told otherwise than it is judged: nothing."""
        return None

    def begin(self, game: Game, moves: list[tuple[Color, Move]], pace: Pace, deadline: float) -> None:
        """Set up a new game with these moves played."""
        rules: list[str | float] = [game.rule, game.in_a_row] if isinstance(game, Gomoku) else []
        self._demand(deadline, "set_game", game.name)
        self._demand(deadline, "boardsize", game.size)
        self._demand(deadline, "set_game", game.name, *rules)
        self._game = game
        if pace.move and pace.main:
            clock = ("fischer-capped", pace.main, pace.increment, -1, pace.move)
            self._demand(deadline, "kata-time_settings", *clock)
        elif pace.move:
            self._demand(deadline, "time_settings", 0, pace.move, 1)
        elif pace.main:
            self._demand(deadline, "kata-time_settings", "fischer", pace.main, pace.increment)
        for color, move in moves:
            self.play(color, move, deadline)

    def genmove(self, color: Color, left: float | None, deadline: float) -> Move:
        """Ask for a move, or RESIGNATION."""
        assert self._game is not None
        if left is not None:
            self._demand(deadline, "time_left", write_color(color), max(0.0, left), 0)
        answer = self._demand(deadline, "genmove", write_color(color))
        if answer == "resign":
            return RESIGNATION
        try:
            move = read_vertex(str(answer), self._game)
        except EngineError as error:
            raise FaultError(Kind.ILLEGAL, f"'{answer}' is no move") from error
        if move is None and self._game.pass_move is None:
            raise FaultError(Kind.ILLEGAL, "pass before the end of the game")
        return move if move is not None else int(self._game.pass_move or 0)

    def play(self, color: Color, move: Move, deadline: float) -> None:
        """Tell of a move."""
        assert self._game is not None
        self._demand(deadline, "play", write_color(color), write_vertex(move, self._game))

    def result(self, deadline: float) -> str | None:
        """What the engine takes for the result."""
        try:
            return str(self._client.ask("final_score", timeout=_left(deadline))["result"])
        except RefusalError:
            return None
        except LostError as error:
            raise FaultError(Kind.CRASH, str(error)) from error

    def close(self, grace: float = GRACE) -> None:
        """Leave; the server goes on."""
        if self._connection is not None:
            self._connection.close()

    def _demand(self, deadline: float, command: str, *arguments: str | float) -> Any:
        """The answer to a command that must not be refused."""
        try:
            return self._client.ask(command, *arguments, timeout=_left(deadline))
        except RefusalError as error:
            raise FaultError(Kind.REFUSAL, f"'{error}' to '{command}'") from error
        except LostError as error:
            kind = Kind.TIME if time.monotonic() >= deadline else Kind.CRASH
            raise FaultError(kind, str(error)) from error


def _left(deadline: float) -> float:
    return max(0.0, deadline - time.monotonic())


def _keys(files: Sequence[str]) -> ClientKeys | None:
    if not files:
        return None
    if len(files) != 2:
        raise ValueError("zmq:ADDRESS takes no keys, or two: your secret one and the server's public one")
    own, server = (Path(file) for file in files)
    return ClientKeys(read_keys(own, with_secret=True), read_keys(server, with_secret=False))
