"""Which engine a window speaks to: a program of its own, or a server's address."""

from __future__ import annotations

import shlex

from ...protocol.stream import LineSplitter
from ..engine_process import ENGINE
from ..flags import BadFlagError
from .link import Dial, Ended, Hear, Line, Link, ProcessLink


def dial(command: str | None, address: str | None, *flags: str) -> Dial:
    """How to reach the engine that the command line names; ours, with these flags, where it names none."""
    if address is not None:
        return lambda hear: ServerLink(address, hear)
    try:
        words = shlex.split(command) if command is not None else [*ENGINE, *flags]
    except ValueError as error:
        raise BadFlagError(f"--engine: {error}") from error
    if not words:
        raise BadFlagError("--engine: no command")

    def start(hear: Hear) -> Link:
        return ProcessLink(words, hear)

    return start


class ServerLink:
    """An engine behind a ZeroMQ address, to which each line is a frame."""

    def __init__(self, address: str, hear: Hear) -> None:
        from ...protocol.transports.wire import Wire

        splitter = LineSplitter()

        def receive(chunk: bytes) -> None:
            for line in splitter.feed(chunk):
                hear(Line(line.decode("utf-8", "replace").rstrip("\r\n")))

        self._wire = Wire(address, receive, lambda reason: hear(Ended(reason)))

    def send(self, line: str) -> None:
        """Send a line; returns at once."""
        self._wire.send(line.encode())

    def close(self) -> None:
        """Take leave of the server; returns at once."""
        self._wire.send(b"# interrupt")
        self._wire.send(b"quit")
        self._wire.close()

    def join(self) -> None:
        """Wait until the last words have left."""
        self._wire.join()
