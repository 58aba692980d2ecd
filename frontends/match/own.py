"""Our own engine as a player, in this process and without text."""

from __future__ import annotations

from ...engine.clock import TimeControl
from ...engine.errors import EngineError
from ...engine.games.game import Color, Game, Move
from ...engine.games.gomoku import Gomoku
from ...engine.search.analysis import ignore
from ...engine.session import Session
from ...protocol.clients.client import Pace
from ...protocol.clients.fault import FaultError, Kind
from .engines import Engine

MEMORY = "32"  # megabytes: many games run at once
UNTIMED = "86400"


class OwnClient:
    """A session that plays one game."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self._session = Session()
        self._session.set_brain(engine.brain)
        self._session.set_level(engine.level)
        settings = {"seed": str(seed), "memory": MEMORY} | dict(engine.options)
        if "movetime" not in settings and ("visits" in settings or "depth" in settings):
            settings["movetime"] = UNTIMED
        for key, value in settings.items():
            self._session.set_option(key, value)

    def begin(self, game: Game, moves: list[tuple[Color, Move]], pace: Pace, deadline: float) -> None:
        """Set up a new game with these moves played."""
        session = self._session
        session.set_game(game.name)
        session.set_size(game.size)
        if isinstance(game, Gomoku):
            session.set_game(game.name, game.rule, game.in_a_row)
        self._load()
        if pace != Pace():
            session.clock.set_control(_control(pace))
        for color, move in moves:
            self.play(color, move, deadline)

    def genmove(self, color: Color, left: float | None, deadline: float) -> Move:
        """Choose a move."""
        session = self._session
        if left is not None:
            session.clock.correct(color, left, 0)
        move = session.genmove(color)
        if move is not None:
            return move
        assert session.game.pass_move is not None
        return session.game.pass_move

    def play(self, color: Color, move: Move, deadline: float) -> None:
        """Take note of a move."""
        self._session.play(color, None if move == self._session.game.pass_move else move)

    def result(self, deadline: float) -> str | None:
        """The rules are the referee's own."""
        return None

    def _load(self) -> None:
        """Load the brain before any clock runs, by a search that ends at once."""
        try:
            self._session.analyze(Color.BLACK, lambda: True, ignore)
        except EngineError as error:
            raise FaultError(Kind.START, str(error)) from error

    def close(self, grace: float = 2.0) -> None:
        """There is nothing to end."""


def _control(pace: Pace) -> TimeControl:
    if pace.move:
        return TimeControl(period=pace.move)
    return TimeControl(main=pace.main, increment=pace.increment)
