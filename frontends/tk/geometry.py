"""Where the points of the board lie on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from ..shared.points import Point

MARGIN = 0.8  # cells around the board, for the coordinates
LABEL = 17.0  # pixels that these need at least


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board of some size, drawn as large as a canvas allows; Gomoku's stones lie on crossings, Othello's in cells."""

    game: str
    size: int
    width: int
    height: int

    @property
    def cell(self) -> float:
        """Pixels from one point to the next."""
        span = min(self.width, self.height)
        return max(4.0, min(span / (self.size + 2 * MARGIN), (span - 2 * LABEL) / self.size))

    @property
    def left(self) -> float:
        """Where the cells begin."""
        return (self.width - self.size * self.cell) / 2

    @property
    def top(self) -> float:
        """Where the cells begin."""
        return (self.height - self.size * self.cell) / 2

    def center(self, point: Point) -> tuple[float, float]:
        """The middle of a point, x and y."""
        row, column = point
        return self.left + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell

    def point(self, x: float, y: float) -> Point | None:
        """The point under a pixel."""
        row, column = int((y - self.top) // self.cell), int((x - self.left) // self.cell)
        return (row, column) if 0 <= row < self.size and 0 <= column < self.size else None

    def stars(self) -> list[Point]:
        """The dots that help the eye."""
        if self.game == "othello":
            return []
        edge = 3 if self.size >= 13 else 2
        middle = self.size // 2
        lines = sorted({edge, self.size - 1 - edge} | ({middle} if self.size % 2 else set()))
        corners = [(row, column) for row in lines for column in lines]
        if self.size < 7:
            return [(middle, middle)] if self.size % 2 else []
        return corners if self.size >= 17 else [p for p in corners if (p[0] == middle) == (p[1] == middle)]
