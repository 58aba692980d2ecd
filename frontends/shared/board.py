"""The board as the engine tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .points import PASS, Point, point_of, vertex_of

# What is asked after every change; the engine alone knows the rules.
LOOKS = {
    "board": "gogui-rules_board",
    "legal": "gogui-rules_legal_moves",
    "side": "gogui-rules_side_to_move",
    "result": "gogui-rules_final_result",
}
STONES = {"X": "black", "O": "white"}


@dataclass(frozen=True, slots=True)
class Board:
    """One position, as the engine tells it."""

    game: str
    size: int
    rows: tuple[str, ...]  # from the top; X black, O white, . empty
    legal: frozenset[str]  # vertices, and perhaps a pass
    side: str
    result: str  # in words; empty while the game goes on
    ply: int = 0  # how many moves of the line led here

    def stone(self, point: Point) -> str | None:
        """The color on a point."""
        return STONES.get(self.rows[point[0]][point[1]])

    def stones(self) -> dict[Point, str]:
        """Every stone."""
        every = [(row, column) for row in range(self.size) for column in range(self.size)]
        return {point: color for point in every if (color := self.stone(point)) is not None}

    def legal_points(self) -> list[Point]:
        """Where the side to move may play."""
        found = [point_of(vertex, self.game, self.size) for vertex in self.legal]
        return sorted(point for point in found if point is not None)

    def forbidden_points(self) -> list[Point]:
        """Empty points that are forbidden to the side to move, as renju has them for black."""
        if self.game != "gomoku" or self.result:
            return []
        every = [(row, column) for row in range(self.size) for column in range(self.size)]
        return [
            point
            for point in every
            if self.stone(point) is None and vertex_of(point, self.game, self.size) not in self.legal
        ]

    @property
    def must_pass(self) -> bool:
        """True where there is nothing but a pass."""
        return self.legal == {PASS}

    @property
    def winner(self) -> str | None:
        """The winner of a finished game; None for a draw, and while the game goes on."""
        first = self.result.partition(" ")[0].lower()
        return first if first in STONES.values() else None

    def count(self, color: str) -> int:
        """How many stones a side has."""
        sign = next(sign for sign, name in STONES.items() if name == color)
        return sum(row.count(sign) for row in self.rows)

    def flipped(self, before: Board) -> list[Point]:
        """The discs that changed sides since then."""
        if before.size != self.size:
            return []
        now, then = self.stones(), before.stones()
        return [point for point in now if point in then and then[point] != now[point]]


def read_board(said: Mapping[str, str], game: str, size: int, ply: int) -> Board | None:
    """The board from the engine's answers; None where they are none."""
    rows = tuple("".join(row.split()) for row in said["board"].splitlines())
    side = {"b": "black", "w": "white"}.get(said["side"][:1].lower())
    if len(rows) != size or any(len(row) != size for row in rows) or side is None:
        return None
    if game == "othello":  # GoGui counts rows from below, Othello's players from above
        rows = rows[::-1]
    return Board(game, size, rows, frozenset(said["legal"].split()), side, said["result"], ply)
