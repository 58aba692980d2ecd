"""Tells how a match stands while it is played."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from typing import TextIO

from .results import Result
from .schedule import pairings
from .score import Score, elo_interval, total
from .settings import Settings
from .sprt import pentanomial

EVERY = 0.5  # seconds between two states of the bar on a terminal
WIDTH = 10  # of the bar
MOST_LETTERS = 20  # of a name
SELDOM = 30.0  # seconds between two lines in a file


class Progress:
    """A line on standard error, with a bar on a terminal, and the test that may end the match."""

    def __init__(
        self,
        settings: Settings,
        finished: Iterable[Result],
        out: TextIO | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._out = out or sys.stderr
        self._now = now
        self._names = [engine.name for engine in settings.engines]
        self._sprt = settings.sprt
        self._games = 2 * settings.rounds * len(pairings(len(self._names), settings.format))
        self._points: list[float] = []  # the first engine's
        self._pairs: dict[int, list[float]] = {}
        self._count = self._faults = 0
        self._said = set[str]()
        self._begun = self._told = now()
        self._begun_with = 0
        for result in finished:
            self._take(result)
        self._begun_with = self._count

    @property
    def decided(self) -> bool:
        """True once the test has its answer."""
        return self._sprt is not None and self._sprt.verdict(self._ratio()) is not None

    def add(self, result: Result) -> None:
        """Take note of a game and tell, if it is time to."""
        self._take(result)
        self.tick()

    def tick(self) -> None:
        """Tell, if it is time to: also while no game ends."""
        terminal, now = self._out.isatty(), self._now()
        if now - self._told >= (EVERY if terminal else SELDOM):
            self._told = now
            self._show(end="" if terminal else "\n")

    def say(self, remark: str) -> None:
        """Tell of something once, in a line of its own."""
        if remark not in self._said:
            self._said.add(remark)
            start, end = ("\r", "\033[K") if self._out.isatty() else ("", "")
            print(f"{start}extremum: {remark}{end}", file=self._out, flush=True)

    def end(self) -> None:
        """Tell once more."""
        self._show(end="\n")

    def _show(self, *, end: str) -> None:
        line = self._line()
        if self._out.isatty():
            shown = f"{self._bar()} {line}"[: self._width() - 1]  # a longer line would not be drawn over
            line = f"\r{shown}\033[K"
        print(line, end=end, file=self._out, flush=True)

    def _bar(self) -> str:
        filled = WIDTH * self._count // max(1, self._games)
        minutes, seconds = divmod(int(self._now() - self._begun), 60)
        return f"[{'#' * filled}{'.' * (WIDTH - filled)}] {minutes}:{seconds:02}"

    def _take(self, result: Result) -> None:
        self._count += 1
        self._faults += result.has_fault
        first = self._names[0]
        if first in (result.black, result.white):
            self._points.append(result.score_of(first))
            self._pairs.setdefault(result.pair, []).append(result.score_of(first))

    def _ratio(self) -> float:
        assert self._sprt is not None
        return self._sprt.ratio(pentanomial([sum(pair) for pair in self._pairs.values() if len(pair) == 2]))

    def _line(self) -> str:
        score: Score = total(self._points)
        low, elo, high = elo_interval(score)
        parts = [f"{self._count}/{self._games} games", f"{self._names[0][:MOST_LETTERS]} {score.text()}"]
        if self._sprt is not None:
            lower, upper = self._sprt.bounds
            parts.append(f"SPRT {self._ratio():+.2f} in {lower:.2f}..{upper:.2f}")
        parts.append(f"Elo {elo:+.0f} ({low:+.0f} to {high:+.0f})")
        if self._faults:
            parts.append(f"{self._faults} faults")
        spent = self._now() - self._begun
        played = self._count - self._begun_with
        if played:
            parts.append(f"{played / spent:.1f} games/s, {(self._games - self._count) * spent / played:.0f} s left")
        return ", ".join(parts)

    def _width(self) -> int:
        """Columns of the terminal, 80 where it does not say."""
        try:
            return os.get_terminal_size(self._out.fileno()).columns or 80
        except OSError:
            return 80
