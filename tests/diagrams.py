"""Reads boards drawn as text: X black, O white, . empty; any other sign marks an empty point."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from extremum.engine.games.game import Bits, Move

POSITIONS = Path(__file__).parent / "positions"


@dataclass(frozen=True, slots=True)
class Diagram:
    """A drawn board; the whole board is drawn, so that its edges can be seen."""

    title: str
    size: int
    cells: str

    @property
    def black(self) -> Bits:
        return self._bits("X")

    @property
    def white(self) -> Bits:
        return self._bits("O")

    def empty(self) -> list[Move]:
        return [move for move, sign in enumerate(self.cells) if sign not in "XO"]

    def point(self, sign: str) -> Move:
        return self.cells.index(sign)

    def _bits(self, color: str) -> Bits:
        return sum(1 << move for move, sign in enumerate(self.cells) if sign == color)


def read(text: str, title: str = "") -> Diagram:
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    assert all(len(row) == len(rows) for row in rows), f"not a square: {title}"
    return Diagram(title, len(rows), "".join(rows))


def read_file(name: str) -> list[Diagram]:
    """The diagrams of a file of positions, each under a line with its title."""
    blocks = (POSITIONS / name).read_text().removeprefix("# ").split("\n# ")
    return [read(rows, title) for title, _, rows in (block.partition("\n") for block in blocks)]
