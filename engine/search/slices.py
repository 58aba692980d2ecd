"""Searches in slices: how much to do before the stopper is asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .stopper import Stopper

SECONDS = 0.005
FIRST = 16  # visits of the first slice, before the speed is known
MOST = 1 << 16


def slices(stopper: Stopper, visits: Callable[[], int]) -> Iterator[int]:
    """Yield how many visits to make next, some milliseconds' worth at the speed so far, until the stopper says stop."""
    count = FIRST
    while not stopper.should_stop(visits()):
        before, begin = visits(), stopper.elapsed
        yield stopper.visits_left(before, count)
        count = _next_count(count, visits() - before, stopper.elapsed - begin, _target(stopper))


def _target(stopper: Stopper) -> float:
    limit = stopper.limits.seconds
    return SECONDS if limit is None else min(SECONDS, limit - stopper.elapsed)


def _next_count(count: int, made: int, seconds: float, target: float) -> int:
    most = min(4 * count, MOST)
    if made * target >= most * seconds:
        return most
    return max(1, int(made * target / seconds))
