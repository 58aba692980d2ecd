"""The course of a game: where it began, the moves, and where they led."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import EngineError, IllegalMoveError
from .games.game import Color, Move, Position
from .search.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the game; None is a pass."""

    color: Color
    move: Move | None
    seconds: float = 0.0
    analysis: Analysis | None = None


class History:
    """Every position of a game, and the moves between them."""

    def __init__(self, start: Position) -> None:
        self._positions = [start]
        self._moves: list[Played] = []

    @property
    def start(self) -> Position:
        """Where the game began."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._positions[-1]

    @property
    def moves(self) -> Sequence[Played]:
        """The moves that led from the start to the position."""
        return self._moves

    def add(self, position: Position, played: Played) -> None:
        """Go on with a move that leads to this position."""
        self._positions.append(position)
        self._moves.append(played)

    def turn(self, color: Color) -> None:
        """Give the turn to a side."""
        self._positions[-1] = self.position.turned(color)

    def take_back(self, count: int) -> None:
        """Forget the last moves; EngineError, and nothing done, when there are fewer."""
        if not 0 <= count <= len(self._moves):
            raise EngineError("cannot undo")
        for _ in range(count):
            self._moves.pop()
            self._positions.pop()


def after(position: Position, color: Color, move: Move | None) -> Position:
    """The position after a move of either color; None is a pass, which also a finished game takes."""
    position = turned(position, color)
    if move is not None:
        return position.play(move)
    if position.outcome() is not None:
        return position
    if position.game.pass_move is None:
        raise IllegalMoveError(position.game.num_moves, "is no move before the end of the game")
    return position.play(position.game.pass_move)


def turned(position: Position, color: Color) -> Position:
    """The position with that side to move; a game that has ended stays as it is, whoever could go on."""
    return position if position.outcome() is not None else position.turned(color)
