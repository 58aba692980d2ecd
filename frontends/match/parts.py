"""The parts of a ladder, each a match in a folder of its own: who plays in it, and how it is told.

Between two levels a misère match has the same games as an ordinary one, for a level plays as it plays, and its table
would be the other with its signs turned round. What a level is worth as a loser is measured against players who want
to lose instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .engines import Engine, refuse_unable
from .entrants import ZERO, able, dial, limited, losing, references, winning
from .openings import make_openings
from .panels import MIRROR, opponents, write_panels
from .program import programs_of
from .results import SETTINGS, Folder, write_whole
from .schedule import pairings
from .settings import Settings
from .strength import is_in_order, write_dial, write_ratings
from .table import Standings

REACH = 3  # levels meet their neighbors up to so many steps away
DIAL, WINNING, LOSING, LOSING_DIAL = "dial", "winning", "losing", "losing-dial"
TITLES = {
    DIAL: "the levels, winning Elo",
    WINNING: "players who want to win, winning Elo",
    LOSING: "players who want to lose, losing Elo",
    LOSING_DIAL: "the levels against players who want to lose, losing Elo",
}
COMMAND = "command.txt"


@dataclass(frozen=True, slots=True)
class Part:
    """A match of the ladder."""

    title: str
    settings: Settings

    @property
    def weight(self) -> int:
        """What it has to play, beside the others."""
        return len(pairings(len(self.settings.engines), self.settings.format))

    def note(self, folder: Path, command: str) -> None:
        """Keep the command that has played it last."""
        write_whole(folder / self.title / COMMAND, command + "\n")


def make_tables(given: argparse.Namespace, blank: Settings) -> Iterator[Part]:
    """The tables that are wanted."""
    game, visits = blank.make_game(), given.visits
    wanted = given.part or TITLES
    if DIAL in wanted:
        yield _part(blank, DIAL, dial(given.levels, game, visits), f"ladder:{REACH}")
    if WINNING in wanted:
        yield _part(blank, WINNING, winning(game, visits, given.against), "round-robin")
    misere = replace(blank, misere=True)
    if LOSING in wanted:
        yield _part(misere, LOSING, losing(game, visits, given.against), "round-robin")
    if LOSING_DIAL in wanted:
        engines = dial(given.levels, game, visits) + references(game)
        yield _part(misere, LOSING_DIAL, engines, f"teams:{len(given.levels)}")


def make_panels(given: argparse.Namespace, blank: Settings) -> Iterator[Part]:
    """The opponents; those who mirror begin on the empty board, for an opening has broken the symmetry."""
    against = [text for _, text in opponents(given.game, given.against)]
    misere, game = replace(blank, misere=True), blank.make_game()
    for title, texts in (("panels", [text for text in against if text != MIRROR]), (MIRROR, [MIRROR])):
        if title == MIRROR and MIRROR not in against:
            continue
        engines = limited([given.engine], game, given.visits) + able(texts, game, given.visits)
        source = replace(misere, source="none") if title == MIRROR else misere
        yield _part(source, f"weakest-{title}", engines, "gauntlet")


def tell_tables(folder: Path) -> tuple[list[str], int]:
    """Every table that the folder holds, whenever it was played, and 1 when a level is out of order."""
    lines, status = list[str](), 0
    for title in TITLES:
        if not (folder / title / SETTINGS).exists():
            continue
        home = Folder(folder / title)
        standings = Standings(home.settings(), home.results())
        is_dial = title in (DIAL, LOSING_DIAL)
        lines += [f"### {_board(standings.settings)}: {TITLES[title]}", "", *_command(folder / title)]
        lines += [*(write_dial(standings) if is_dial else write_ratings(standings, ZERO)), ""]
        status |= is_dial and not is_in_order(standings)
    return lines, status


def tell_panels(given: argparse.Namespace, folder: Path, parts: Sequence[Part], command: str) -> tuple[list[str], int]:
    """The panels in one table."""
    results = [result for part in parts for result in Folder(folder / part.title).results()]
    title = f"### {_board(parts[0].settings)}: {given.engine}, who wants to lose"
    table = write_panels(results, given.engine, opponents(given.game, given.against))
    return [title, "", command, "", *table], 0


def _part(blank: Settings, title: str, engines: Sequence[Engine], manner: str) -> Part:
    refuse_unable(engines, blank.make_game())
    openings = make_openings(blank.source, blank.opened_game(), blank.rounds, blank.seed)
    made = replace(blank, engines=tuple(engines), format=manner, programs=programs_of(engines))
    return Part(title, replace(made, openings=tuple(openings)))


def _command(folder: Path) -> list[str]:
    """The command of a table above it, once it is known."""
    file = folder / COMMAND
    return [file.read_text().strip(), ""] if file.exists() else []


def _board(settings: Settings) -> str:
    return f"{settings.game} {settings.size}x{settings.size}"
