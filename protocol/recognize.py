"""Any dialect: the first line that has a word tells which."""

from __future__ import annotations

from importlib import import_module

from ..engine.session import Session
from . import DIALECTS
from .command import Waiting, attempt
from .connection import Dialect, Send, Urgency

# Words that other programs than GTP controllers say first; a test compares them with the commands of GTP.
FIRST_WORDS = {
    "nboard": "nboard",
    **dict.fromkeys(("about", "start", "rectstart", "restart", "info", "begin", "turn", "board", "end"), "gomocup"),
    **dict.fromkeys(("swap2board", "yxshowinfo", "yxboard", "yxstop", "yxhashclear"), "gomocup"),
}
USUAL = "gtp"


class Recognizer:
    """Becomes the dialect of its client."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._found: Dialect[bytes] | None = None
        self._unknown = 0  # lines that came before

    @property
    def closed(self) -> bool:
        """True when the dialect is."""
        return self._found is not None and self._found.closed

    def urgency(self, message: bytes) -> Urgency:
        """Look at a line before its turn, and decide with the first that has a word."""
        if self._found is None:
            if not message.strip():
                self._unknown += 1
                return Urgency.NONE
            self._found = open_dialect(recognize(message), self._session)
        return self._found.urgency(message)

    def handle(self, message: bytes, send: Send[bytes], waiting: Waiting) -> None:
        """Answer a line as the dialect does; a line before it was known was empty."""
        if self._unknown:
            self._unknown -= 1
        elif self._found is not None:
            self._found.handle(message, send, waiting)

    def idle(self, waiting: Waiting) -> None:
        """Use the time as the dialect does, or to get ready where a clock is set already."""
        if self._found is not None:
            self._found.idle(waiting)
        else:
            attempt(lambda: self._session.idle(waiting.has_message), self._session, "idling")


def recognize(line: bytes) -> str:
    """The dialect of a first line."""
    words = line[:100].decode("utf-8", "replace").lower().split()
    return FIRST_WORDS.get(words[0], USUAL) if words else USUAL


def open_dialect(name: str, session: Session) -> Dialect[bytes]:
    """The dialect of that name for a session; imports it only now."""
    module, _, kind = DIALECTS[name].partition(":")
    dialect: Dialect[bytes] = getattr(import_module(f".{module}", __package__), kind)(session)
    return dialect
