"""Exact intervals of a proportion, after Clopper and Pearson."""

from __future__ import annotations

import math

TINY = 1e-300
STEPS = 200


def clopper_pearson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """The proportions that the counts do not refute."""
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else beta_quantile(tail, successes, trials - successes + 1)
    high = 1.0 if successes == trials else beta_quantile(1 - tail, successes + 1, trials - successes)
    return low, high


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Where the beta distribution has reached that probability."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if beta_distribution(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def beta_distribution(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on the other side
        return 1 - beta_distribution(1 - x, b, a)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(logarithm) / (a * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the function, after Lentz."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, 10_000):
        m = step // 2
        if step % 2 == 0:
            numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / _away_from_zero(1 + numerator * d)
        c = _away_from_zero(1 + numerator / c)
        value *= c * d
        if abs(1 - c * d) < 1e-15:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
