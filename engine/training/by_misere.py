"""Weights of misère Gomoku's evaluation, as a method of training: rounds of games, each followed by a fit."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from .files import write_bytes
from .misere_weights import FIRST, Tuning, Weights, compare, table_text, tune
from .progress import Pulse, Words, clock_text
from .request import Request, Say, ShouldStop
from .results import Result
from .run import Settings, read_log
from .small_run import SmallRun

SIZES = tuple(range(6, 21))
MEASURED = 60  # games of the last weights against the first


def train_misere(request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Play and fit until the planned hours or games are over, going on after the last whole round.

    Returns a text with the table that the kernels take; what a round is, --cycle says.
    """
    size = 8 if request.size is None and request.game in (None, "gomoku") else request.size_of("gomoku", SIZES)
    cycle = int(request.settings.get("cycle") or Settings().cycle)
    fixed: dict[str, str | int] = {"game": "gomoku", "size": size, "cycle": cycle, "seed": request.seed}
    run = SmallRun(request.folder, "misere", fixed, request.plan)
    try:
        return _Tuning(run, request, Tuning(size, games=cycle, seed=request.seed), say).work(should_stop)
    finally:
        run.close()


class _Tuning:
    """A run under way."""

    def __init__(self, run: SmallRun, request: Request, tuning: Tuning, say: Say) -> None:
        self._run, self._request, self._tuning, self._say = run, request, tuning, say
        self._told = [line for line in read_log(run.folder) if line.get("kind") == "cycle"]
        self._before = float(self._told[-1]["seconds"]) if self._told else 0.0
        self._begun = time.monotonic()
        self._pulse = Pulse(request.show)

    def work(self, should_stop: ShouldStop) -> Path:
        """Go from round to round until it is over; the last thing is the table."""
        self._say(f"{self._run.folder}: weights of misère gomoku {self._tuning.size}x{self._tuning.size}")
        weights = tune(
            self._run.folder,
            self._tuning,
            self._report,
            lambda: should_stop() or self._progress() >= 1,
            self._beat,
        )
        if not should_stop():
            self._measure(weights)
        path = self._run.folder / f"misere-{self._tuning.size}.txt"
        write_bytes(path, table_text(weights).encode())
        return path

    def _seconds(self) -> float:
        return self._before + time.monotonic() - self._begun

    def _played(self) -> int:
        """The games of whole rounds."""
        rounds = self._run.folder.glob(f"misere-{self._tuning.size}-[0-9][0-9][0-9].npz")
        return len(list(rounds)) * self._tuning.games

    def _progress(self) -> float:
        return self._request.progress(self._seconds(), self._played())

    def _beat(self, words: Words) -> None:
        self._pulse.beat(lambda: self._at(words()))

    def _at(self, words: str) -> str:
        left = self._request.seconds_left(self._seconds(), self._played())
        return f"{clock_text(self._seconds())} {words}; {clock_text(left)} to go"

    def _report(self, number: int, text: str) -> None:
        """Tell of a round; of one that was told before a run was broken off only the terminal hears."""
        games, seconds = number * self._tuning.games, self._seconds()
        if number > len(self._told):
            self._run.append({"kind": "cycle", "seconds": round(seconds, 1), "games": games, "words": text})
        self._say(self._at(text))

    def _measure(self, weights: Weights) -> None:
        first = np.tile(FIRST, (len(weights), 1))
        result = Result(*compare(self._tuning.size, weights, first, MEASURED, self._tuning.seed))
        self._run.append({"seconds": round(self._seconds(), 1)} | result.line("the first weights"))
        self._say(f"against the first weights: {result.score:.1%} ±{result.error:.1%} of {result.games} games")
