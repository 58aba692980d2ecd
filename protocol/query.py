"""What `analyze` asks: a position and what may be spent on it, as a map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.errors import UsageError
from ..engine.games.game import Color, Move
from ..engine.options import option_most
from ..engine.search.stopper import Limits
from ..engine.session import Session
from .notation import read_color, read_vertex

USUAL = Limits(seconds=1.0)  # where the map has none


@dataclass(frozen=True, slots=True)
class Query:
    """A position by the moves that lead to it, and the search it is worth."""

    game: tuple[str, ...] = ()  # name, rule and row, as set_game takes them; empty is the server's own
    size: int | None = None
    mode: str | None = None
    brain: str | None = None
    moves: tuple[tuple[str | None, str], ...] = ()  # color, None for whose turn it is, and vertex
    limits: Limits = USUAL

    def is_like(self, other: Query) -> bool:
        """True when a session that was set up for the other one serves this one."""
        mine = (self.game, self.size, self.mode, self.brain)
        return mine == (other.game, other.size, other.mode, other.brain)

    def settle(self, session: Session) -> None:
        """Give a new session the game and the brain."""
        if self.game:
            row = int(self.game[2]) if len(self.game) > 2 else None
            session.set_game(self.game[0], self.game[1] if len(self.game) > 1 else None, row)
        if self.size is not None:
            session.set_size(self.size)
        if self.mode is not None:
            session.set_mode(self.mode)
        if self.brain is not None:
            session.set_brain(self.brain)

    def play(self, session: Session) -> None:
        """Bring a session that was settled for this, or for one like it, to the position."""
        session.clear()
        for color, vertex in self.moves:
            move = read_vertex(vertex, session.game)
            session.play(_mover(session, move) if color is None else read_color(color), move)


def _mover(session: Session, move: Move | None) -> Color:
    """Whose move it is; a pass that is forced may be left out."""
    position = session.position
    must_pass = move is not None and position.legal_moves() == [session.game.pass_move]
    return position.side_to_move.opponent if must_pass else position.side_to_move


def read_query(found: Mapping[str, Any]) -> Query:
    """A query from its map; UsageError when something in it cannot be read."""
    for key in found:
        if key not in READERS:
            raise UsageError(f"unknown key '{key}': one of {', '.join(READERS)}")
    return Query(**{key: READERS[key](key, value) for key, value in found.items()})


def _read_game(key: str, value: object) -> tuple[str, ...]:
    words = tuple(_read_text(key, value).lower().split())
    if not 1 <= len(words) <= 3 or (len(words) == 3 and not (words[2].isdecimal() and len(words[2]) < 4)):
        raise UsageError(f"syntax error: '{value}' is no game, as 'gomoku renju' or 'gomoku freestyle 5'")
    return words


def _read_text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise UsageError(f"syntax error: {key} is a text")
    return value


def _read_count(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"syntax error: {key} is a number from 1")
    return value


def _read_most(key: str, value: object) -> int:
    """A limit that is an option, too."""
    count, most = _read_count(key, value), int(option_most(key))
    if count > most:
        raise UsageError(f"syntax error: {key} is a number from 1 to {most}")
    return count


def _read_seconds(key: str, value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < 1e9:
        raise UsageError(f"syntax error: {key} are more than 0")
    return float(value)


def _read_moves(key: str, value: object) -> tuple[tuple[str | None, str], ...]:
    if not isinstance(value, list):
        raise UsageError("syntax error: moves are a list")
    return tuple(_read_move(each) for each in value)


def _read_move(value: object) -> tuple[str | None, str]:
    match value:
        case str():
            return None, value
        case [str() as color, str() as vertex]:
            return color, vertex
    raise UsageError("syntax error: a move is a vertex, or a list of color and vertex")


def _read_limits(key: str, value: object) -> Limits:
    if not isinstance(value, dict) or not value:
        raise UsageError(f"syntax error: limits are a map with {', '.join(LIMITS)}")
    for name in value:
        if name not in LIMITS:
            raise UsageError(f"unknown limit '{name}': one of {', '.join(LIMITS)}")
    return Limits(**{name: LIMITS[name](name, each) for name, each in value.items()})


LIMITS: dict[str, Callable[[str, object], Any]] = {
    "seconds": _read_seconds,
    "visits": _read_most,
    "depth": _read_most,
}
READERS: dict[str, Callable[[str, object], Any]] = {
    "game": _read_game,
    "size": _read_count,
    "mode": _read_text,
    "brain": _read_text,
    "moves": _read_moves,
    "limits": _read_limits,
}
