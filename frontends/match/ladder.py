"""Plays our levels, brains, modes and reference players against each other, and writes the table of strength."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from ..flags import BadFlagError
from .arguments import add_pace, add_rules, add_run, positive, read_settings, whole
from .crew import Crew
from .main import run
from .openings import KINDS
from .parts import TITLES, Part, make_panels, make_tables, tell_panels, tell_tables
from .results import Folder, write_whole
from .schedule import Fixture

LEVELS = tuple(range(0, 101, 10))


class LadderParser(argparse.ArgumentParser):
    """Reads the command line; says what is wrong in one line."""

    def __init__(self) -> None:
        super().__init__("extremum ladder", description=__doc__, allow_abbrev=False)
        add = self.add_argument
        add("--weakest", action="store_true", help="play the panels of the weakest mode instead")
        add("--engine", metavar="ENGINE", default="auto mode=weakest", help="who wants to lose in the panels")
        add("--against", action="append", default=[], metavar="ENGINE", help="one more player; may be repeated")
        part = "play this table only, the others stay as they are; may be repeated (default all)"
        add("--part", action="append", choices=tuple(TITLES), help=part)
        levels = "levels of the dial (default 0,10,...,100)"
        add("--levels", type=_levels, default=LEVELS, metavar="N,N,...", help=levels)
        add("--games", type=whole, default=100, help="games of each pairing at most (default 100)")
        add("--minutes", type=positive, help="begin no round after so many; the next run goes on (default no limit)")
        effort = "playouts a move of mcts; other searches have as many as take about as long (default 100)"
        add("--visits", type=whole, default=100, help=effort)
        add("--openings", default="random", help=KINDS)
        add_rules(self)
        add_pace(self)
        add_run(self)
        self.set_defaults(format="", misere=False, sprt=None)

    def error(self, message: str) -> NoReturn:
        """Refuse in one line."""
        raise BadFlagError(message)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the tables, print them, and write them to `table.md` in the folder; 1 when a level is out of order."""
    words = sys.argv[2:] if arguments is None else list(arguments)
    given = LadderParser().parse_args(words)
    if given.weakest and given.part:
        raise BadFlagError("--part is of the tables, and --weakest plays the panels")
    folder = Path(given.out or f"ladder-{given.game}")
    command = f"`extremum {shlex.join(['ladder', *words])}`"
    parts = list((make_panels if given.weakest else make_tables)(given, read_settings(given)))
    if status := _play(given, folder, parts, command):
        return status
    lines, status = tell_panels(given, folder, parts, command) if given.weakest else tell_tables(folder)
    write_whole(folder / "table.md", "\n".join(lines) + "\n")
    print("\n".join(lines))
    return status


def _play(given: argparse.Namespace, folder: Path, parts: Sequence[Part], command: str) -> int:
    """Play each part within its share of the time that is left."""
    end = None if given.minutes is None else time.monotonic() + 60 * given.minutes
    for index, part in enumerate(parts):
        share = part.weight / sum(other.weight for other in parts[index:])
        home = Folder(folder / part.title, mixed=given.mixed)
        crew = Crew.of(part.settings, given)
        if status := run(part.settings, home, crew, is_spent=_clock(end, share, part.weight)):
            return status
        part.note(folder, command)
    return 0


def _clock(end: float | None, share: float, weight: int) -> Callable[[Fixture], bool]:
    """Says when the time of a part is spent; the first round is played in any case, for a table needs it."""
    if end is None:
        return lambda fixture: False
    now = time.monotonic()
    part_end = now + share * (end - now)
    return lambda fixture: fixture.pair >= weight and time.monotonic() >= part_end


def _levels(text: str) -> tuple[int, ...]:
    try:
        levels = tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError:
        levels = ()
    if len(levels) < 2 or not all(0 <= level <= 100 for level in levels):
        raise argparse.ArgumentTypeError(f"'{text}' is no list of levels")
    return levels
