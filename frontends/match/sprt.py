"""The sequential test that stops a match once it is decided: the generalized SPRT on games or on pairs of games."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .score import rate_of

MOST_ELO = 1000  # of a bound: what is expected further out is as good as certain, and cannot be told apart
LITTLE = 1e-3  # counted for a result that has not come yet, as everything else would be certain


@dataclass(frozen=True, slots=True)
class Sprt:
    """A choice between two Elo differences."""

    low: float
    high: float
    alpha: float = 0.05  # the risk of taking high where low is true
    beta: float = 0.05  # the risk of taking low where high is true

    def __str__(self) -> str:
        return f"{self.low:g},{self.high:g},{self.alpha:g},{self.beta:g}"

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the logarithm of the likelihood ratio ends the test."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, ratio: float) -> str | None:
        """`low` or `high` once one of them is accepted."""
        lower, upper = self.bounds
        return "low" if ratio <= lower else "high" if ratio >= upper else None

    def ratio(self, counts: Sequence[float]) -> float:
        """The logarithm of the likelihood ratio, from counts of games (of three kinds) or pairs (five), worst first."""
        if not sum(counts):
            return 0.0
        counts = [count or LITTLE for count in counts]
        number, last = sum(counts), len(counts) - 1
        results = [(index / last, count / number) for index, count in enumerate(counts)]
        low, high = (_tilt(results, rate_of(elo)) for elo in (self.low, self.high))
        mean_low, mean_high = rate_of(self.low), rate_of(self.high)
        return number * sum(
            share * math.log((1 + low * (value - mean_low)) / (1 + high * (value - mean_high)))
            for value, share in results
        )


def trinomial(points: Sequence[float]) -> list[int]:
    """Games counted by their points: 0, 0.5, 1."""
    counted = Counter(points)
    return [counted[value] for value in (0.0, 0.5, 1.0)]


def pentanomial(pairs: Sequence[float]) -> list[int]:
    """Pairs of games counted by their points: 0, 0.5, 1, 1.5, 2."""
    counted = Counter(pairs)
    return [counted[value / 2] for value in range(5)]


def _tilt(results: Sequence[tuple[float, float]], mean: float) -> float:
    """The multiplier under which the likeliest distribution of that mean is share / (1 + multiplier (value - mean))."""
    low = -1 / (max(value for value, _ in results) - mean)
    high = 1 / (mean - min(value for value, _ in results))
    for _ in range(200):
        middle = (low + high) / 2
        slope = sum(share * (value - mean) / (1 + middle * (value - mean)) for value, share in results)
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2
