"""Kernels that run in threads while their caller looks at the clock.

Each caller's thread keeps its helpers for the next time: to begin a thread costs more than many an iteration takes, and
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
    has_ended = begin_aside(work)
    while not has_ended(patience()):
        watch()


def begin_aside(work: Work) -> Callable[[float | None], bool]:
    """Have the work begun elsewhere; what comes back tells whether it has ended within so many seconds.

    It is to be asked by the same thread, until it says so or raises what the work has raised; None waits for that.
    """
    helper = _idle.helpers.pop() if _idle.helpers else _Helper()
    helper.begin(work)

    def has_ended(seconds: float | None) -> bool:
        ended = helper.has_ended(seconds)
        if ended:
            _idle.helpers.append(helper)
        return ended

    return has_ended


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

    def has_ended(self, seconds: float | None) -> bool:
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


class _Idle(local):
    """The helpers of one thread that have nothing to do."""

    def __init__(self) -> None:
        self.helpers: list[_Helper] = []


_idle = _Idle()
