"""What a search may spend, and who says that it is spent."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from ..games.game import Move

HALF_MORE = 1.5


def never() -> bool:
    """Nobody interrupts."""
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may spend; None is no limit."""

    seconds: float | None = None
    visits: int | None = None
    depth: int | None = None
    most: float | None = None  # seconds for a search that asks for more; None is no more than `seconds`
    barred: frozenset[Move] = frozenset()  # moves of the root that are not looked at, while there are others


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
        self.seconds = limits.seconds  # as they stand now; None is no limit

    def part(self, limits: Limits) -> Stopper:
        """For a search within this one, with limits of its own; it stops when this one is spent."""
        return Stopper(limits, lambda: self.should_stop(0), self._now)

    @property
    def elapsed(self) -> float:
        """Seconds since the search was asked for: since `start` if it was given, which may be before this was made."""
        return self._now() - self._start

    @property
    def share_spent(self) -> float:
        """Of the seconds as they stand now; 0 where there is no limit."""
        return 0.0 if self.seconds is None else self.elapsed / max(self.seconds, 1e-9)

    def should_stop(self, visits: int) -> bool:
        """True once nothing more may be spent."""
        if self.limits.visits is not None and visits >= self.limits.visits:
            return True
        if self.seconds is not None and self.elapsed >= self.seconds:
            return True
        return self._interrupted()

    @property
    def is_saving(self) -> bool:
        """True when the time that a search leaves will be there for the next one."""
        return (
            self.limits.most is not None and self.limits.seconds is not None and self.limits.most > self.limits.seconds
        )

    def extend(self, seconds: float | None = None) -> bool:
        """Allow an unsettled search so many seconds in all, or half as many again; True if these are more than it had.

        There is no extension beyond the limits' `most`.
        """
        if self.seconds is None or self.limits.most is None:
            return False
        wanted = min(self.limits.most, HALF_MORE * self.seconds if seconds is None else seconds)
        is_more = wanted > self.seconds
        self.seconds = max(self.seconds, wanted)
        return is_more

    def visits_left(self, visits: int, most: int) -> int:
        """How many of the next `most` visits the limit allows."""
        return most if self.limits.visits is None else min(most, self.limits.visits - visits)
