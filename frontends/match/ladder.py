"""Plays our levels, brains, modes and reference players against each other, and writes the table of strength."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from ..flags import BadFlagError
from .arguments import add_pace, add_rules, add_run, positive, read_settings, whole
from .crew import Crew
from .engines import Engine, refuse_unable
from .entrants import ZERO, able, limited, losing, winning
from .main import run
from .openings import KINDS, make_openings
from .panels import MIRROR, opponents, write_panels
from .program import programs_of
from .results import Folder, Result, write_whole
from .schedule import Fixture, pairings
from .settings import Settings
from .strength import is_rising, level_name, write_dial, write_ratings
from .table import Standings

LEVELS = tuple(range(0, 101, 10))
REACH = 3  # levels meet their neighbors up to so many steps away
DIAL, WINNING, LOSING = "dial", "winning", "losing"
TITLES = {
    DIAL: "the levels, winning Elo",
    WINNING: "players who want to win, winning Elo",
    LOSING: "players who want to lose, losing Elo",
}


class LadderParser(argparse.ArgumentParser):
    """Reads the command line; says what is wrong in one line."""

    def __init__(self) -> None:
        super().__init__("extremum ladder", description=__doc__, allow_abbrev=False)
        add = self.add_argument
        add("--weakest", action="store_true", help="play the panels of the weakest mode instead")
        add("--engine", metavar="ENGINE", default="auto mode=weakest", help="who wants to lose in the panels")
        add("--against", action="append", default=[], metavar="ENGINE", help="one more player; may be repeated")
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


@dataclass(frozen=True, slots=True)
class _Part:
    """A match of the ladder, in a folder of its own."""

    title: str
    settings: Settings

    @property
    def weight(self) -> int:
        """What it has to play, beside the others."""
        return len(pairings(len(self.settings.engines), self.settings.format))


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the tables, print them, and write them to `table.md` in the folder; 1 when a level is out of order."""
    words = sys.argv[2:] if arguments is None else list(arguments)
    given = LadderParser().parse_args(words)
    folder = Path(given.out or f"ladder-{given.game}")
    blank = read_settings(given)
    openings = make_openings(blank.source, blank.make_game(), blank.rounds, blank.seed)
    blank = replace(blank, openings=tuple(openings))
    parts = list((_panels if given.weakest else _tables)(given, blank))
    status = _play(given, folder, parts)
    if status:
        return status
    lines = [f"`extremum {shlex.join(['ladder', *words])}`", ""]
    lines += _told_panels(given, folder, parts) if given.weakest else _told_tables(given, folder, parts)
    write_whole(folder / "table.md", "\n".join(lines) + "\n")
    print("\n".join(lines))
    return 0 if given.weakest else int(not _is_in_order(given, folder, parts))


def _play(given: argparse.Namespace, folder: Path, parts: Sequence[_Part]) -> int:
    """Play each part within its share of the time that is left."""
    end = None if given.minutes is None else time.monotonic() + 60 * given.minutes
    for index, part in enumerate(parts):
        share = part.weight / sum(other.weight for other in parts[index:])
        crew = Crew.of(part.settings, given)
        home = Folder(folder / part.title, mixed=given.mixed)
        status = run(part.settings, home, crew, is_spent=_clock(end, share, part.weight))
        if status:
            return status
    return 0


def _clock(end: float | None, share: float, weight: int) -> Callable[[Fixture], bool]:
    """Says when the time of a part is spent; the first round is played in any case, for a table needs it."""
    if end is None:
        return lambda fixture: False
    now = time.monotonic()
    part_end = now + share * (end - now)
    return lambda fixture: fixture.pair >= weight and time.monotonic() >= part_end


def _tables(given: argparse.Namespace, blank: Settings) -> Iterator[_Part]:
    game, visits = blank.make_game(), given.visits
    levels = limited([level_name(level) for level in given.levels], game, visits)
    yield _part(blank, DIAL, levels, f"ladder:{REACH}")
    yield _part(blank, WINNING, winning(game, visits, given.against), "round-robin")
    yield _misere(_part(blank, LOSING, losing(game, visits, given.against), "round-robin"))


def _panels(given: argparse.Namespace, blank: Settings) -> Iterator[_Part]:
    """The opponents; those who mirror begin on the empty board, for an opening has broken the symmetry."""
    against = [text for _, text in opponents(given.game, given.against)]
    for title, texts in (("panels", [text for text in against if text != MIRROR]), (MIRROR, [MIRROR])):
        if title == MIRROR and MIRROR not in against:
            continue
        game = blank.make_game()
        engines = limited([given.engine], game, given.visits) + able(texts, game, given.visits)
        part = _misere(_part(blank, f"weakest-{title}", engines, "gauntlet"))
        bare = replace(part.settings, source="none", openings=((),))
        yield replace(part, settings=bare) if title == MIRROR else part


def _part(blank: Settings, title: str, engines: Sequence[Engine], manner: str) -> _Part:
    refuse_unable(engines, blank.make_game())
    return _Part(title, replace(blank, engines=tuple(engines), format=manner, programs=programs_of(engines)))


def _misere(part: _Part) -> _Part:
    """The same where the loser on the board has the point."""
    return replace(part, settings=replace(part.settings, misere=True))


def _told_tables(given: argparse.Namespace, folder: Path, parts: Sequence[_Part]) -> Iterator[str]:
    for part in parts:
        standings = _standings(folder, part)
        yield f"### {_board(part.settings)}: {TITLES[part.title]}"
        yield ""
        yield from write_dial(standings, given.levels) if part.title == DIAL else write_ratings(standings, ZERO)
        yield ""


def _told_panels(given: argparse.Namespace, folder: Path, parts: Sequence[_Part]) -> Iterator[str]:
    results = [result for part in parts for result in _results(folder, part)]
    yield f"### {_board(parts[0].settings)}: {given.engine}, who wants to lose"
    yield ""
    yield from write_panels(results, given.engine, opponents(given.game, given.against))


def _is_in_order(given: argparse.Namespace, folder: Path, parts: Sequence[_Part]) -> bool:
    return all(is_rising(_standings(folder, part), given.levels) for part in parts if part.title == DIAL)


def _standings(folder: Path, part: _Part) -> Standings:
    return Standings(part.settings, _results(folder, part))


def _results(folder: Path, part: _Part) -> list[Result]:
    return Folder(folder / part.title).results()


def _board(settings: Settings) -> str:
    return f"{settings.game} {settings.size}x{settings.size}"


def _levels(text: str) -> tuple[int, ...]:
    try:
        levels = tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError:
        levels = ()
    if len(levels) < 2 or not all(0 <= level <= 100 for level in levels):
        raise argparse.ArgumentTypeError(f"'{text}' is no list of levels")
    return levels
