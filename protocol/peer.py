"""One client of a server: lines and frames in one session, whichever it sends."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..engine.session import Session
from .command import Answer, Waiting, refusal
from .commands import COMMANDS
from .connection import Send, Urgency
from .frames import (
    FIRST,
    FrameError,
    Frames,
    Identity,
    Outlet,
    Requests,
    read_frame,
    write_answer,
    write_report,
)
from .gtp import Gtp, encoded, ending, framed
from .gtp import read as read_line
from .host import Host
from .reply import Told
from .stream import LONGEST
from .traffic import TrafficLog

LONGEST_SILENCE = 10.0  # seconds that an analysis without a report may take, where only one answer can be sent
SMALL = 1024  # bytes of a message that is kept for its id though it is refused


@dataclass(frozen=True, slots=True)
class Letter:
    """A message and how it is to be answered."""

    payload: bytes
    wants_one: bool = False  # whoever sent it waits for exactly one answer, as a REQ socket does
    refused: str = ""  # why it is not carried out

    @property
    def is_frame(self) -> bool:
        """True for msgpack, False for text."""
        return self.payload[:1] >= bytes([FIRST])

    def refuse(self, why: str) -> Letter:
        """The same, to be refused when its turn comes; of a large one only its kind is kept."""
        return replace(self, payload=self.payload if len(self.payload) <= SMALL else self.payload[:1], refused=why)


def letters_of(payload: bytes, *, wants_one: bool) -> list[Letter]:
    """The letters of a message: every line of a text is one, unless all of it wants one answer."""
    if wants_one or payload[:1] >= bytes([FIRST]) or b"\n" not in payload:
        return [Letter(payload, wants_one)]
    return [Letter(line[: LONGEST + 1]) for line in payload.removesuffix(b"\n").split(b"\n")]


class Peer:
    """Answers the letters of one client; the log has frames as the lines they stand for."""

    def __init__(self, session: Session, host: Host, requests: Requests, log: TrafficLog | None = None) -> None:
        self._gtp = Gtp(session, COMMANDS, host)
        self._frames = Frames(session, COMMANDS, host, requests)
        self._log = log

    @property
    def closed(self) -> bool:
        """True once the client has said quit."""
        return self._gtp.closed or self._frames.closed

    def urgency(self, message: Letter) -> Urgency:
        """What a letter means to the search under way."""
        if message.refused:
            return Urgency.NONE
        return self._frames.urgency(message.payload) if message.is_frame else self._gtp.urgency(message.payload)

    def handle(self, message: Letter, send: Send[Letter], waiting: Waiting) -> None:
        """Answer a letter in kind; one that wants one answer always gets one."""
        if message.refused:
            send(Letter(refusal_of(message), message.wants_one))
        elif message.is_frame:
            self._handle_frame(message, send, waiting)
        elif message.wants_one:
            self._handle_request(message.payload, send, waiting)
        else:
            self._handle_line(message.payload, lambda piece: send(Letter(piece)), waiting)

    def idle(self, waiting: Waiting) -> None:
        """Have the brain ready."""
        self._gtp.idle(waiting)

    def _handle_frame(self, message: Letter, send: Send[Letter], waiting: Waiting) -> None:
        impatient = Impatient(waiting) if message.wants_one else None

        def answer(identity: Identity, answer: Answer) -> None:
            send(Letter(write_answer(identity, answer), message.wants_one))

        def report(identity: Identity, told: Told) -> None:
            if impatient is not None:
                impatient.has_report = told.value is not None
            elif told.value is not None:
                send(Letter(write_report(identity, told)))

        outlet = Outlet(answer, report)
        if self._log is not None:
            outlet = logged(message.payload, outlet, self._log)
        self._frames.handle(message.payload, outlet, impatient or waiting)

    def _handle_request(self, text: bytes, send: Send[Letter], waiting: Waiting) -> None:
        """Answer all lines at once, for no second answer would arrive."""
        pieces: list[bytes] = []
        impatient = Impatient(waiting)

        def gather(piece: bytes) -> None:
            impatient.has_report = piece.startswith(b"info")
            pieces.append(piece)

        for line in text.removesuffix(b"\n").split(b"\n"):
            impatient.has_report = False
            self._handle_line(line[: LONGEST + 1], gather, impatient)
        send(Letter(b"".join(pieces), wants_one=True))

    def _handle_line(self, line: bytes, send: Send[bytes], waiting: Waiting) -> None:
        if self._log is not None:
            self._log.received(line)
            send = self._log.sending(send)
        self._gtp.handle(line, send, waiting)


def refusal_of(message: Letter) -> bytes:
    """The answer to a letter that is not carried out, in kind and with its id."""
    answer = refusal(message.refused)
    if not message.is_frame:
        return framed(read_line(message.payload)[0], answer)
    try:
        return write_answer(read_frame(message.payload).identity, answer)
    except FrameError as error:
        return write_answer(error.identity, answer)


def logged(message: bytes, outlet: Outlet, log: TrafficLog) -> Outlet:
    """The same outlet; the log has the frame and its answer as the lines that would say the same."""
    is_open = False

    def answer(identity: Identity, answer: Answer) -> None:
        log.sent(ending(answer) if is_open else framed(_number(identity), answer))
        outlet.answer(identity, answer)

    def report(identity: Identity, told: Told) -> None:
        nonlocal is_open
        log.sent(encoded(("" if is_open else f"={_number(identity)}\n") + told.text))
        is_open = True
        outlet.report(identity, told)

    try:
        frame = read_frame(message)
        words = frame.arguments if not isinstance(frame.arguments, Mapping) else [repr(frame.arguments)]
        log.received(encoded(" ".join([_number(frame.identity), frame.command, *words]).strip()))
    except FrameError as error:
        log.received(encoded(f"# {error}"))
    return Outlet(answer, report)


def _number(identity: Identity) -> str:
    """An id as GTP can have it."""
    return str(identity) if isinstance(identity, int) and identity >= 0 else ""


class Impatient:
    """What waits behind a command whose sender can neither hear two answers nor say anything before the first."""

    def __init__(self, waiting: Waiting) -> None:
        self.has_report = False
        self._waiting = waiting
        self._end = time.monotonic() + LONGEST_SILENCE

    def interrupted(self) -> bool:
        """True when a search has to end."""
        return self._waiting.interrupted()

    def has_message(self) -> bool:
        """True as soon as there is a report to answer with."""
        return self.has_report or time.monotonic() > self._end or self._waiting.has_message()
