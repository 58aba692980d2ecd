"""What a command answers: text for those who read lines, data for those who do not want to read text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Told:
    """An answer whose two forms differ by more than plain values do."""

    text: str
    value: Any  # None, numbers, texts, and lists and maps of these


Reply: TypeAlias = str | float | list[str] | Told | None  # a list has its items in lines


def words(items: Iterable[str]) -> Told:
    """A list whose items stand in one line."""
    items = list(items)
    return Told(" ".join(items), items)


def text_of(reply: Reply) -> str:
    """A reply as a line dialect writes it."""
    match reply:
        case None:
            return ""
        case Told():
            return reply.text
        case bool():
            return "true" if reply else "false"
        case list():
            return "\n".join(reply)
    return str(reply)


def value_of(reply: Reply) -> Any:
    """A reply as data."""
    return reply.value if isinstance(reply, Told) else reply
