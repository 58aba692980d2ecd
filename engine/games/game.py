"""What every game and every position can do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, TypeAlias

Move: TypeAlias = int  # an index into the policy: row * size + column from the top left; a pass is the last one
Bits: TypeAlias = int  # a set of points: bit m stands for the point with index m


class Color(IntEnum):
    """A side; black moves first."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Color:
        """The other side."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended."""

    winner: Color | None  # None is a draw
    margin: int  # discs in Othello, 1 in Gomoku, 0 in a draw

    def value(self, color: Color) -> int:
        """+1, 0 or -1 for that side."""
        if self.winner is None:
            return 0
        return 1 if self.winner is color else -1


class Game(Protocol):
    """The rules at one board size."""

    @property
    def name(self) -> str:
        """`gomoku` or `othello`."""

    @property
    def rule(self) -> str:
        """The variant's name."""

    @property
    def size(self) -> int:
        """Rows, and columns."""

    @property
    def num_moves(self) -> int:
        """The length of a policy, the pass included where there is one."""

    @property
    def pass_move(self) -> Move | None:
        """The index of the pass, if the game has one."""

    @property
    def objective(self) -> int:
        """+1 for the ordinary game, -1 for its misère."""

    def start(self) -> Position:
        """The first position."""

    def setup(self, black: Bits, white: Bits, side_to_move: Color) -> Position:
        """A position without history; raises EngineError when the stones cannot stand so."""


class Position(Protocol):
    """A state of the game; never changes."""

    @property
    def game(self) -> Game:
        """The rules in force."""

    @property
    def black(self) -> Bits:
        """Black's stones."""

    @property
    def white(self) -> Bits:
        """White's stones."""

    @property
    def side_to_move(self) -> Color:
        """Whose turn it is."""

    @property
    def ply(self) -> int:
        """Moves played since the start, passes included."""

    @property
    def last_move(self) -> Move | None:
        """The move that led here, if one did."""

    def legal_moves(self) -> list[Move]:
        """In ascending order; empty once the game is over."""

    def play(self, move: Move) -> Position:
        """The next position; IllegalMoveError leaves nothing changed."""

    def turned(self, color: Color) -> Position:
        """The same stones with that side to move."""

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""


def points(stones: Bits) -> list[Move]:
    """The indices of the points in a set, ascending."""
    return [move for move, digit in enumerate(bin(stones)[:1:-1]) if digit == "1"]
