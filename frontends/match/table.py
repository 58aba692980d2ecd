"""The standings: what the results of a match say, as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...protocol.clients.fault import Kind
from .elo import Ratings, rate
from .referee import BOARD, RESIGNS
from .results import Result
from .score import Score, elo_interval, superiority, total
from .settings import Settings
from .sprt import Sprt, pentanomial

COLUMNS = " black   white  plies  s/move faults"
MOST_NUMBERS = 5  # of games in a line


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
    ahead: float | None = None  # how sure it is that it is stronger than the next one, if they can be compared


class Standings:
    """Everything that a list of results says."""

    def __init__(self, settings: Settings, results: Sequence[Result]) -> None:
        self.settings = settings
        self.names = [engine.name for engine in settings.engines]
        self.results = sorted(results, key=lambda result: result.number)
        self.ratings: Ratings = rate(len(self.names), self._table())
        played = {name for result in self.results for name in (result.black, result.white)}
        self.unrated = [name for name in self.names if name not in played]  # for they have no games
        self._rated = [index for index, name in enumerate(self.names) if name in played]

    @property
    def lines(self) -> list[Standing]:
        """The engines that have played, best first; equals in their order, whatever the last digits are."""
        ranked = sorted(self._rated, key=lambda index: -round(self.ratings.elo[index], 6))
        ahead = [self._ahead(first, second) for first, second in pairwise(ranked)]
        return [replace(self._standing(index), ahead=sure) for index, sure in zip(ranked, [*ahead, None], strict=True)]

    @property
    def is_split(self) -> bool:
        """True when some who have played have not met, not even through others: their ratings say nothing together."""
        return any(not self.ratings.met[self._rated[0], index] for index in self._rated)

    @property
    def repeats(self) -> int:
        """How many games were the same as another one from the first move to the last."""
        whole = [result for result in self.results if result.reason in (BOARD, RESIGNS)]
        return len(whole) - len({(result.black, result.white, *result.moves) for result in whole})

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

    def faults(self) -> dict[tuple[str, str, str], list[int]]:
        """Which engine did what, in which games: forfeits, false claims, and what came after the end."""
        found: dict[tuple[str, str, str], list[int]] = {}
        for result in self.results:
            faults = [(result.culprit, result.reason, result.text)] if result.has_fault else []
            for name, claim in result.claims.items():
                told = claim.removeprefix(f"{Kind.CLAIM}: ")
                faults.append((name, str(Kind.CLAIM), f"{told} instead of {result.result}"))
            faults += [(name, "after the end", fault) for name, fault in result.late.items()]
            for fault in faults:
                found.setdefault(fault, []).append(result.number)
        return dict(sorted(found.items()))

    def resignations(self) -> dict[str, list[int]]:
        """Who has resigned in which games."""
        found: dict[str, list[int]] = {}
        for result in self.results:
            if result.reason == RESIGNS:
                found.setdefault(result.culprit, []).append(result.number)
        return found

    def _ahead(self, first: int, second: int) -> float | None:
        return self.ratings.superiority(first, second) if self.ratings.met[first, second] else None

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
            sum(result.culprit == name and result.has_fault for result in own),
        )


def own_seconds(result: Result, name: str) -> list[float]:
    """The time of each move that an engine thought about; passes count as plies, so colors alternate."""
    parity = 0 if result.black == name else 1
    return [seconds for ply, seconds in enumerate(result.seconds) if seconds is not None and ply % 2 == parity]


def write_standings(standings: Standings) -> Iterator[str]:
    """The table, line by line."""
    lines = standings.lines
    width = max(6, *(len(name) for name in standings.names))
    some = len(standings.names) > 2
    ahead = "  ahead" if some else ""
    yield f"{'engine':<{width}}  {'Elo':>6} {'± 95%':>6} {'games':>6} {'score':>7}  {'':<16} {COLUMNS}{ahead}"
    for line in lines:
        elo, error = f"{line.elo:+.0f}", f"{line.error:.0f}"
        rates = f"{line.black.rate:6.1%} {line.white.rate:7.1%}"
        ahead = "" if line.ahead is None or not some else f" {line.ahead:6.1%}"
        yield (
            f"{line.name:<{width}}  {elo:>6} {error:>6} {line.score.games:>6} {line.score.rate:>7.1%}"
            f"  {line.score.text():<16} {rates} {line.plies:6.1f} {line.seconds:7.3f} {line.faults:6}{ahead}"
        )
    for name in standings.unrated:
        yield f"{name:<{width}}  {'-':>6} {'-':>6} {0:>6}"
    if some:
        yield from _crosstable(standings, [line.name for line in lines], width)
    yield from write_remarks(standings)
    for name, numbers in standings.resignations().items():
        yield f"{name}: resigned {write_games(numbers)}"
    for (name, reason, text), numbers in standings.faults().items():
        yield f"{name}: {reason} {write_games(numbers)}: {text}"


def write_games(numbers: Sequence[int]) -> str:
    """Games by number, the first ones of many."""
    if len(numbers) == 1:
        return f"in game {numbers[0]}"
    listed = ", ".join(str(number) for number in numbers[:MOST_NUMBERS])
    return f"{len(numbers)} times, in games {listed}{', ...' if len(numbers) > MOST_NUMBERS else ''}"


def write_remarks(standings: Standings) -> Iterator[str]:
    """What a reader of the table must know besides."""
    if len(standings.names) == 2:
        yield f"{standings.names[0]}: {write_duel(standings.between(*standings.names))}"
    if standings.settings.sprt is not None:
        yield write_test(standings.settings.sprt, standings.pair_points())
    for name in standings.unrated:
        yield f"{name}: no rating, for it has not played"
    if standings.is_split:
        yield "some engines have not met, not even through others: their ratings cannot be compared"
    if standings.ratings.bounded:
        yield "somebody won or lost everything: a draw was added to each pairing to keep the ratings finite"
    if standings.repeats:
        games = f"{standings.repeats} of {len(standings.results)} games"
        yield f"{games} were the same as another one: the errors are larger than they look"
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
