"""What a window tells its person."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell: a key of the texts, and what goes into it."""

    key: str
    values: tuple[str, ...] = ()
