"""Our own engine as a player, in this process and without text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...engine.brains import ASKING
from ...engine.brains.level import CHANCE
from ...engine.clock import TimeControl
from ...engine.errors import EngineError
from ...engine.games.game import Color, Game, Move
from ...engine.games.gomoku import Gomoku
from ...engine.games.misere import Misere
from ...engine.options import Options
from ...engine.search.analysis import ignore
from ...engine.session import Session
from ...protocol.clients.client import Pace
from ...protocol.clients.fault import FaultError, Kind

if TYPE_CHECKING:
    from ...engine.search.opened import Evaluators
    from .engines import Engine

MEMORY = 32  # megabytes at most: many games run at once
VISITS_A_MEGABYTE = 25  # a tree on a wide board keeps four times the visits of a move, in two copies
TABLED = {"alphabeta": 2000, "minimax": 2000}  # likewise, where a visit is an entry of a hash table
BATCH = "8"  # leaves of a search that counts visits: a number that the machine's pace does not change
UNTIMED = "86400"
SURE = {"alphabeta", "minimax", "random", "rollout"}  # they play every game, with what is always there
NAMING = {"weights", "evaluator", "device", "memory"}  # options that may ask for what is not there


class OwnClient:
    """A session that plays one game; limited by visits or depth, the same seed plays the same moves."""

    def __init__(self, engine: Engine, seed: int, evaluators: Evaluators | None = None) -> None:
        self._session = Session(evaluators=evaluators)
        self._session.set_brain(engine.brain)
        self._session.set_level(engine.level)
        for key, value in ({"seed": str(seed)} | _usual(engine) | dict(engine.options)).items():
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


def refusal(engine: Engine, game: Game) -> str | None:
    """Why a brain of ours cannot play a game, None where it can; no more is loaded than what tells."""
    named = NAMING & dict(engine.options).keys()
    try:
        brain = engine.at_work(game)
        if brain in ASKING and named <= {"weights", "evaluator"}:
            _open_evaluator(engine, game)
        elif named or brain not in SURE:
            OwnClient(engine, seed=1).begin(game, [], Pace(), math.inf)
    except EngineError as error:
        return str(error)
    except FaultError as fault:
        return fault.text
    return None


def _open_evaluator(engine: Engine, game: Game) -> None:
    """Open what judges its positions, which takes a fraction of the time of a whole search."""
    from ...engine.evaluators.wishes import open_evaluator  # numba

    options = Options()
    for key, value in engine.options:
        options = options.changed(key, value)
    open_evaluator(options, game if engine.level >= CHANCE else Misere(game))


def _usual(engine: Engine) -> dict[str, str]:
    """The options of a player in a match, where nobody set them."""
    if not engine.is_limited:
        return {"memory": str(MEMORY), "threads": "1"}
    each = TABLED.get(engine.brain, VISITS_A_MEGABYTE)
    visits = int(dict(engine.options).get("visits", 0)) or MEMORY * each
    return {"memory": str(min(MEMORY, 1 + visits // each)), "batch": BATCH, "movetime": UNTIMED}


def _control(pace: Pace) -> TimeControl:
    if not pace.main:
        return TimeControl(period=pace.move)
    return TimeControl(main=pace.main, increment=pace.increment, longest=pace.move or math.inf)
