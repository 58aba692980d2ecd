"""Ratings of a whole table at once: maximum likelihood after Bradley and Terry, a draw being half a win."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .score import CONFIDENCE, ELO, Score

Table = Mapping[tuple[int, int], Score]  # the score of the first against the second
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
VIRTUAL = 1.0  # draws added to each pairing where a rating would be infinite
STEPS = 200


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo ratings, relative to the mean of those who have met, if only through others."""

    elo: tuple[float, ...]
    error: tuple[float, ...]  # half the width of an interval of 95 %, infinite for who has not played
    covariance: Floats  # [players, players], in squares of Elo points
    met: Bools  # [players, players], directly or through others; everybody has met himself
    bounded: bool  # somebody won or lost everything: draws were added to keep the rating finite

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """How much stronger the first is, and half the width of the interval, infinite where they have not met."""
        if not self.met[first, second]:
            return self.elo[first] - self.elo[second], math.inf
        c = self.covariance
        variance = c[first, first] + c[second, second] - 2 * c[first, second]
        return self.elo[first] - self.elo[second], CONFIDENCE * math.sqrt(max(0.0, float(variance)))

    def superiority(self, first: int, second: int) -> float:
        """How sure it is that the first is stronger than the second."""
        elo, reach = self.difference(first, second)
        if reach == 0.0:
            return 0.5 if elo == 0.0 else float(elo > 0)
        return 0.5 * (1 + math.erf(CONFIDENCE * elo / reach / math.sqrt(2)))


def rate(count: int, table: Table) -> Ratings:
    """The ratings under which the points were most likely; errors know that draws vary less than decided games."""
    points, games, draws = _counts(count, table)
    met = _chains(games)
    # The maximum is finite where everybody has scored through some chain against everybody whom he has met.
    bounded = bool((_chains(points) != met).any())
    if bounded:
        paired = games > 0
        points, games, draws = points + VIRTUAL / 2 * paired, games + VIRTUAL * paired, draws + VIRTUAL * paired
    strength = _fit(points, games)
    inverse = np.linalg.pinv(_laplacian(games * _variance(strength)))
    spread = games * np.maximum(_variance(strength) - draws / (4 * (games + 1)), 1e-3)
    covariance = ELO**2 * inverse @ _laplacian(spread) @ inverse
    error = CONFIDENCE * np.sqrt(np.maximum(0.0, np.diag(covariance)))
    error[games.sum(axis=1) == 0] = math.inf
    return Ratings(tuple(map(float, ELO * strength)), tuple(map(float, error)), covariance, met, bounded)


def _counts(count: int, table: Table) -> tuple[Floats, Floats, Floats]:
    """Points of each against each, and the games and draws between them."""
    points, games, draws = (np.zeros((count, count)) for _ in range(3))
    for (first, second), score in table.items():
        points[first, second] += score.points
        points[second, first] += score.games - score.points
        for pairing in ((first, second), (second, first)):
            games[pairing] += score.games
            draws[pairing] += score.draws
    return points, games, draws


def _chains(counts: Floats) -> Bools:
    """Who reaches whom by steps that have a count; everybody reaches himself."""
    paths: Bools = (counts > 0) | np.eye(len(counts), dtype=bool)
    for _ in range(len(counts)):
        paths = (paths.astype(int) @ paths.astype(int)) > 0
    return paths


def _fit(points: Floats, games: Floats) -> Floats:
    """Strengths as natural logarithms, their mean zero, by Newton's method with bounded steps."""
    strength = np.zeros(len(points))
    for _ in range(STEPS):
        missing = (points - games * _expected(strength)).sum(axis=1)
        step = np.linalg.pinv(_laplacian(games * _variance(strength))) @ missing
        step /= max(1.0, float(np.abs(step).max()))
        strength = strength + step - step.mean()
        if np.abs(step).max() < 1e-10:
            break
    return strength


def _expected(strength: Floats) -> Floats:
    return 1 / (1 + np.exp(strength[None, :] - strength[:, None]))


def _variance(strength: Floats) -> Floats:
    expected = _expected(strength)
    return expected * (1 - expected)


def _laplacian(weights: Floats) -> Floats:
    """What weights between pairs give for differences of strengths."""
    return np.diag(weights.sum(axis=1)) - weights
