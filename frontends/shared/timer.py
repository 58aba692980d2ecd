"""Two clocks, of which one runs at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .points import COLORS, other
from .setup import Setup


@dataclass(frozen=True, slots=True)
class Left:
    """What a side has left, below zero once its time is over."""

    seconds: float
    count: int = 0  # in overtime: periods of byo-yomi, or moves to make in a Canadian period


class Timer:
    """Counts what is left to each side: main time, then whatever kind of overtime there is."""

    def __init__(self, setup: Setup, now: Callable[[], float]) -> None:
        self._setup = setup
        self._overtime = Left(setup.period, setup.count)
        added = setup.increment if setup.overtime == "fischer" else 0.0
        self._left = dict.fromkeys(COLORS, self._spent(Left(setup.main + added), 0.0))
        self._now = now
        self._running: str | None = None
        self._since = 0.0
        self._seen = 0

    @property
    def running(self) -> str | None:
        """Whose clock runs."""
        return self._running

    def start(self, color: str) -> None:
        """Let a side's clock run, and no other."""
        if self._running != color:
            self.stop()
            self._running, self._since = color, self._now()

    def stop(self) -> None:
        """Let no clock run."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
        self._running = None

    def move(self, color: str) -> None:
        """Take note that a side has moved."""
        self.stop()
        self._left[color] = self._moved(self._left[color])

    def left(self, color: str) -> Left:
        """What a side has left."""
        return self._spent(self._left[color], self._now() - self._since if self._running == color else 0.0)

    def winner(self) -> str | None:
        """Who wins because the other's time is over."""
        return next((other(color) for color in COLORS if self.left(color).seconds <= 0), None)

    def has_turned(self) -> bool:
        """True, once, when the clock that runs has come to another period."""
        before = self._seen
        self._seen = self.left(self._running).count if self._running is not None else before
        return self._seen != before

    def _spent(self, left: Left, seconds: float) -> Left:
        left = replace(left, seconds=left.seconds - seconds)
        if left.seconds <= 0 and left.count == 0 and self._setup.overtime != "fischer":
            left = replace(self._overtime, seconds=left.seconds + self._setup.period)
        while left.seconds <= 0 and left.count > 1 and self._setup.overtime == "byoyomi":
            left = Left(left.seconds + self._setup.period, left.count - 1)
        return left

    def _moved(self, left: Left) -> Left:
        match self._setup.overtime:
            case "fischer":
                return replace(left, seconds=left.seconds + self._setup.increment)
            case "byoyomi" if left.count:
                return replace(left, seconds=self._setup.period)
            case "canadian" if left.count:
                return self._overtime if left.count == 1 else replace(left, count=left.count - 1)
        return left
