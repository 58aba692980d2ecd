"""Trains nets and the other players; a run that was stopped or killed goes on from its directory."""

from __future__ import annotations

import argparse
import logging
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn, TextIO

from ..engine.errors import EngineError
from ..engine.training.methods import METHODS, train
from ..engine.training.plot import plot
from ..engine.training.progress import Pulse
from ..engine.training.request import Request
from ..engine.training.run import Settings
from .flags import BadFlagError

DEVICES = ("auto", "cpu", "cuda", "mps")
ERASE = "\r\x1b[K"  # the line that the cursor is in
SELDOM = 20.0  # seconds


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the flags say; returns the exit status."""
    given = _parser().parse_args(arguments)
    logging.getLogger().setLevel(logging.ERROR)  # the quantizer advises what we have decided
    teller = Teller(sys.stderr)
    try:
        _do(given, teller)
    except EngineError as error:
        raise BadFlagError(str(error)) from None
    finally:
        teller.end()
    return 0


class Teller:
    """Tells a person how far a run has come: in lines that stay, and in a last one that the next replaces.

    Where there is no terminal the latter are lines, too, but only after a while in which nothing else was told.
    """

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._now = stream, now
        self._is_terminal = stream.isatty()
        self._is_shown = False
        self._told = now()

    def say(self, text: str) -> None:
        """Write a line that stays."""
        self.end()
        self._told = self._now()
        self._stream.write(f"extremum: {text}\n")
        self._stream.flush()

    def show(self, text: str) -> None:
        """Tell what is going on at this moment."""
        if self._is_terminal:
            width = shutil.get_terminal_size().columns
            self._stream.write(f"{ERASE}{f'extremum: {text}'[: width - 1]}")
            self._stream.flush()
            self._is_shown = True
        elif self._now() - self._told >= SELDOM:
            self.say(text)

    def end(self) -> None:
        """Take back what does not stay."""
        if self._is_shown:
            self._stream.write(ERASE)
            self._stream.flush()
        self._is_shown = False


def _do(given: argparse.Namespace, teller: Teller) -> None:
    """One of the things that this command does."""
    if given.plot is not None:
        teller.say(f"drew {plot(Path(given.plot))}")
    elif given.ship is not None:
        from ..engine.training.ship import ship

        for path in ship(Path(given.ship[0]), given.ship[1], report=teller.say):
            teller.say(f"wrote {path}")
    elif given.table is not None:
        _play_table(given, teller)
    elif given.run is not None:
        _train(given, teller)
    else:
        raise BadFlagError("train: say where the run is kept, --run DIR")


def _play_table(given: argparse.Namespace, teller: Teller) -> None:
    from ..engine.training.table import round_robin

    device = "cpu" if given.device == "auto" else given.device
    beat = Pulse(teller.show).beat
    path = round_robin(Path(given.table), given.yardgames or 40, teller.say, beat, device, given.threads)
    teller.say(f"wrote {path}")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadFlagError(f"train: {message}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="extremum train", description=__doc__, allow_abbrev=False)
    parser.add_argument("--run", metavar="DIR", help="the run's directory: made, or gone on with")
    parser.add_argument("--plot", metavar="DIR", help="draw the curves of a run, and do nothing else")
    parser.add_argument("--table", metavar="DIR", help="let the nets that a run kept play each other, and nothing else")
    parser.add_argument(
        "--ship", nargs=2, metavar=("DIR", "NAME"), help="put what a run made among the shipped weights"
    )
    methods = "; ".join(f"{name}: {method.words}" for name, method in METHODS.items())
    parser.add_argument("--method", choices=tuple(METHODS), default="net", help=methods)
    parser.add_argument("--game", help="gomoku or othello, instead of a mix")
    parser.add_argument("--size", type=int, metavar="N", help="the board's size, 8 by default")
    parser.add_argument("--rules", metavar="RULE", help="freestyle, standard or renju")
    parser.add_argument("--misere", action="store_true", help="train for the weakest mode")
    parser.add_argument("--genome", metavar="KIND", help="evolve: network, the default, or coefficients")
    parser.add_argument("--depth", type=int, metavar="N", help="patterns, exploit: how deep games are searched")
    parser.add_argument("--device", choices=DEVICES, default="auto", help="where a net learns")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads, 1 by default")
    for one in fields(Settings):
        how: dict[str, Any] = {"help": f"{one.metadata['help']}; {one.default!r} by default"}
        if isinstance(one.default, bool):
            how["action"] = argparse.BooleanOptionalAction
        else:
            how |= {"type": type(one.default), "metavar": type(one.default).__name__.upper()}
        parser.add_argument(f"--{one.name}", **how)
    return parser


def _train(given: argparse.Namespace, teller: Teller) -> None:
    settings = {one.name: getattr(given, one.name) for one in fields(Settings)}
    if given.threads < 1:
        raise BadFlagError(f"train: unacceptable threads: {given.threads} is less than 1")
    board = {name: getattr(given, name) for name in ("game", "size", "rules", "misere", "genome", "depth")}
    where = {"device": given.device, "threads": given.threads, "show": teller.show}
    request = Request(Path(given.run), settings, **board, **where)
    stopping = _Stopping(teller.say)
    written = train(given.method, request, teller.say, stopping.has_come)
    teller.say(f"wrote {written}")
    teller.say("stopped; the same command goes on" if stopping.has_come() else "the planned run is over")


class _Stopping:
    """A first signal lets a run write its checkpoint, a second one ends the process."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._has_come, self._say = False, say
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)

    def has_come(self) -> bool:
        return self._has_come

    def _note(self, number: int, frame: object) -> None:
        if self._has_come:
            raise KeyboardInterrupt
        self._has_come = True
        self._say("writing a checkpoint")
