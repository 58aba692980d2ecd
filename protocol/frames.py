"""Frames: maps in msgpack, `{id, cmd, args}` in and `{id, ok, result}` out; results are data, a refusal's is its text.

A part of a streamed answer is `{id, report}` and comes before its end. Commands are those of GTP, with their arguments
in a list. `analyze` and `cancel` take a map, need no session and wait for nothing that it does: see `analyses`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import msgpack

from ..engine.errors import EngineError, UsageError
from ..engine.session import Session
from .command import Answer, CommandTable, Exchange, Waiting, attempt, refusal
from .connection import Send, Urgency
from .gtp import URGENCIES as OF_LINES
from .gtp import carry_out
from .host import Host
from .reply import Told

Identity: TypeAlias = int | str | None
FIRST = 0x80  # the first byte of a frame is no less, that of a line is less
KEYS = ("id", "cmd", "args")
URGENCIES = OF_LINES | {"analyze": Urgency.ASIDE, "cancel": Urgency.ASIDE}  # these need no session
_URGENT = [name.encode() for name in URGENCIES]


@dataclass(frozen=True, slots=True)
class Frame:
    """A command as it came."""

    identity: Identity
    command: str
    arguments: Sequence[str] | Mapping[str, Any]

    @property
    def words(self) -> list[str]:
        """The command and its arguments; UsageError when these are not in a list."""
        if isinstance(self.arguments, Mapping):
            raise UsageError(f"syntax error: the args of {self.command} are a list")
        return [self.command, *self.arguments]


class FrameError(EngineError):
    """A frame that cannot be read, with its id if that could be."""

    def __init__(self, text: str, identity: Identity = None) -> None:
        super().__init__(f"syntax error: {text}")
        self.identity = identity


class Requests(Protocol):
    """Takes what needs no session; EngineError when it does not."""

    def ask(self, identity: Identity, arguments: Mapping[str, Any], send: Send[Answer]) -> None:
        """Have an analysis made and sent, some time later and from another thread."""

    def cancel(self, identity: Identity) -> None:
        """Have an analysis that was asked for under this id refused, also in the middle of it."""


@dataclass(frozen=True, slots=True)
class Outlet:
    """Where the answer to one frame goes; may be called from any thread."""

    answer: Callable[[Identity, Answer], None]
    report: Callable[[Identity, Told], None]  # parts of an answer that is streamed


class Frames:
    """Answers the frames of one client."""

    def __init__(self, session: Session, table: CommandTable, host: Host, requests: Requests) -> None:
        self.closed = False
        self._session = session
        self._table = table
        self._host = host
        self._requests = requests

    def urgency(self, message: bytes) -> Urgency:
        """What a frame means to the search under way, seen before it is that frame's turn."""
        if not any(name in message for name in _URGENT):
            return Urgency.NONE
        try:
            return URGENCIES.get(read_frame(message).command, Urgency.NONE)
        except FrameError:
            return Urgency.NONE

    def handle(self, message: bytes, outlet: Outlet, waiting: Waiting) -> None:
        """Answer a frame."""
        try:
            frame = read_frame(message)
        except FrameError as error:
            outlet.answer(error.identity, refusal(str(error)))
            return
        try:
            answer = self._answer(frame, outlet, waiting)
        except EngineError as error:
            answer = refusal(str(error))
        if answer is not None:
            outlet.answer(frame.identity, answer)

    def _answer(self, frame: Frame, outlet: Outlet, waiting: Waiting) -> Answer | None:
        """The answer, None where it comes later."""
        match frame.command, frame.arguments:
            case "analyze", Mapping() as arguments:
                return self._ask(frame.identity, arguments, outlet)
            case "analyze", _:
                raise UsageError("syntax error: the args of analyze are a map with game, moves and limits")
            case "cancel", _:
                return attempt(lambda: self._requests.cancel(_cancelled(frame)), self._session, "cancel")
        exchange = Exchange(waiting, lambda told: outlet.report(frame.identity, told), self._host)
        answer = carry_out(frame.words, self._session, exchange, self._table)
        self.closed = self.closed or exchange.closing
        return answer

    def _ask(self, identity: Identity, arguments: Mapping[str, Any], outlet: Outlet) -> Answer | None:
        """A refusal, None for an analysis whose answer comes later."""

        def send(answer: Answer) -> None:
            outlet.answer(identity, answer)

        answer = attempt(lambda: self._requests.ask(identity, arguments, send), self._session, "analyze")
        return None if answer.accepted else answer


def write_report(identity: Identity, told: Told) -> bytes:
    """A part of an answer as a frame."""
    packed: bytes = msgpack.packb({"id": identity, "report": told.value})
    return packed


def write_answer(identity: Identity, answer: Answer) -> bytes:
    """An answer as a frame."""
    packed: bytes = msgpack.packb({"id": identity, "ok": answer.accepted, "result": answer.value})
    return packed


def read_frame(message: bytes) -> Frame:
    """The frame in a message; FrameError when it is none."""
    try:
        found = msgpack.unpackb(message)
    except (ValueError, TypeError, msgpack.UnpackException):
        raise FrameError("the message is neither a line nor msgpack") from None
    if not isinstance(found, dict):
        raise FrameError("the message is not a map with id, cmd and args")
    identity = found.get("id")
    if not isinstance(identity, int | str | None) or isinstance(identity, bool):
        raise FrameError("an id is a number or a text")
    unknown = [key for key in found if key not in KEYS]
    if unknown:
        raise FrameError(f"unknown key '{unknown[0]}': one of {', '.join(KEYS)}", identity)
    command = found.get("cmd")
    if not isinstance(command, str) or not command:
        raise FrameError("a cmd is a text", identity)
    return Frame(identity, command, _arguments(found.get("args"), identity))


def _arguments(found: object, identity: Identity) -> Sequence[str] | Mapping[str, Any]:
    match found:
        case None:
            return []
        case dict():
            return found
        case list():
            return [_word(each, identity) for each in found]
    raise FrameError("args are a list or a map", identity)


def _word(argument: object, identity: Identity) -> str:
    """An argument as a command reads it."""
    match argument:
        case str():
            return argument
        case bool():
            return "true" if argument else "false"
        case int() | float():
            return str(argument)
    raise FrameError("an argument is a text, a number or a boolean", identity)


def _cancelled(frame: Frame) -> Identity:
    """The id that a `cancel` names, as it was packed."""
    match frame.arguments:
        case {"id": int() | str() as identity}:
            return identity
    raise UsageError("syntax error: the args of cancel are a map with the id of an analysis")
