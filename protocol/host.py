"""What a command may ask of the process it runs in."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Interrupted = Callable[[], bool]
_STARTED = time.monotonic()


class Host(Protocol):
    """Runs a session among others."""

    def status(self) -> dict[str, Any]:
        """Figures about the process."""

    def searching(self, interrupted: Interrupted) -> AbstractContextManager[None]:
        """Entered for the time of a search, when there is a place for it; EngineError when there will be none."""

    def aside(self, search: Callable[[], T], interrupted: Interrupted) -> T:
        """Run a search that nobody's clock waits for, when there is a place for it."""

    def publish(self, report: Any) -> None:
        """Tell a report to everybody who subscribed to this session."""


class Alone:
    """The host of a process with one session."""

    def status(self) -> dict[str, Any]:
        """Figures about the process."""
        return {"sessions": 1, **process_status()}

    def searching(self, interrupted: Interrupted) -> AbstractContextManager[None]:
        """At once: there is nobody else."""
        return nullcontext()

    def aside(self, search: Callable[[], T], interrupted: Interrupted) -> T:
        """Run a search: there is nobody else to care for."""
        return search()

    def publish(self, report: Any) -> None:
        """Nobody has subscribed."""


def process_status() -> dict[str, Any]:
    """Uptime and processor time in seconds, memory in megabytes, threads and processors."""
    return {
        "uptime": round(time.monotonic() - _STARTED, 3),
        "cpu": round(time.process_time(), 3),
        "memory": round(memory() / 2**20, 1),
        "processors": os.cpu_count() or 1,
    }


def memory() -> int:
    """Bytes that the process holds; where the system does not tell, the most that it ever held."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
