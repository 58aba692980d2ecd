"""The way back: what is refused leaves the game as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy

from ...engine.clock import Clock
from ...engine.games.game import Position, points
from ...engine.history import Played
from ...engine.session import Session


@contextmanager
def intact(session: Session) -> Iterator[None]:
    """Bring the game and its clock back when what is tried raises; what was searched of other moves is forgotten."""
    with ExitStack() as way_back:
        way_back.callback(_bring_back, session, session.start, list(session.moves), copy(session.clock))
        yield
        way_back.pop_all()  # nothing was refused


def _bring_back(session: Session, start: Position, moves: Sequence[Played], clock: Clock) -> None:
    if session.start is start and list(session.moves[: len(moves)]) == moves:
        session.undo(len(session.moves) - len(moves))
    elif session.game == start.game:
        session.setup(points(start.black), points(start.white))
        session.setup_player(start.side_to_move)
        session.play_sequence([(played.color, played.move) for played in moves])
    session.clock = clock
