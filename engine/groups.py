"""The groups of processes by which a system deals out memory and processors: containers, services, users."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

TOP = "sys/fs/cgroup"


def group_folders(kinds: Mapping[str, str], root: Path) -> Iterator[tuple[str, Path]]:
    """Where each group that this process belongs to tells about itself, with its kind.

    `kinds` has a folder for each kind; "" is the one of today. A container sees its own group at the top.
    """
    for line in lines_of(root / "proc/self/cgroup"):
        _, names, path = line.split(":", 2)
        for kind in kinds.keys() & set(names.split(",")):
            top = root / kinds[kind]
            inner = top / path.lstrip("/")
            yield from ((kind, folder) for folder in (inner, *inner.parents) if folder.is_relative_to(top))


def first_line(path: Path) -> str:
    """The first line of a file that a system writes, nothing if there is none."""
    return next(iter(lines_of(path)), "")


def lines_of(path: Path) -> list[str]:
    """The lines of such a file."""
    try:
        return path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
