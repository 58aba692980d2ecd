"""Two clocks, of which one runs at a time."""

from __future__ import annotations

from collections.abc import Callable

from .points import COLORS, other


class Timer:
    """Counts what is left to each side: main time and an increment for each move."""

    def __init__(self, main: float, increment: float, now: Callable[[], float]) -> None:
        self._increment = increment
        self._left = dict.fromkeys(COLORS, main + increment)
        self._now = now
        self._running: str | None = None
        self._since = 0.0

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
            self._left[self._running] -= self._now() - self._since
        self._running = None

    def move(self, color: str) -> None:
        """Take note that a side has moved."""
        self.stop()
        self._left[color] += self._increment

    def left(self, color: str) -> float:
        """Seconds left to a side, below zero once its time is over."""
        spent = self._now() - self._since if self._running == color else 0.0
        return self._left[color] - spent

    def winner(self) -> str | None:
        """Who wins because the other's time is over."""
        return next((other(color) for color in COLORS if self.left(color) <= 0), None)
