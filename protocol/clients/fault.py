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
    """An engine's fault; the text is for whoever reads the report."""

    def __init__(self, kind: Kind, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        self.text = text
