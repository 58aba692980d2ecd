"""How many processors there are for this process."""

from __future__ import annotations

import os

MOST = 8  # threads that are taken unasked: more of them wait for each other


def num_processors() -> int:
    """Those that it may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def num_threads(wanted: int) -> int:
    """So many, 0 for a good number: threads that wait for a processor bring nothing, and make others late."""
    return min(wanted or MOST, num_processors())
