"""Wins, draws and losses, and what they say of the difference in strength."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from .binomial import clopper_pearson

ELO = 400 / math.log(10)  # Elo points of a factor e in the odds
CONFIDENCE = 1.959963984540054  # standard deviations of a two-sided interval of 95 %


@dataclass(frozen=True, slots=True)
class Score:
    """Results of one side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        """How many there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is one, a draw half."""
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        """Points a game; a half where there was none."""
        return self.points / self.games if self.games else 0.5

    @property
    def deviation(self) -> float:
        """The standard error of the rate, from the results as they came."""
        if not self.games:
            return math.inf
        rate = self.rate
        squares = self.wins * (1 - rate) ** 2 + self.draws * (0.5 - rate) ** 2 + self.losses * rate**2
        return math.sqrt(squares) / self.games

    def text(self) -> str:
        """As `+10 =2 -4`."""
        return f"+{self.wins} ={self.draws} -{self.losses}"


def total(points: Iterable[float]) -> Score:
    """The score of games of 1, 0.5 or 0 points."""
    counted = list(points)
    return Score(counted.count(1.0), counted.count(0.5), counted.count(0.0))


def elo_of(rate: float) -> float:
    """The Elo difference at which that rate is expected; infinite at its ends."""
    if not 0 < rate < 1:
        return math.copysign(math.inf, rate - 0.5)
    return ELO * math.log(rate / (1 - rate))


def rate_of(elo: float) -> float:
    """The rate expected at an Elo difference."""
    return 1 / (1 + math.exp(-elo / ELO))


def elo_interval(score: Score) -> tuple[float, float, float]:
    """The Elo difference with its interval of 95 %, from the rate and its standard error."""
    low, high = _rates(score)
    return elo_of(low), elo_of(score.rate), elo_of(high)


def _rates(score: Score) -> tuple[float, float]:
    """The interval of the rate; where all results are the same, the chance of another one is bounded exactly."""
    rate, reach = score.rate, CONFIDENCE * score.deviation if score.games else 1.0
    if reach == 0.0:
        other = clopper_pearson(0, score.games)[1]
        reach = other / 2 if score.draws else other
    return max(0.0, rate - reach), min(1.0, rate + reach)


def superiority(score: Score) -> float:
    """The likelihood of superiority: how sure it is that the side is the stronger one; draws say nothing."""
    decided = score.wins + score.losses
    if not decided:
        return 0.5
    return 0.5 * (1 + math.erf((score.wins - score.losses) / math.sqrt(2 * decided)))
