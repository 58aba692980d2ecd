"""Which games are played: pairings by format, every opening from both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from .settings import Settings


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played."""

    number: int
    pair: int  # the two games of one opening
    black: int  # an index of the engines
    white: int
    opening: int  # an index of the openings


def pairings(count: int, manner: str) -> list[tuple[int, int]]:
    """Who meets whom: everybody, the first against the others, or neighbors up to N steps away in `ladder:N`.

    In `teams:N` each of the first N meets each of the others.
    """
    name, _, number = manner.partition(":")
    met = list(combinations(range(count), 2))
    match name:
        case "gauntlet":
            return [(first, second) for first, second in met if first == 0]
        case "ladder":
            return [(first, second) for first, second in met if second - first <= int(number or 1)]
        case "teams":
            return [(first, second) for first, second in met if first < int(number) <= second]
        case _:
            return met


def fixtures(settings: Settings) -> Iterator[Fixture]:
    """Every game in order: round by round, in each round every pairing twice."""
    pairs = pairings(len(settings.engines), settings.format)
    for turn in range(settings.rounds):
        for place, (first, second) in enumerate(pairs):
            pair = turn * len(pairs) + place
            opening = turn % len(settings.openings)
            yield Fixture(2 * pair, pair, first, second, opening)
            yield Fixture(2 * pair + 1, pair, second, first, opening)
