"""How many processors there are for this process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .groups import TOP, first_line, group_folders

MOST = 8  # threads that are taken unasked: more of them wait for each other
_GROUPS = {"": TOP, "cpu": f"{TOP}/cpu"}


def num_processors(root: Path = Path("/")) -> int:
    """Those that it may run on, or as many as it is given the time of: who takes more is kept waiting for long."""
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([there, *(int(given) for given in _given(root))]))


def num_threads(wanted: int) -> int:
    """So many, 0 for a good number: threads that wait for a processor bring nothing, and make others late."""
    return min(wanted or MOST, num_processors())


def _given(root: Path) -> Iterator[float]:
    """The processor time that each group has in a period, in periods."""
    for kind, folder in group_folders(_GROUPS, root):
        names = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if kind else ("cpu.max",)
        words = " ".join(first_line(folder / name) for name in names).split()
        if len(words) == 2 and all(word.isdecimal() for word in words) and int(words[1]) > 0:
            yield int(words[0]) / int(words[1])
