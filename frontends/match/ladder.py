"""Plays our levels, brains, modes and reference players against each other, and writes the table of strength."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from ..flags import BadFlagError
from .arguments import add_pace, add_rules, add_run, read_settings, whole
from .crew import Crew
from .engines import Engine, read_engines
from .main import run
from .openings import make_openings
from .panels import opponents, write_panels
from .results import Folder, Result, write_whole
from .settings import Settings
from .table import Standings

LEVELS = tuple(range(0, 101, 10))
REACH = 3  # levels meet their neighbors up to so many steps away
ZERO = "random"  # whose rating is zero
# Those who want to win and those who want to lose, by game; each has a table of its own.
WINNERS = {
    "gomoku": ("beginner", "strong", "rollout", "minimax", "alphabeta"),
    "othello": ("greedy", "strong depth=2", "rollout", "minimax", "alphabeta"),
}
LOSERS = {
    "gomoku": ("naive-loser", "careful-loser", "argmin", "mirror", "rollout mode=weakest", "alphabeta mode=weakest"),
    "othello": (
        "greedy-loser",
        "textbook-loser depth=2",
        "textbook-loser depth=4",
        "sign-flip depth=2",
        "rollout mode=weakest",
        "alphabeta mode=weakest",
    ),
}
MIRROR = "mirror"
SEARCHERS = ("auto", "rollout", "minimax", "alphabeta", "mcts")


class LadderParser(argparse.ArgumentParser):
    """Reads the command line; says what is wrong in one line."""

    def __init__(self) -> None:
        super().__init__("extremum ladder", description=__doc__, allow_abbrev=False)
        add = self.add_argument
        add("--weakest", action="store_true", help="play the panels of the weakest mode instead")
        add("--engine", metavar="ENGINE", help="who wants to lose in the panels (default 'auto mode=weakest visits=N')")
        add("--against", action="append", default=[], metavar="ENGINE", help="one more player; may be repeated")
        add(
            "--levels",
            type=_levels,
            default=LEVELS,
            metavar="N,N,...",
            help="levels of the dial (default 0,10,...,100)",
        )
        add("--games", type=whole, default=100, help="games of each pairing (default 100)")
        add("--visits", type=whole, default=2000, help="most playouts or nodes a move of a search (default 2000)")
        add("--openings", default="random", help="none, random[:PLIES], balanced[:PLIES], book, or a file")
        add_rules(self)
        add_pace(self)
        add_run(self)
        self.set_defaults(format="", misere=False)

    def error(self, message: str) -> NoReturn:
        """Refuse in one line."""
        raise BadFlagError(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the tables, print them, and write them to `table.md` in the folder."""
    given = LadderParser().parse_args(arguments)
    folder = Path(given.out or f"ladder-{given.game}")
    blank = read_settings(given)
    openings = make_openings(blank.source, blank.make_game(), blank.rounds, blank.seed)
    blank = replace(blank, openings=tuple(openings))
    if given.weakest:
        return _weakest(given, folder, blank)
    parts = list[str]()
    for title, engines, manner, misere in _tables(given):
        settings = replace(blank, engines=tuple(engines), format=manner, misere=misere)
        place = Folder(folder / title)
        status = run(settings, place, Crew.of(settings, given))
        if status:
            return status
        parts += [f"### {settings.game} {settings.size}x{settings.size}: {TITLES[title]}", ""]
        parts += [*_rows(Standings(settings, place.results())), ""]
    return _write(folder, parts)


TITLES = {
    "dial": "the levels, winning Elo",
    "winning": "players who want to win, winning Elo",
    "losing": "players who want to lose, losing Elo",
}


def _tables(given: argparse.Namespace) -> Iterator[tuple[str, list[Engine], str, bool]]:
    levels = [f"level={level}" for level in given.levels]
    yield "dial", _engines(given, levels), f"ladder:{REACH}", False
    yield "winning", _engines(given, [ZERO, *WINNERS[given.game], *given.against]), "round-robin", False
    yield "losing", _engines(given, [ZERO, *LOSERS[given.game], *given.against]), "round-robin", True


def _engines(given: argparse.Namespace, texts: Sequence[str]) -> list[Engine]:
    """Engines under their plain names; those that search do so for the same number of visits."""
    return [
        replace(engine, name=text) for text, engine in zip(texts, read_engines(_limited(given, texts)), strict=True)
    ]


def _limited(given: argparse.Namespace, texts: Sequence[str]) -> list[str]:
    limit = f" visits={given.visits}"
    return [text + limit if _searches(text) else text for text in texts]


def _searches(text: str) -> bool:
    """True for a search of ours that has no limit of its own."""
    words = text.split()
    named = words[0] in SEARCHERS or ("=" in words[0] and ":" not in text)
    return named and not any(word.startswith(("visits=", "depth=", "movetime=")) for word in words)


def _weakest(given: argparse.Namespace, folder: Path, blank: Settings) -> int:
    against = opponents(given.game, given.against)
    subject = given.engine or "auto mode=weakest"
    results = list[Result]()
    for title, texts in _panels([text for _, text in against]):
        engines = tuple(_engines(given, [subject, *texts]))
        settings = replace(blank, engines=engines, format="gauntlet", misere=True)
        if title == MIRROR:
            settings = replace(settings, source="none", openings=((),))
        place = Folder(folder / f"weakest-{title}")
        status = run(settings, place, Crew.of(settings, given))
        if status:
            return status
        results += place.results()
    title = f"### {blank.game} {blank.size}x{blank.size}: {subject}, who wants to lose"
    return _write(folder, [title, "", *write_panels(results, subject, against)])


def _panels(texts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The opponents; those who mirror begin on the empty board, for an opening has broken the symmetry."""
    yield "panels", [text for text in texts if text != MIRROR]
    if MIRROR in texts:
        yield MIRROR, [MIRROR]


def _rows(standings: Standings) -> Iterator[str]:
    """A table in Markdown, its zero being the random player, who is also level 50."""
    zero = next((name for name in (ZERO, "level=50") if name in standings.names), None)
    place = None if zero is None else standings.names.index(zero)
    yield "| player | Elo | ± 95 % | games | score | faults |"
    yield "|---|---:|---:|---:|---:|---:|"
    for line in standings.lines:
        index = standings.names.index(line.name)
        elo, error = (line.elo, line.error) if place is None else standings.ratings.difference(index, place)
        yield f"| {line.name} | {elo:+.0f} | {error:.0f} | {line.score.games} | {line.score.rate:.1%} | {line.faults} |"
    if standings.ratings.bounded:
        yield ""
        yield "Somebody won or lost everything: a draw was added to each pairing to keep the ratings finite."


def _write(folder: Path, lines: Sequence[str]) -> int:
    write_whole(folder / "table.md", "\n".join(lines) + "\n")
    print("\n".join(lines))
    return 0


def _levels(text: str) -> tuple[int, ...]:
    try:
        levels = tuple(int(word) for word in text.split(","))
    except ValueError:
        levels = ()
    if len(levels) < 2 or not all(0 <= level <= 100 for level in levels):
        raise argparse.ArgumentTypeError(f"'{text}' is no list of levels")
    return levels
