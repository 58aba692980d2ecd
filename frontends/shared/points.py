"""Points of the board: row and column from the top left, and their names in each game's own coordinates."""

from __future__ import annotations

from typing import TypeAlias

from ...protocol.notation import COLUMNS

Point: TypeAlias = tuple[int, int]  # row and column, from the top left
PASS = "pass"
COLORS = ("black", "white")


def other(color: str) -> str:
    """The opponent's color."""
    return COLORS[1 - COLORS.index(color)]


def row_name(row: int, game: str, size: int) -> str:
    """The number of a row: Othello counts from above, Gomoku from below."""
    return str(row + 1 if game == "othello" else size - row)


def vertex_of(point: Point, game: str, size: int) -> str:
    """The name of a point."""
    row, column = point
    return COLUMNS[column] + row_name(row, game, size)


def point_of(vertex: str, game: str, size: int) -> Point | None:
    """The point of that name; None for a pass, and for what is no point."""
    name = vertex.strip().upper()
    if name[:1] not in COLUMNS or not (name[1:].isascii() and name[1:].isdecimal()):
        return None
    number = int(name[1:])
    point = (number - 1 if game == "othello" else size - number, COLUMNS.index(name[0]))
    return point if all(0 <= part < size for part in point) else None
