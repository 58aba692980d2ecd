"""What a search may spend, and who says that it is spent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


def never() -> bool:
    """Nobody interrupts."""
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may spend; None is no limit."""

    seconds: float | None = None
    visits: int | None = None
    depth: int | None = None


class Stopper:
    """Says when a search has spent its limits or is interrupted; asked once a slice of some milliseconds."""

    def __init__(
        self,
        limits: Limits,
        interrupted: Callable[[], bool] = never,
        now: Callable[[], float] = time.monotonic,
        start: float | None = None,
    ) -> None:
        self.limits = limits
        self._interrupted = interrupted
        self._now = now
        self._start = now() if start is None else start

    @property
    def elapsed(self) -> float:
        """Seconds since the search was asked for: since `start` if it was given, which may be before this was made."""
        return self._now() - self._start

    def should_stop(self, visits: int) -> bool:
        """True once nothing more may be spent."""
        if self.limits.visits is not None and visits >= self.limits.visits:
            return True
        if self.limits.seconds is not None and self.elapsed >= self.limits.seconds:
            return True
        return self._interrupted()

    def visits_left(self, visits: int, most: int) -> int:
        """How many of the next `most` visits the limit allows."""
        return most if self.limits.visits is None else min(most, self.limits.visits - visits)
