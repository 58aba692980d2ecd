"""Plays engines against each other and says who is stronger, and how sure that is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from ..flags import BadFlagError
from .arguments import MatchParser, read_settings
from .crew import Crew
from .engines import read_engines, refuse_unable
from .openings import make_openings
from .pool import Pool, WorkerEndedError
from .program import programs_of
from .progress import Progress
from .records import write_game, write_missing
from .results import Folder, Result, writing
from .schedule import Fixture, fixtures
from .settings import Settings
from .table import Standings, write_standings


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the match that the words describe; what is finished stays in its folder."""
    given = MatchParser().parse_args(arguments)
    folder = Folder(Path(given.out or f"match-{datetime.now():%Y%m%d-%H%M%S-%f}"), mixed=given.mixed)
    settings = _settings(given, folder)
    status = run(settings, folder, Crew.of(settings, given))
    show(folder)
    return status


def _never(fixture: Fixture) -> bool:
    return False


def run(
    settings: Settings,
    folder: Folder,
    crew: Crew,
    is_spent: Callable[[Fixture], bool] = _never,
) -> int:
    """Play what is missing in the folder, as long as there is time for the next game; 130 when it was interrupted."""
    try:
        finished = folder.open(settings)
        with writing(folder.path):
            write_missing(folder.path, settings, finished.values())
        return _go_on(settings, folder, crew, is_spent, finished)
    finally:
        folder.close()


def _go_on(
    settings: Settings, folder: Folder, crew: Crew, is_spent: Callable[[Fixture], bool], finished: Mapping[int, Result]
) -> int:
    progress = Progress(settings, finished.values())
    missing = missing_games(settings, finished)
    print(f"extremum: {len(finished)} games finished, {len(missing)} to play, in {folder.path}", file=sys.stderr)
    if (rounds := settings.rounds) > (openings := len(settings.openings)):
        progress.say(f"{openings} openings for {rounds} rounds: engines without chance will play the same games again")
    try:
        if missing and not progress.decided:
            _play(settings, folder, missing, crew, progress, is_spent)
    except KeyboardInterrupt:
        return _stopped(folder, "interrupted", 130)
    except WorkerEndedError as error:
        return _stopped(folder, str(error), 1)
    except BadFlagError as error:  # the disk has taken no more
        return _stopped(folder, str(error), 2)
    return 0


def missing_games(settings: Settings, finished: Mapping[int, Result]) -> list[Fixture]:
    """What is not finished yet; the second game of a pair has the opening of the first, whatever came since."""
    begun = {result.pair: result.opening for result in finished.values()}
    wanted = [fixture for fixture in fixtures(settings) if fixture.number not in finished]
    return [replace(fixture, opening=begun.get(fixture.pair, fixture.opening)) for fixture in wanted]


def _stopped(folder: Folder, why: str, status: int) -> int:
    print(f"\nextremum: {why}; the same command with --out {folder.path} goes on", file=sys.stderr)
    return status


def show(folder: Folder) -> None:
    """Print the standings of a folder."""
    standings = Standings(folder.settings(), folder.results())
    if not standings.results:
        print("no game is finished")
        return
    for line in write_standings(standings):
        print(line)


def _play(
    settings: Settings,
    folder: Folder,
    missing: list[Fixture],
    crew: Crew,
    progress: Progress,
    is_spent: Callable[[Fixture], bool],
) -> None:
    with Pool(settings, crew.for_games(len(missing)), progress.say) as pool:
        wanted = _until(lambda fixture: progress.decided or is_spent(fixture), missing)
        for result in pool.play(wanted, progress.tick):
            folder.add(result)
            with writing(folder.path):
                write_game(folder.path, settings, result)
            progress.add(result)
            if progress.decided:
                break
    progress.end()


def _until(has_ended: Callable[[Fixture], bool], missing: Sequence[Fixture]) -> Iterator[Fixture]:
    for fixture in missing:
        if has_ended(fixture):
            return
        yield fixture


def _settings(given: argparse.Namespace, folder: Folder) -> Settings:
    engines = read_engines(given.engine, given.engines)
    if len(engines) < 2:
        raise BadFlagError("a match needs two engines")
    wanted = replace(read_settings(given), engines=tuple(engines), programs=programs_of(engines))
    refuse_unable(engines, wanted.make_game())
    known = folder.continued(wanted)
    openings = make_openings(wanted.source, wanted.opened_game(), wanted.rounds, wanted.seed, known)
    return replace(wanted, openings=tuple(openings))
