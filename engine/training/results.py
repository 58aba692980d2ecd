"""How matches end, with error bars."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10, sqrt


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, for its first player."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def error(self) -> float:
        """Half the width of the score's 95 % interval; a clean sheet is taken for half a point from it."""
        half = 0.5 / self.games
        spread = (self.wins + self.draws / 4) / self.games - self.score**2
        return 1.96 * sqrt(max(spread, half * (1 - half)) / self.games)

    def elo(self) -> tuple[int, int, int]:
        """The difference in Elo, with its lower and upper bound."""
        return elo(self.score), elo(self.score - self.error), elo(self.score + self.error)

    def line(self, opponent: str) -> dict[str, object]:
        """The result as the log has it."""
        middle, low, high = self.elo()
        return {
            "kind": "match",
            "opponent": opponent,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": round(self.score, 4),
            "error": round(self.error, 4),
            "elo": middle,
            "elo_low": low,
            "elo_high": high,
        }


def elo(score: float) -> int:
    """The difference in Elo that a score speaks for, at most 800."""
    score = min(max(score, 0.0099), 0.9901)
    return round(-400 * log10(1 / score - 1))
