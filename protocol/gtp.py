"""The Go Text Protocol, version 2: lines in, framed answers out."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from ..engine.session import Session
from .command import Answer, CommandTable, Exchange, Waiting, attempt, refusal
from .commands import COMMANDS
from .connection import Send, Urgency
from .host import Host
from .reply import Told
from .stream import LONGEST

_CONTROLS = bytes(code for code in (*range(32), 127) if code != 9)
_COMMAND = re.compile(r" *([0-9]*) *(.*)")
_INTERRUPT = b"# interrupt"


class Gtp:
    """Answers the lines of one client."""

    def __init__(self, session: Session, table: CommandTable = COMMANDS, host: Host | None = None) -> None:
        self.closed = False
        self._session = session
        self._table = table
        self._host = host

    def urgency(self, message: bytes) -> Urgency:
        """What a line means to the search under way, seen before it is that line's turn."""
        if message[:1] == b"#" and message.translate(None, _CONTROLS).strip() == _INTERRUPT:
            return Urgency.INTERRUPT
        if b"stop" not in message and b"quit" not in message:
            return Urgency.NONE
        _, words = read(message)
        return URGENCIES.get(words[0], Urgency.NONE) if words else Urgency.NONE

    def handle(self, message: bytes, send: Send[bytes], waiting: Waiting) -> None:
        """Answer a line; one without a command has no answer."""
        identity, words = read(message)
        cut = len(message) > LONGEST and b"#" not in message  # the command may be in what was dropped
        if not words and not cut:
            return

        def stream(told: Told) -> None:
            header = "" if exchange.streaming else f"={identity}\n"
            send(encoded(header + told.text))

        exchange = Exchange(waiting, stream, self._host)
        answer = self._answer(message, words, exchange)
        self.closed = self.closed or exchange.closing
        if exchange.streaming and not answer.accepted:  # the client has heard a success, people may hear the truth
            logging.getLogger(__name__).warning("%s: %s", words[0], answer.text)
        send(ending(answer) if exchange.streaming else framed(identity, answer))

    def idle(self, waiting: Waiting) -> None:
        """Have the brain ready, then ponder until anything comes."""
        attempt(lambda: self._session.idle(waiting.has_message), self._session, "idling")

    def _answer(self, message: bytes, words: list[str], exchange: Exchange) -> Answer:
        if len(message) > LONGEST:
            return refusal(f"line too long: more than {LONGEST} bytes")
        return carry_out(words, self._session, exchange, self._table)


def carry_out(words: Sequence[str], session: Session, exchange: Exchange, table: CommandTable) -> Answer:
    """The answer to a command, after which the brain is ready if a clock may run."""
    answer = table.answer(words, session, exchange)
    if words[0] in _PREPARING:
        session.prepare(exchange.waiting.interrupted)
    return answer


def read(line: bytes) -> tuple[str, list[str]]:
    """The id, as it was written, and the words of a line, cleaned up in the order of the specification."""
    visible = line.translate(None, _CONTROLS).partition(b"#")[0].replace(b"\t", b" ")
    # An id may stand right before its command, as GNU Go reads it; its size is the client's affair.
    identity, command = _COMMAND.fullmatch(visible.decode("utf-8", "surrogateescape")).groups()  # type: ignore[union-attr]  # matches all
    return identity, command.split()


def framed(identity: str, answer: Answer) -> bytes:
    """An answer with its sign, its id, the blank and the empty line."""
    sign = "=" if answer.accepted else "?"
    return encoded(f"{sign}{identity} {without_gaps(answer.text)}\n\n")


def ending(answer: Answer) -> bytes:
    """The end of an answer that was streamed; a refusal comes too late to be told."""
    return encoded(f"{without_gaps(answer.text)}\n\n" if answer.accepted and answer.text else "\n")


def without_gaps(text: str) -> str:
    """The same without empty lines, which would end the answer."""
    text = text.rstrip("\n")
    while "\n\n" in text:
        text = text.replace("\n\n", "\n \n")
    return text


def encoded(text: str) -> bytes:
    """UTF-8; what came in as something else shows as question marks."""
    return text.encode("utf-8", "replace")


# After these a search may be timed that was not, or may be of another kind.
_CLOCKS = ("time_settings", "kgs-time_settings", "kata-time_settings", "time_left")
_PREPARING = {"boardsize", "clear_board", "set_game", "set_mode", "set_level", "set_brain", "set_option", *_CLOCKS}
URGENCIES = {"stop": Urgency.STOP, "quit": Urgency.QUIT}
