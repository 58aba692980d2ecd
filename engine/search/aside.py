"""Kernels that run in a thread while their caller looks at the clock.

Each caller's thread keeps its helper for the next time: to begin a thread costs more than many an iteration takes, and
a helper has the priority of the thread that it serves.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread, local
from typing import TypeAlias

Work: TypeAlias = Callable[[], object]


def run_aside(work: Work, patience: Callable[[], float], watch: Callable[[], None]) -> None:
    """Do the work elsewhere; while it lasts, watch after each so many seconds of patience. What it raises is raised."""
    helper = _take_helper()
    helper.begin(work)
    while not helper.has_ended(patience()):
        watch()
    _kept.helper = helper


class _Desk:
    """Where a thread finds its work and leaves what came of it: its helper's, so that it ends with that."""

    def __init__(self) -> None:
        self.works = SimpleQueue[Work | None]()
        self.ends = SimpleQueue[BaseException | None]()

    def serve(self) -> None:
        """Work until there is nothing more to come."""
        while (work := self.works.get()) is not None:
            try:
                work()
            except BaseException as error:  # whoever waits is told
                self.ends.put(error)
            else:
                self.ends.put(None)
            del work


class _Helper:
    """A thread that does one thing at a time, and ends when nobody has it any more."""

    def __init__(self) -> None:
        self._desk = _Desk()
        Thread(target=self._desk.serve, name="aside", daemon=True).start()

    def begin(self, work: Work) -> None:
        self._desk.works.put(work)

    def has_ended(self, seconds: float) -> bool:
        """True when the work has been done by then; what it raised is raised."""
        try:
            error = self._desk.ends.get(timeout=seconds)
        except Empty:
            return False
        if error is not None:
            raise error
        return True

    def __del__(self) -> None:
        self._desk.works.put(None)


class _Kept(local):
    helper: _Helper | None = None


_kept = _Kept()


def _take_helper() -> _Helper:
    """The one of this thread, unless it is busy."""
    helper, _kept.helper = _kept.helper, None
    return helper or _Helper()
