"""Memory: how much is free, and a refusal in a line where it does not suffice, before a system ends the process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import EngineError
from .groups import TOP, first_line, group_folders, lines_of

MEGABYTE = 1 << 20
USABLE = 0.9  # of what is free; nets and code take some, too
# Where a group of processes has its limit: what it may use, what it uses, and what of that are files read long ago.
_GROUPS = {
    "": (TOP, "memory.max", "memory.current", "inactive_file"),
    "memory": (f"{TOP}/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}


def refuse_too_much(megabytes: int, root: Path = Path("/")) -> None:
    """EngineError when so much cannot be had; `root` is where the system tells about itself."""
    free = free_megabytes(root)
    if free is not None and megabytes > int(USABLE * free):
        raise EngineError(f"not enough memory: the option memory is {megabytes}, but only {free} MB are free")


def no_more_than_free(megabytes: int, root: Path = Path("/")) -> int:
    """So much, or what can be had: for whoever names a limit, not a wish."""
    free = free_megabytes(root)
    return megabytes if free is None else min(megabytes, int(USABLE * free))


@contextmanager
def refused_when_out() -> Iterator[None]:
    """Turn a failed allocation into a refusal: the one place where that happens."""
    try:
        yield
    except MemoryError:
        raise EngineError("out of memory: set the option memory to less") from None


def free_megabytes(root: Path = Path("/")) -> int | None:
    """What this process can still have; where the system does not tell, all that the machine has, or None."""
    free = [*_of_the_machine(root), *_of_the_groups(root)]
    if not free and "SC_PHYS_PAGES" in os.sysconf_names:
        free = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return min(free) // MEGABYTE if free else None


def _of_the_machine(root: Path) -> Iterator[int]:
    for line in lines_of(root / "proc/meminfo"):
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024


def _of_the_groups(root: Path) -> Iterator[int]:
    """What each group that the process belongs to has left."""
    for kind, folder in group_folders({kind: group[0] for kind, group in _GROUPS.items()}, root):
        yield from _of_the_group(folder, *_GROUPS[kind][1:])


def _of_the_group(folder: Path, limit: str, usage: str, idle: str) -> Iterator[int]:
    most, used = (first_line(folder / name) for name in (limit, usage))
    if most.isdecimal() and used.isdecimal():
        words = [line.split() for line in lines_of(folder / "memory.stat")]
        files = next((int(number) for name, number in words if name == idle), 0)
        yield max(0, int(most) - int(used) + files)
