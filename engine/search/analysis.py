"""What a search knows of its root, and how it tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ..games.game import Move

SHORTEST = 1e-3  # seconds: what took less has no speed that could be measured


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move at the root; values are for the side to move there."""

    move: Move
    visits: int
    value: float  # -1..+1
    prior: float  # 0..1
    lcb: float  # a lower confidence bound of the value
    line: tuple[Move, ...]  # the principal variation; its first move is this one
    proven: int | None = None  # +1, 0 or -1 once the result is certain
    distance: int | None = None  # plies to the proven end, if they were counted
    discs: float | None = None  # Othello: the margin that is expected or proven


@dataclass(frozen=True, slots=True)
class Analysis:
    """The root of a search, best candidate first."""

    candidates: tuple[Candidate, ...]
    visits: int  # playouts, or nodes of an alpha-beta search
    seconds: float
    depth: int
    inherited: int = 0  # of the visits, those that searches before this one made

    @property
    def speed(self) -> float:
        """Visits a second of this search."""
        made = max(0, self.visits - self.inherited)  # fewer are left where many went to a move that was refuted
        return made / max(self.seconds, SHORTEST)

    @property
    def best(self) -> Candidate:
        """The candidate that would be played."""
        return self.candidates[0]


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and why."""

    move: Move
    analysis: Analysis


# A reporter decides whether an analysis is due, and only then has it made.
Reporter: TypeAlias = Callable[[Callable[[], Analysis]], None]


def ignore(make: Callable[[], Analysis]) -> None:
    """Report to nobody."""
