"""The panels of the weakest mode: whom it must lose to, and how often it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .binomial import clopper_pearson
from .results import Result

WINNERS, RANDOM, LOSERS, SERIOUS = "W", "R", "L1", "L2"
MIRROR = "mirror"

# Opponents by game and panel: those who win, random, people who try to lose, serious losers.
PANELS = {
    "gomoku": {
        WINNERS: ("alphabeta depth=1", "alphabeta depth=2", "alphabeta depth=4", "strong", "beginner"),
        RANDOM: ("random",),
        LOSERS: ("naive-loser", "careful-loser", "argmin", "argmin-q", "never-five", "help"),
        SERIOUS: (MIRROR,),
    },
    "othello": {
        WINNERS: ("alphabeta depth=1", "alphabeta depth=4", "alphabeta depth=6", "strong depth=2", "greedy"),
        RANDOM: ("random",),
        LOSERS: (
            "greedy-loser",
            "textbook-loser depth=2",
            "textbook-loser depth=4",
            "textbook-loser depth=6",
            "argmin",
            "argmin-q depth=2",
            "sign-flip depth=2",
            "help",
            "monte-carlo",
        ),
        SERIOUS: (),
    },
}


@dataclass(frozen=True, slots=True)
class Tally:
    """How one seat of one opponent went, from the side of the one who wants to lose."""

    losses: int
    draws: int
    wins: int
    plies: float  # on average
    margin: float  # of the losses, on average

    @property
    def games(self) -> int:
        """How many there were."""
        return self.losses + self.draws + self.wins


def opponents(game: str, added: Sequence[str]) -> list[tuple[str, str]]:
    """Panels and engines in order; whoever is added is a serious loser."""
    found = [(panel, text) for panel, texts in PANELS[game].items() for text in texts]
    return found + [(SERIOUS, text) for text in added]


def tally(results: Sequence[Result], subject: str, opponent: str, seat: str) -> Tally:
    """The subject's games against one opponent, with black, with white or with both."""
    seats = {"black": [subject], "white": [opponent], "both": [subject, opponent]}[seat]
    found = [result for result in results if {result.black, result.white} == {subject, opponent}]
    played = [result for result in found if result.black in seats]
    values = [_value(result, subject) for result in played]
    margins = [_margin(result) for result, value in zip(played, values, strict=True) if value < 0]
    return Tally(
        values.count(-1),
        values.count(0),
        values.count(1),
        sum(result.plies for result in played) / max(1, len(played)),
        sum(margins) / max(1, len(margins)),
    )


def write_panels(results: Sequence[Result], subject: str, against: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The table in Markdown: a line for each opponent, with loss, draw and win in percent of each seat."""
    yield "| panel | opponent | games | loss | 95 % | draw | win | black | white | plies | margin |"
    yield "|---|---|---:|---:|---|---:|---:|---|---|---:|---:|"
    for panel, opponent in against:
        found, *seats = (tally(results, subject, opponent, seat) for seat in ("both", "black", "white"))
        if found.games:
            sides = " | ".join(_seat(seat) for seat in seats)
            yield f"| {panel} | {opponent} | {_figures(found)} | {sides} | {found.plies:.1f} | {found.margin:.1f} |"


def _figures(found: Tally) -> str:
    low, high = clopper_pearson(found.losses, found.games)
    return (
        f"{found.games} | {found.losses / found.games:.2%} | {low:.2%} to {high:.2%} | "
        f"{found.draws / found.games:.2%} | {found.wins / found.games:.2%}"
    )


def _seat(found: Tally) -> str:
    return "/".join(f"{100 * count / max(1, found.games):.0f}" for count in (found.losses, found.draws, found.wins))


def _value(result: Result, subject: str) -> int:
    """+1 when the subject won on the board, or by the other's fault; -1 when it lost."""
    if result.result == "0":
        return 0
    winner = result.black if result.result[0] == "B" else result.white
    return 1 if winner == subject else -1


def _margin(result: Result) -> int:
    margin = result.result.partition("+")[2]
    return int(margin) if margin.isdecimal() else 0
