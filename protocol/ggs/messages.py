"""Messages out of the lines that the server sends."""

from __future__ import annotations

import re
from dataclasses import dataclass

READY = "READY"
SERVER = ""  # the sender of what the central server says
_NOISE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_HEADER = re.compile(r"(/\w+|\.\S+ \S+|[^\s:,\\|.][^\s:,\\|]{0,9}|): ?(.*)")
MOST_LINES = 500  # of one message


@dataclass(frozen=True, slots=True)
class Message:
    """Who says what; the lines of its body come without their bars."""

    sender: str  # `/os`, a name, `.channel name`, or empty for the central server
    text: str
    body: tuple[str, ...] = ()


class Gatherer:
    """Joins a header and the lines with a bar behind it; READY, another header or silence ends a message."""

    def __init__(self) -> None:
        self._header: tuple[str, str] | None = None
        self._body: list[str] = []
        self._is_fresh = True  # a header may begin here whatever it looks like

    def feed(self, line: str) -> list[Message]:
        """The messages that a line completes."""
        line = clean(line)
        if line == READY or not line:
            done = self.rest()
            self._is_fresh = True
            return done
        if line.startswith("|"):
            if len(self._body) < MOST_LINES:
                self._body.append(line[1:])
            return []
        found = _HEADER.fullmatch(line)
        if found is None or not (self._is_fresh or line[0] in ":/"):
            return []  # text of a help page
        done = self.rest()
        self._header, self._is_fresh = (found[1], found[2]), False
        return done

    def rest(self) -> list[Message]:
        """What has come so far, as a message: the server is silent or has closed the group."""
        header, body = self._header, tuple(self._body)
        self._header, self._body = None, []
        return [] if header is None else [Message(header[0], header[1].strip(), body)]


def clean(line: str) -> str:
    """A line without bells, escapes and blanks at its end."""
    return _NOISE.sub("", line).rstrip()
