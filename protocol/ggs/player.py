"""One game on the server: its own session, searched in a thread of its own."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from ...engine.clock import TimeControl
from ...engine.errors import EngineError
from ...engine.games.game import Color
from ...engine.session import Session
from ..command import attempt
from ..ggf import PASS
from ..notation import write_vertex
from ..summary import summarize
from .parse import Board

Answer = Callable[[str, str], None]  # takes the game and `MOVE/EVAL/SECONDS`

# What is kept of the time left: the way to the server is long, and a time-out is worse than a bad move.
RESERVES = ((60.0, 10.0), (10.0, 2.0), (0.0, 0.5))  # of more than so many seconds, so many
IN_EXTENSION = 0.25  # of the extension is used at most: it is for ending the game, which is lost anyway


class Player:
    """Plays one game from the boards that the server sends; a newer board ends the search of an older one."""

    def __init__(self, make: Callable[[], Session], answer: Answer) -> None:
        self._make = make
        self._answer = answer
        self._session: Session | None = None
        self._stop = Event()
        self._thread: Thread | None = None

    def think(self, board: Board, color: Color) -> None:
        """Begin to search; the answer is given when it is found."""
        self.cancel()
        self._stop = Event()
        before = self._thread
        self._thread = Thread(target=self._run, args=(board, color, self._stop, before, time.monotonic()), daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """End the search: its answer is not wanted any more."""
        self._stop.set()

    def _run(self, board: Board, color: Color, stop: Event, before: Thread | None, asked: float) -> None:
        if before is not None:
            before.join()
        if stop.is_set():
            return
        session = self._session = self._session or self._make()

        def choose() -> str:
            set_up(session, board, color)
            session.genmove(color, stop.is_set, asked=asked)
            summarize(session)
            return _written(session, time.monotonic() - asked)

        answer = attempt(choose, session, f"game {board.game}")
        if not answer.accepted:
            logging.getLogger(__name__).error("game %s: %s", board.game, answer.text)
        elif not stop.is_set():
            self._answer(board.game, answer.text)


def _written(session: Session, seconds: float) -> str:
    """The last move as the server wants it, with what it is worth in discs and the time it took."""
    played = session.moves[-1]
    point = PASS if played.move is None else write_vertex(played.move, session.game)
    best = None if played.analysis is None else played.analysis.best
    value = "" if best is None or best.discs is None else f"{best.discs:.2f}"
    return f"{point}/{value}/{seconds:.2f}"


def set_up(session: Session, board: Board, color: Color) -> None:
    """Bring a session to a board of the server, with its mode and its clock."""
    if board.side_to_move is not color:
        raise EngineError("it is not our turn")
    if (session.game.name, session.game.size) != ("othello", board.kind.size):
        session.set_game("othello")
        session.set_size(board.kind.size)
    mode = "weakest" if board.kind.is_anti else "strongest"
    if session.mode != mode:
        session.set_mode(mode)
    session.setup(*([move for move, cell in enumerate(board.cells) if cell is side] for side in Color))
    session.setup_player(color)
    clock = board.clocks[color]
    session.clock.set_control(TimeControl(main=usable(clock.main, clock.extension), increment=clock.increment))


def usable(main: float, extension: float) -> float:
    """The seconds that may be planned with: never into a soft time-out, and after it quickly to the end."""
    if main > 0:
        reserve = next(reserve for least, reserve in RESERVES if main > least)
        return max(0.0, main - reserve)
    return max(0.0, IN_EXTENSION * (extension + min(0.0, main)))
