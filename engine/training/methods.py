"""The methods of training, all in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from ..errors import EngineError
from .request import Request, Say, ShouldStop
from .run import Settings

EVERYWHERE = ("hours", "seed")  # the settings that every method takes
BOARD = ("game", "size", "rules", "misere")


@dataclass(frozen=True, slots=True)
class Method:
    """A way to train."""

    place: str  # module:function, which takes a request, somebody to tell, and who says that it is to stop
    words: str
    flags: tuple[str, ...]  # what it takes beside what all take


# A new method is one file here and one line in this table.
METHODS: Mapping[str, Method] = {
    "net": Method("by_net:train_net", "a net, by self-play", (*Settings.__dataclass_fields__, *BOARD)),
    "patterns": Method(
        "by_patterns:train_tables", "Othello's tables of patterns", ("game", "size", "misere", "depth", "init")
    ),
    "dqn": Method("dqn:train_dqn", "action values of Othello", ("games", "game", "size", "misere")),
    "evolve": Method(
        "evolve:train_evolved", "evaluations of Othello that evolve", ("games", "game", "size", "misere", "genome")
    ),
    "misere": Method("by_misere:train_misere", "weights of the weakest Gomoku", ("games", "cycle", "game", "size")),
    "exploit": Method(
        "exploit:train_exploiter", "one who loses to the weakest mode", ("games", "game", "size", "depth")
    ),
}


def train(name: str, request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Train by a method; returns the file that came of it. EngineError for what the method does not take."""
    method = METHODS[name]
    for flag in given_flags(request):
        if flag not in (*EVERYWHERE, *method.flags):
            raise EngineError(f"the method '{name}' does not take --{flag}")
    Settings(**{key: value for key, value in request.settings.items() if value is not None and key in EVERYWHERE})
    module, function = method.place.split(":")
    written: Path = getattr(import_module(f".{module}", __package__), function)(request, say, should_stop)
    return written


def given_flags(request: Request) -> list[str]:
    """What somebody said, beside where the run is kept and where it runs."""
    said = [name for name, value in request.settings.items() if value is not None]
    others = (*BOARD, "genome", "depth")
    return said + [name for name in others if getattr(request, name) not in (None, False)]
