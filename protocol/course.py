"""A game record as the commands that play it over again: rules, stones and moves in words."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.games.game import Color, points
from ..engine.games.gomoku import Gomoku
from ..engine.session import Session
from .notation import write_color, write_vertex
from .records import read_record, restore


@dataclass(frozen=True, slots=True)
class Course:
    """A game from its beginning to its last move; colors and vertices are text."""

    game: str
    size: int
    rule: str
    in_a_row: int
    stones: tuple[tuple[str, str], ...]  # set up before the first move
    player: str  # who moves first
    moves: tuple[tuple[str, str], ...]


def read_course(text: str, game: str = "gomoku") -> Course:
    """The course of an SGF text, tried on a board first; `game` is meant where the text leaves it open."""
    session = Session()
    session.set_game(game)
    restore(read_record(text), session)
    rules, start = session.game, session.start
    stones: list[tuple[str, str]] = []
    if start.black or start.white:
        for color, bits in ((Color.BLACK, start.black), (Color.WHITE, start.white)):
            stones += [(write_color(color), write_vertex(move, rules)) for move in points(bits)]
    return Course(
        rules.name,
        rules.size,
        rules.rule,
        rules.in_a_row if isinstance(rules, Gomoku) else 0,
        () if start == rules.start() else tuple(stones),
        write_color(start.side_to_move),
        tuple((write_color(played.color), write_vertex(played.move, rules)) for played in session.moves),
    )
