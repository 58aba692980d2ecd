"""The standings: what the results of a match say, as text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .elo import Ratings, rate
from .results import Result
from .score import Score, elo_interval, superiority, total
from .settings import Settings
from .sprt import Sprt, pentanomial

COLUMNS = " black   white  plies  s/move faults"


@dataclass(frozen=True, slots=True)
class Standing:
    """One engine's line."""

    name: str
    elo: float
    error: float
    score: Score
    black: Score
    white: Score
    plies: float  # on average
    seconds: float  # a move of its own, on average
    faults: int


class Standings:
    """Everything that a list of results says."""

    def __init__(self, settings: Settings, results: Sequence[Result]) -> None:
        self.settings = settings
        self.names = [engine.name for engine in settings.engines]
        self.results = sorted(results, key=lambda result: result.number)
        self.ratings: Ratings = rate(len(self.names), self._table())

    @property
    def lines(self) -> list[Standing]:
        """The engines, best first."""
        made = [self._standing(index) for index in range(len(self.names))]
        return sorted(made, key=lambda line: -line.elo)

    def between(self, first: str, second: str) -> Score:
        """The score of the first against the second."""
        met = {first, second}
        return total(result.score_of(first) for result in self.results if {result.black, result.white} == met)

    def pair_points(self) -> list[float]:
        """The first engine's points in each finished pair of its games."""
        first, games = self.names[0], dict[int, list[float]]()
        for result in self.results:
            if first in (result.black, result.white):
                games.setdefault(result.pair, []).append(result.score_of(first))
        return [sum(points) for points in games.values() if len(points) == 2]

    def faults(self) -> Counter[tuple[str, str, str]]:
        """How often which engine did what: forfeits, resignations and false claims."""
        counted = Counter((result.culprit, result.reason, result.text) for result in self.results if result.culprit)
        for result in self.results:
            counted.update((name, "false claim", claim) for name, claim in result.claims.items())
            counted.update((name, "after the end", fault) for name, fault in result.late.items())
        return counted

    def _table(self) -> dict[tuple[int, int], Score]:
        table: dict[tuple[int, int], Score] = {}
        place = {name: index for index, name in enumerate(self.names)}
        for result in self.results:
            first, second = place[result.black], place[result.white]
            pairing = (min(first, second), max(first, second))
            points = total([result.score_of(self.names[pairing[0]])])
            table[pairing] = table.get(pairing, Score()) + points
        return table

    def _standing(self, index: int) -> Standing:
        name = self.names[index]
        black = total(result.score for result in self.results if result.black == name)
        white = total(1 - result.score for result in self.results if result.white == name)
        own = [result for result in self.results if name in (result.black, result.white)]
        times = [seconds for result in own for seconds in own_seconds(result, name)]
        return Standing(
            name,
            self.ratings.elo[index],
            self.ratings.error[index],
            black + white,
            black,
            white,
            sum(result.plies for result in own) / len(own) if own else 0.0,
            sum(times) / len(times) if times else 0.0,
            sum(result.culprit == name and result.reason != "resignation" for result in own),
        )


def own_seconds(result: Result, name: str) -> list[float]:
    """The time of each move that an engine thought about; passes count as plies, so colors alternate."""
    parity = 0 if result.black == name else 1
    return [seconds for ply, seconds in enumerate(result.seconds) if seconds is not None and ply % 2 == parity]


def write_standings(standings: Standings) -> Iterator[str]:
    """The table, line by line."""
    lines = standings.lines
    width = max(6, *(len(line.name) for line in lines))
    yield f"{'engine':<{width}}  {'Elo':>6} {'± 95%':>6} {'games':>6} {'score':>7}  {'':<16} {COLUMNS}"
    for line in lines:
        elo, error = f"{line.elo:+.0f}", f"{line.error:.0f}"
        rates = f"{line.black.rate:6.1%} {line.white.rate:7.1%}"
        yield (
            f"{line.name:<{width}}  {elo:>6} {error:>6} {line.score.games:>6} {line.score.rate:>7.1%}"
            f"  {line.score.text():<16} {rates} {line.plies:6.1f} {line.seconds:7.3f} {line.faults:6}"
        )
    if len(lines) > 2:
        yield from _crosstable(standings, [line.name for line in lines], width)
    yield from write_remarks(standings)
    for (name, reason, text), count in sorted(standings.faults().items()):
        yield f"{name}: {reason}, {count} times: {text}" if count > 1 else f"{name}: {reason}: {text}"


def write_remarks(standings: Standings) -> Iterator[str]:
    """What a reader of the table must know besides."""
    if len(standings.names) == 2:
        yield f"{standings.names[0]}: {write_duel(standings.between(*standings.names))}"
    if standings.settings.sprt is not None:
        yield write_test(standings.settings.sprt, standings.pair_points())
    if standings.ratings.bounded:
        yield "somebody won or lost everything: a draw was added to each pairing to keep the ratings finite"
    if len(standings.settings.programs) > 1:
        yield f"our engines were several programs: {', '.join(standings.settings.programs)}"


def write_test(sprt: Sprt, pairs: Sequence[float]) -> str:
    """How the sequential test stands."""
    ratio, (lower, upper) = sprt.ratio(pentanomial(pairs)), sprt.bounds
    taken = {"low": f"{sprt.low:g} Elo is accepted", "high": f"{sprt.high:g} Elo is accepted", None: "undecided"}
    return f"SPRT: log likelihood ratio {ratio:.2f} in {lower:.2f}..{upper:.2f}, {taken[sprt.verdict(ratio)]}"


def _crosstable(standings: Standings, names: Sequence[str], width: int) -> Iterator[str]:
    yield ""
    yield " " * width + "".join(f" {index:>13}" for index in range(1, len(names) + 1))
    for name in names:
        cells = ["" if name == other else standings.between(name, other) for other in names]
        texts = ["" if isinstance(cell, str) or not cell.games else cell.text() for cell in cells]
        yield f"{name:<{width}}" + "".join(f" {text:>13}" for text in texts)


def write_duel(score: Score) -> str:
    """One pairing in one line."""
    low, elo, high = elo_interval(score)
    return (
        f"{score.text()}, {score.rate:.1%}, Elo {_signed(elo)} ({_signed(low)} to {_signed(high)}), "
        f"superior with {superiority(score):.1%}"
    )


def _signed(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else "+inf" if elo > 0 else "-inf"
