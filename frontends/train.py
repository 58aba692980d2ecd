"""Trains nets by self-play; a run that was stopped or killed goes on from its directory."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from ..engine.errors import EngineError
from ..engine.training.plot import plot
from ..engine.training.progress import words_of
from ..engine.training.run import Run, Settings, open_run
from .flags import BadFlagError

DEVICES = ("auto", "cpu", "cuda", "mps")
METHODS = ("net", "patterns")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the flags say; returns the exit status."""
    given = _parser().parse_args(arguments)
    logging.getLogger().setLevel(logging.ERROR)  # the quantizer advises what we have decided
    try:
        _do(given)
    except EngineError as error:
        raise BadFlagError(str(error)) from None
    return 0


def settings_of(given: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given, None for those that were not."""
    settings = {one.name: getattr(given, one.name) for one in fields(Settings)}
    if given.init is not None:
        settings["init"] = str(_weights(given.init))
    if given.game is None and given.size is None and given.rules is None and not given.misere:
        return settings
    if settings["mix"] is not None:
        raise BadFlagError("train: --mix says the games; leave out --game, --size, --rules and --misere")
    words = [given.game or "gomoku", str(given.size or 8), *([given.rules] if given.rules else [])]
    settings["mix"] = ":".join([*words, *(["misere"] if given.misere else []), "1"])
    return settings


def _weights(text: str) -> Path:
    """A file to begin with, by a name that holds wherever the run goes on."""
    path = Path(text).resolve()
    if not path.is_file():
        raise BadFlagError(f"train: weights '{text}' are missing")
    return path


def _do(given: argparse.Namespace) -> None:
    """One of the things that this command does."""
    if given.plot is not None:
        _say(f"drew {plot(Path(given.plot))}")
    elif given.ship is not None:
        from ..engine.training.ship import ship

        for path in ship(Path(given.ship[0]), given.ship[1]):
            _say(f"wrote {path}")
    elif given.table is not None:
        from ..engine.training.table import round_robin

        _say(f"wrote {round_robin(Path(given.table), given.yardgames or 40, _say, given.threads)}")
    elif given.run is not None and given.method == "patterns":
        _train_patterns(given)
    elif given.run is not None:
        _train(open_run(Path(given.run), settings_of(given)), given)
    else:
        raise BadFlagError("train: say where the run is kept, --run DIR")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadFlagError(f"train: {message}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="extremum train", description=__doc__, allow_abbrev=False)
    parser.add_argument("--run", metavar="DIR", help="the run's directory: made, or gone on with")
    parser.add_argument("--plot", metavar="DIR", help="draw the curves of a run, and do nothing else")
    parser.add_argument("--table", metavar="DIR", help="let the nets that a run kept play each other, and nothing else")
    parser.add_argument("--ship", nargs=2, metavar=("DIR", "NAME"), help="put a run's net among the shipped weights")
    parser.add_argument("--method", choices=METHODS, default="net", help="a net, or Othello's tables of patterns")
    parser.add_argument("--game", help="gomoku or othello, instead of a mix")
    parser.add_argument("--size", type=int, metavar="N", help="the board's size, 8 by default")
    parser.add_argument("--rules", metavar="RULE", help="freestyle, standard or renju")
    parser.add_argument("--misere", action="store_true", help="train for the weakest mode")
    parser.add_argument("--device", choices=DEVICES, default="auto", help="where learning runs")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads, 1 by default")
    for one in fields(Settings):
        how: dict[str, Any] = {"help": f"{one.metadata['help']}; {one.default!r} by default"}
        if isinstance(one.default, bool):
            how["action"] = argparse.BooleanOptionalAction
        else:
            how |= {"type": type(one.default), "metavar": type(one.default).__name__.upper()}
        parser.add_argument(f"--{one.name}", **how)
    return parser


def _train(run: Run, given: argparse.Namespace) -> None:
    from ..engine.training.loop import Training

    stopping = _Stopping()
    training = Training(run, _report(run.settings), stopping.has_come, device=given.device, threads=given.threads)
    _say(f"{run.folder}: {run.settings.mix}, {run.settings.net}; {training.replay.num_games} games so far")
    training.work()
    _say("stopped; the same command goes on" if stopping.has_come() else "the planned run is over")


def _train_patterns(given: argparse.Namespace) -> None:
    """Of the settings it knows hours, seed and init; it goes on from its directory like a net's run."""
    from ..engine.training.othello_patterns import train_patterns

    hours, seed = given.hours or Settings().hours, given.seed or Settings().seed
    init = None if given.init is None else _weights(given.init)
    try:
        train_patterns(Path(given.run), -1 if given.misere else 1, 60 * hours, seed, _say, init)
    except KeyboardInterrupt:
        _say("stopped; the same command goes on")


class _Stopping:
    """A first signal lets the loop write its checkpoint, a second one ends the process."""

    def __init__(self) -> None:
        self._has_come = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)

    def has_come(self) -> bool:
        return self._has_come

    def _note(self, number: int, frame: object) -> None:
        if self._has_come:
            raise KeyboardInterrupt
        self._has_come = True
        _say("writing a checkpoint")


def _report(settings: Settings) -> Any:
    def report(line: Mapping[str, object]) -> None:
        _say(words_of(line, settings.hours))

    return report


def _say(text: str) -> None:
    print(f"extremum: {text}", file=sys.stderr, flush=True)
