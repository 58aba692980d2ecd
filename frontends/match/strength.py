"""The tables of strength in Markdown: ratings above random, and whether the levels are in order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .binomial import clopper_pearson
from .entrants import level_name, levels_of
from .score import Score
from .table import Standings

REVERSED = "reversed"


def write_ratings(standings: Standings, zero: str) -> Iterator[str]:
    """A line for each player, best first, above the one whose rating is zero."""
    yield "| player | Elo | ± 95 % | games | score | faults |"
    yield "|---|---:|---:|---:|---:|---:|"
    for line in standings.lines:
        figures = " | ".join(_figures(*_above(standings, line.name, zero)))
        yield f"| {line.name} | {figures} | {line.score.games} | {line.score.rate:.1%} | {line.faults} |"
    for name in standings.unrated:
        yield f"| {name} | - | - | 0 | - | 0 |"
    yield from _remark(standings)


def write_dial(standings: Standings) -> Iterator[str]:
    """A column for each level; random is level 50, or the lowest where that is not among them."""
    levels = levels_of(standings.settings.engines)
    names = [level_name(level) for level in levels]
    zero = level_name(50 if 50 in levels else levels[0])
    ratings = [_above(standings, name, zero) for name in names]
    yield f"| level | {' | '.join(str(level) for level in levels)} |"
    yield f"|---|{'---:|' * len(levels)}"
    figures = [_figures(*rating) for rating in ratings]
    yield f"| Elo | {' | '.join(elo for elo, _ in figures)} |"
    yield f"| ± 95 % | {' | '.join(error for _, error in figures)} |"
    yield ""
    steps = _steps(standings)
    kinds = [kind for *_, kind in steps]
    yield f"Neighbors: {', '.join(f'{kinds.count(kind)} {kind}' for kind in dict.fromkeys(kinds))}."
    for better, worse, kind in steps:
        if kind == REVERSED:
            yield f"{better} is weaker than {worse}: {_comparison(standings, better, worse)}."
    curve = [elo for elo, error in ratings if math.isfinite(error)][:: -1 if standings.settings.misere else 1]
    shift = max((abs(elo - flat) for elo, flat in zip(curve, isotonic(curve), strict=True)), default=0.0)
    yield f"The nearest {'falling' if standings.settings.misere else 'rising'} curve is at most {shift:.0f} Elo away."
    yield from _remark(standings)


def is_in_order(standings: Standings) -> bool:
    """False when a level is surely weaker than the one below it, or in the misère than the one above it."""
    return all(kind != REVERSED for *_, kind in _steps(standings))


def _steps(standings: Standings) -> list[tuple[str, str, str]]:
    """Neighbors, the better one first, and whether it is: by games of their own, or by the whole table."""
    found = []
    for pair in pairwise(level_name(level) for level in levels_of(standings.settings.engines)):
        worse, better = pair[:: -1 if standings.settings.misere else 1]
        found.append((better, worse, _step(standings, better, worse)))
    return found


def _step(standings: Standings, better: str, worse: str) -> str:
    met = standings.between(better, worse)
    elo, error = _above(standings, better, worse)
    if met.games or math.isinf(error):
        return order(met)
    return "in order" if elo > error else REVERSED if elo < -error else "undecided"


def _comparison(standings: Standings, first: str, second: str) -> str:
    met = standings.between(first, second)
    return met.text() if met.games else "{:+.0f} ± {:.0f} Elo".format(*_above(standings, first, second))


def order(score: Score) -> str:
    """What a match with the lower neighbor says, with 95 %: exact where games are decided, draws being halves."""
    if not score.games:
        return "unplayed"
    low = clopper_pearson(int(score.points), score.games)[0]
    high = 1 - clopper_pearson(int(score.games - score.points), score.games)[0]
    return "in order" if low > 0.5 else REVERSED if high < 0.5 else "undecided"


def isotonic(values: Sequence[float]) -> list[float]:
    """The nearest values that do not fall, by pooling neighbors that do."""
    pools = list[tuple[float, int]]()  # mean and size
    for value in values:
        pools.append((value, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (lower, few), (upper, more) = pools[-2:]
            pools[-2:] = [((lower * few + upper * more) / (few + more), few + more)]
    return [mean for mean, size in pools for _ in range(size)]


def _above(standings: Standings, name: str, zero: str) -> tuple[float, float]:
    return standings.ratings.difference(standings.names.index(name), standings.names.index(zero))


def _figures(elo: float, error: float) -> tuple[str, str]:
    """A rating and its error as text; who cannot be compared has none."""
    return (f"{elo:+.0f}", f"{error:.0f}") if math.isfinite(error) else ("-", "-")


def _remark(standings: Standings) -> Iterator[str]:
    if standings.ratings.bounded:
        yield ""
        yield "Somebody won or lost everything: a draw was added to each pairing to keep the ratings finite."
