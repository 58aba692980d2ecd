"""What an engine can do wrong, by name."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """A fault as a report names it."""

    START = "does not start"
    CRASH = "crash"
    TIME = "time-out"
    GARBAGE = "garbage"
    REFUSAL = "refusal"
    ILLEGAL = "illegal move"
    CLAIM = "false claim"


class FaultError(Exception):
    """An engine's fault; the text is for whoever reads the report, and is printable whatever the engine wrote."""

    def __init__(self, kind: Kind, text: str) -> None:
        self.kind = kind
        self.text = printable(text)
        super().__init__(f"{kind}: {self.text}")


def printable(text: str) -> str:
    """The same with escapes for control characters, which a terminal would obey."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
