"""How long the process has been at work: what is sent while it starts has been on the clock since then."""

from __future__ import annotations

import os
import time

MOST_WAITING = 3.0  # times the processor's time: what is more was a pause of the process, which nobody charges
ALLOWANCE = 0.2  # seconds


def working_age() -> float:
    """Seconds since the process began, without pauses in which it was stopped."""
    computed = time.process_time()
    return min(_age(computed), MOST_WAITING * computed + ALLOWANCE)


def _age(unknown: float) -> float:
    try:
        with open("/proc/self/stat", "rb") as stream:
            ticks = int(stream.read().rpartition(b")")[2].split()[19])  # since the system started
    except OSError:
        return unknown  # this system does not tell
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
