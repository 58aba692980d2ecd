"""A net's run, as a method of training."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import EngineError
from .loop import Training
from .progress import words_of
from .request import Request, Say, ShouldStop
from .run import open_run


def train_net(request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Train until the plan is over, going on where the run was left; returns the file of weights."""
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
    if not (request.game or request.size or request.rules or request.misere):
        return settings
    if settings.get("mix") is not None:
        raise EngineError("train: --mix says the games; leave out --game, --size, --rules and --misere")
    words = [request.game or "gomoku", str(request.size or 8), *([request.rules] if request.rules else [])]
    settings["mix"] = ":".join([*words, *(["misere"] if request.misere else []), "1"])
    return settings
