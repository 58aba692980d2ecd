"""Searches in slices: how much to do before the stopper is asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .stopper import Stopper

SECONDS = 0.005
FIRST = 16  # visits of the first slice, before the speed is known
MOST = 1 << 16


def slices(stopper: Stopper, visits: Callable[[], int]) -> Iterator[int]:
    """Yield how many visits to make next, some milliseconds' worth at the speed so far, until the stopper says stop.

    The first slice is made in any case: a move that comes late anyway should not be senseless.
    """
    count = stopper.visits_left(visits(), FIRST)
    while count > 0:
        before, begin = visits(), stopper.elapsed
        yield count
        if stopper.should_stop(visits()):
            return
        wanted = _next_count(count, visits() - before, stopper.elapsed - begin, _target(stopper))
        count = stopper.visits_left(visits(), wanted)


def _target(stopper: Stopper) -> float:
    limit = stopper.seconds
    return SECONDS if limit is None else min(SECONDS, limit - stopper.elapsed)


def _next_count(count: int, made: int, seconds: float, target: float) -> int:
    most = min(4 * count, MOST)
    if made * target >= most * seconds:
        return most
    return max(1, int(made * target / seconds))
