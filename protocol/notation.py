"""Vertices: moves and colors as text, in each game's own coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, TypeAlias

from ..engine.errors import UsageError
from ..engine.games.game import Color, Game, Move, Outcome, Position, points
from ..engine.session import Session

COLUMNS = "ABCDEFGHJKLMNOPQRSTU"  # without I, as GTP has it
PASS = "pass"
PASSES = frozenset({"PASS", "PA", "PS"})  # Othello programs shorten it
COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}


def read_vertex(text: str, game: Game) -> Move | None:
    """The move of a vertex in any case; None is a pass."""
    name = text.upper()
    move = _moves(game.name, game.size).get(name)
    if move is not None:
        return move
    if name in PASSES:
        return None
    if name[:1] == "I" and name[1:].isdecimal():
        raise UsageError(f"invalid vertex '{text}': columns are named without I")
    last = f"{COLUMNS[game.size - 1]}{game.size}"
    raise UsageError(f"invalid vertex '{text}': the board is A1 to {last}")


def write_vertex(move: Move | None, game: Game) -> str:
    """A move as text, upper case; a pass is `pass`."""
    vertices = _vertices(game.name, game.size)
    return PASS if move is None or move >= len(vertices) else vertices[move]


def write_line(moves: Iterable[Move], game: Game) -> str:
    """Moves as vertices, separated by blanks."""
    vertices = _vertices(game.name, game.size)
    return " ".join([vertices[move] if move < len(vertices) else PASS for move in moves])


def read_color(text: str) -> Color:
    """A color in any case, or its first letter."""
    color = COLORS.get(text.lower())
    if color is None:
        raise UsageError(f"invalid color '{text}'")
    return color


def write_color(color: Color) -> str:
    """`black` or `white`."""
    return color.name.lower()


def write_result(outcome: Outcome) -> str:
    """`B+n`, `W+n` or `0`, as GTP and SGF have it."""
    return "0" if outcome.winner is None else f"{outcome.winner.name[0]}+{outcome.margin}"


def row_number(row: int, game: Game) -> int:
    """The number of a row counted from the top: Othello begins above, GTP below."""
    return row + 1 if game.name == "othello" else game.size - row


def diagram(position: Position) -> list[list[str]]:
    """The board from the top left: `X` black, `O` white, `.` empty."""
    size = position.game.size
    cells = ["."] * (size * size)
    for stones, sign in ((position.black, "X"), (position.white, "O")):
        for move in points(stones):
            cells[move] = sign
    return [cells[row * size : (row + 1) * size] for row in range(size)]


def _parse_vertex(text: str, session: Session) -> Move | None:
    return read_vertex(text, session.game)


Vertex: TypeAlias = Annotated[Move | None, _parse_vertex]  # how a command asks for a move


@lru_cache(maxsize=64)
def _vertices(name: str, size: int) -> tuple[str, ...]:
    rows = range(1, size + 1) if name == "othello" else range(size, 0, -1)
    return tuple(f"{column}{row}" for row in rows for column in COLUMNS[:size])


@lru_cache(maxsize=64)
def _moves(name: str, size: int) -> dict[str, Move]:
    return {vertex: move for move, vertex in enumerate(_vertices(name, size))}
