"""Transcripts: what follows `> ` is sent, the rest is the answer, to the letter; `~ ` starts a regular expression."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "transcripts"
FILES = sorted(FOLDER.glob("*.txt"))


@dataclass(frozen=True)
class Exchange:
    sent: str
    answer: list[str]


def read(text: str) -> list[Exchange]:
    """What stands before the first `> ` is a remark."""
    exchanges: list[Exchange] = []
    for line in text.split("\n")[:-1]:
        if line.startswith("> ") or line == ">":
            exchanges.append(Exchange(line[2:], []))
        elif exchanges:
            exchanges[-1].answer.append(line)
    return exchanges


def load(path: Path) -> list[Exchange]:
    return read(path.read_text(errors="surrogateescape"))


def check(expected: list[str], told: str) -> None:
    """Compare an answer with a transcript; blanks at the end of a line cannot be seen in one."""
    lines = told.split("\n")[:-1]
    assert told == "" or told.endswith("\n")
    assert len(lines) == len(expected), f"{lines} instead of {expected}"
    for wanted, line in zip(expected, lines, strict=True):
        if wanted.startswith("~ "):
            assert re.fullmatch(wanted[2:], line.rstrip()), f"{line!r} does not match {wanted!r}"
        else:
            assert line.rstrip() == wanted.rstrip()
