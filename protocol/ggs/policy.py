"""Which challenges are taken."""

from __future__ import annotations

from dataclasses import dataclass

from .parse import Kind, Request

SHORTEST, LONGEST = 30.0, 3600.0  # seconds of a game
RANDOM_DISCS = range(14, 21)


@dataclass(frozen=True, slots=True)
class Policy:
    """The rule by which a player accepts and declines."""

    most_matches: int = 1
    public: bool = True  # challenges to everybody are taken too
    shortest: float = SHORTEST
    longest: float = LONGEST

    def refuses(self, request: Request, matches: int) -> str | None:
        """Why a challenge is not taken, in words for the challenger; None takes it."""
        if matches >= self.most_matches:
            return "I am playing"
        if reason := refuses_kind(request.kind):
            return reason
        main, increment, _ = request.clock
        if main + 30 * increment < self.shortest:
            return f"I need {self.shortest:.0f} seconds a game"
        if main > self.longest:
            return f"no more than {self.longest / 60:.0f} minutes a game, please"
        return None


def refuses_kind(kind: Kind) -> str | None:
    """Why a type of match is not played; None plays it."""
    if kind.size != 8:
        return "I play on 8x8 only"
    if kind.has_komi:
        return "I play without komi"
    if kind.random_discs is not None and (kind.random_discs not in RANDOM_DISCS or not kind.is_synchro):
        return f"random starts from s8r{RANDOM_DISCS.start} to s8r{RANDOM_DISCS.stop - 1} only"
    return None
