"""The wire to an engine: lines go out, what is heard comes in through a queue; no call waits."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import IO, Protocol, TypeAlias

from ...protocol.clients.process import kill_group
from .notice import Notice

LAST_LINES = 12  # of standard error, kept for the day the engine dies
GRACE = 2.0  # seconds to end by itself
CHUNK = 65536


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the engine's answers."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The engine is gone, and nothing more will come."""

    reason: str
    last_words: tuple[str, ...] = ()
    key: str = "engine_ended"  # of the text that the reason goes into

    @property
    def notice(self) -> Notice:
        """What there is to tell."""
        return Notice(self.key, (self.reason,))


Heard: TypeAlias = Line | Ended
Hear: TypeAlias = Callable[[Heard], None]


class Link(Protocol):
    """A wire to one engine; whatever it hears it hands over from a thread of its own."""

    def send(self, line: str) -> None:
        """Send a line; returns at once."""

    def close(self) -> None:
        """Leave the engine for good; returns at once."""

    def join(self) -> None:
        """Wait until an engine that was left is gone, a few seconds at most."""


Dial: TypeAlias = Callable[[Hear], Link]  # makes a new wire


@dataclass(frozen=True, slots=True)
class Dials:
    """The engines of one board: the referee plays whatever color has no player of its own."""

    referee: Dial
    players: Mapping[str, Dial] = field(default_factory=dict)  # by color


class ProcessLink:
    """An engine in a process of its own, spoken to over standard input and output."""

    def __init__(self, command: Sequence[str], hear: Hear) -> None:
        self._hear = hear
        self._outgoing: SimpleQueue[str | None] = SimpleQueue()
        self._last_words: deque[str] = deque(maxlen=LAST_LINES)
        self._ending = threading.Thread(target=self._end, name="engine: end")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        except (OSError, ValueError) as error:
            hear(Ended(f"{command[0]}: {getattr(error, 'strerror', None) or error}"))
            return
        self._start(self._write, self._read, self._listen)

    def send(self, line: str) -> None:
        """Send a line; returns at once."""
        self._outgoing.put(line)

    def close(self) -> None:
        """Ask it to leave, and see to it in a thread that it does."""
        if not hasattr(self, "_process") or self._ending.ident is not None:
            return
        for line in ("# interrupt", "quit", None):
            self._outgoing.put(line)
        self._ending.start()

    def join(self) -> None:
        """Wait until it is gone."""
        if self._ending.ident is not None:
            self._ending.join()

    def _start(self, *works: Callable[[IO[bytes]], None]) -> None:
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._threads = [
            threading.Thread(target=work, args=(stream,), name=f"engine: {work.__name__}", daemon=True)
            for work, stream in zip(works, streams, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError):  # it may be gone: the reader tells
            while (line := self._outgoing.get()) is not None:
                stream.write(f"{line}\n".encode())
                stream.flush()
        with suppress(OSError):
            stream.close()

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._hear(Line(line.decode("utf-8", "replace").rstrip("\r\n")))
        self._threads[2].join(GRACE)  # its last words may still be on their way
        key, reason = self._how()
        self._hear(Ended(reason, tuple(self._last_words), key))

    def _listen(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._last_words.append(line.decode("utf-8", "replace").rstrip()[:400])

    def _how(self) -> tuple[str, str]:
        try:
            status = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "ended_output", ""
        return ("ended_status", str(status)) if status >= 0 else ("ended_signal", signal.Signals(-status).name)

    def _end(self) -> None:
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            pass
        finally:
            kill_group(self._process.pid)
            self._process.wait()
            for thread in self._threads:
                thread.join(GRACE)
            for stream in (self._process.stdout, self._process.stderr):
                if stream is not None:
                    stream.close()
