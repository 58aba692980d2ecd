"""The panels of the weakest mode: whom it must lose to, and how often it did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .binomial import clopper_pearson
from .referee import BOARD
from .results import Result

WINNERS, RANDOM, LOSERS, SERIOUS, TRAINED = "W", "R", "L1", "L2", "X"
MIRROR = "mirror"

# Opponents by game and panel: those who win, random, people who try to lose, serious losers, and one who was trained
# to lose to us. Whoever cannot play a board, such as one without weights for it, stays away.
PANELS = {
    "gomoku": {
        WINNERS: ("alphabeta depth=1", "alphabeta depth=2", "alphabeta depth=4", "strong", "beginner"),
        RANDOM: ("random",),
        LOSERS: ("naive-loser", "careful-loser", "argmin", "argmin-q", "never-five", "help"),
        SERIOUS: (MIRROR, "alphabeta mode=weakest depth=2", "alphabeta mode=weakest depth=4"),
        TRAINED: ("exploiter",),
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
        SERIOUS: ("alphabeta mode=weakest depth=2", "alphabeta mode=weakest depth=4", "alphabeta mode=weakest depth=6"),
        TRAINED: ("exploiter",),
    },
}


@dataclass(frozen=True, slots=True)
class Tally:
    """How one seat of one opponent went, from the side of the one who wants to lose."""

    losses: int
    draws: int
    wins: int
    own_faults: int  # games that the subject ended by a fault or a resignation: who wants to lose has not done it so
    other_faults: int  # games that its opponent ended so
    plies: float  # on average
    margin: float  # of the losses, on average

    @property
    def games(self) -> int:
        """How many ended on the board."""
        return self.losses + self.draws + self.wins

    @property
    def faults(self) -> str:
        """How many did not."""
        if not self.own_faults + self.other_faults:
            return "0"
        return f"{self.own_faults} own, {self.other_faults} other"


def opponents(game: str, added: Sequence[str]) -> list[tuple[str, str]]:
    """Panels and engines in order; whoever is added is a serious loser."""
    found = [(panel, text) for panel, texts in PANELS[game].items() for text in texts]
    return found + [(SERIOUS, text) for text in added]


def tally(results: Sequence[Result], subject: str, opponent: str, seat: str) -> Tally:
    """The subject's games against one opponent, with black, with white or with both."""
    seats = {"black": [subject], "white": [opponent], "both": [subject, opponent]}[seat]
    met = [result for result in results if {result.black, result.white} == {subject, opponent}]
    found = [result for result in met if result.black in seats]
    played = [result for result in found if result.reason == BOARD]
    values = [_value(result, subject) for result in played]
    margins = [_margin(result) for result, value in zip(played, values, strict=True) if value < 0]
    return Tally(
        values.count(-1),
        values.count(0),
        values.count(1),
        sum(result.culprit == subject for result in found),
        sum(result.culprit == opponent for result in found),
        sum(result.plies for result in played) / max(1, len(played)),
        sum(margins) / max(1, len(margins)),
    )


def write_panels(results: Sequence[Result], subject: str, against: Sequence[tuple[str, str]]) -> Iterator[str]:
    """The table in Markdown: a line for each opponent, with loss, draw and win in percent of each seat.

    Only games that ended on the board are counted; the others are faults.
    """
    yield "| panel | opponent | games | loss | 95 % | draw | win | black | white | plies | margin | faults |"
    yield "|---|---|---:|---:|---|---:|---:|---|---|---:|---:|---:|"
    for panel, opponent in against:
        found, *seats = (tally(results, subject, opponent, seat) for seat in ("both", "black", "white"))
        if found.games or found.faults != "0":
            sides = " | ".join(_seat(seat) for seat in seats)
            averages = f"{found.plies:.1f} | {found.margin:.1f}"
            yield f"| {panel} | {opponent} | {_figures(found)} | {sides} | {averages} | {found.faults} |"


def _figures(found: Tally) -> str:
    low, high = clopper_pearson(found.losses, found.games)
    games = max(1, found.games)
    return (
        f"{found.games} | {found.losses / games:.2%} | {low:.2%} to {high:.2%} | "
        f"{found.draws / games:.2%} | {found.wins / games:.2%}"
    )


def _seat(found: Tally) -> str:
    return "/".join(f"{100 * count / max(1, found.games):.0f}" for count in (found.losses, found.draws, found.wins))


def _value(result: Result, subject: str) -> int:
    """+1 when the subject won on the board, -1 when it lost."""
    if result.result == "0":
        return 0
    winner = result.black if result.result[0] == "B" else result.white
    return 1 if winner == subject else -1


def _margin(result: Result) -> int:
    margin = result.result.partition("+")[2]
    return int(margin) if margin.isdecimal() else 0
