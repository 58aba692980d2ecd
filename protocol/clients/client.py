"""What a match asks of whoever plays in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...engine.games.game import Color, Game, Move

RESIGNATION = -1  # instead of a move


@dataclass(frozen=True, slots=True)
class Pace:
    """The time control of a match; zeros are no limit."""

    move: float = 0.0  # seconds a move
    main: float = 0.0  # seconds a game
    increment: float = 0.0  # added after each move


class Client(Protocol):
    """An engine as a match drives it; every call may raise FaultError, and times are those of `time.monotonic`."""

    def begin(self, game: Game, moves: list[tuple[Color, Move]], pace: Pace, deadline: float) -> None:
        """Set up a new game with these moves played."""

    def genmove(self, color: Color, left: float | None, deadline: float) -> Move:
        """Ask for a move, or RESIGNATION; `left` are the seconds of main time left to that side."""

    def play(self, color: Color, move: Move, deadline: float) -> None:
        """Tell of a move that the engine did not choose itself."""

    def result(self, deadline: float) -> str | None:
        """What the engine takes for the result, as `B+n`, `W+n` or `0`; None where it does not say."""

    def close(self, grace: float = 2.0) -> None:
        """End the engine, by force after so many seconds."""
