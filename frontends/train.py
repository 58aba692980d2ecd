"""Trains nets and the other players; a run that was stopped or killed goes on from its directory."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from ..engine.errors import EngineError
from ..engine.training.methods import METHODS, train
from ..engine.training.plot import plot
from ..engine.training.request import Request
from ..engine.training.run import Settings
from .flags import BadFlagError

DEVICES = ("auto", "cpu", "cuda", "mps")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the flags say; returns the exit status."""
    given = _parser().parse_args(arguments)
    logging.getLogger().setLevel(logging.ERROR)  # the quantizer advises what we have decided
    try:
        _do(given)
    except EngineError as error:
        raise BadFlagError(str(error)) from None
    return 0


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

        device = "cpu" if given.device == "auto" else given.device
        _say(f"wrote {round_robin(Path(given.table), given.yardgames or 40, _say, device, given.threads)}")
    elif given.run is not None:
        _train(given)
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
    parser.add_argument("--depth", type=int, metavar="N", help="exploit: how deep the frozen engine searches")
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


def _train(given: argparse.Namespace) -> None:
    settings = {one.name: getattr(given, one.name) for one in fields(Settings)}
    board = {name: getattr(given, name) for name in ("game", "size", "rules", "misere", "genome", "depth")}
    request = Request(Path(given.run), settings, **board, device=given.device, threads=given.threads)
    stopping = _Stopping()
    written = train(given.method, request, _say, stopping.has_come)
    _say(f"wrote {written}")
    _say("stopped; the same command goes on" if stopping.has_come() else "the planned run is over")


class _Stopping:
    """A first signal lets a run write its checkpoint, a second one ends the process."""

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


def _say(text: str) -> None:
    print(f"extremum: {text}", file=sys.stderr, flush=True)
