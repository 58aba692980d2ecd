"""A net's run, as a method of training."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import EngineError
from ..nets.runtime import choose_device
from .loop import Training
from .progress import words_of
from .request import Request, Say, ShouldStop
from .run import open_run


def train_net(request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Train until the plan is over, going on where the run was left; returns the file of weights."""
    choose_device(request.device)  # refused, if it is, before anything is made
    run = open_run(request.folder, _settings(request))

    def report(line: Mapping[str, Any]) -> None:
        say(words_of(line, run.settings.hours, run.settings.games))

    try:
        training = Training(run, report, should_stop, show=request.show, device=request.device, threads=request.threads)
        say(f"{run.folder}: {run.settings.mix}, {run.settings.net}; {training.replay.num_games} games so far")
        training.work()
    finally:
        run.close()
    return run.net.with_suffix(".safetensors")


def _settings(request: Request) -> dict[str, Any]:
    """The settings that were given, the games as a mix."""
    settings = dict(request.settings)
    if request.init is not None:
        settings["init"] = str(request.init)
    if request.size is None and not (request.game or request.rules or request.misere):
        return settings
    if settings.get("mix") is not None:
        raise EngineError("train: --mix says the games; leave out --game, --size, --rules and --misere")
    size = 8 if request.size is None else request.size
    words = [request.game or "gomoku", str(size), *([request.rules] if request.rules else [])]
    settings["mix"] = ":".join([*words, *(["misere"] if request.misere else []), "1"])
    return settings
