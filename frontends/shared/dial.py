"""Which engine a window speaks to: a program of its own, or a server's address."""

from __future__ import annotations

import argparse
import re
import shlex

from ...protocol.stream import LineSplitter
from ..engine_process import ENGINE
from ..flags import BadFlagError
from .link import Dial, Dials, Ended, Hear, Line, Link, ProcessLink

ADDRESS = re.compile(r"(tcp|ipc)://\S+$")


def dials_of(given: argparse.Namespace, *flags: str) -> Dials:
    """How to reach the engines that the command line names; ours, with these flags, where it names none."""
    named = {"black": given.black_engine, "white": given.white_engine}
    players = {color: dial(words, flag=f"--{color}-engine") for color, words in named.items() if words is not None}
    return Dials(dial(given.engine, given.connect, *flags), players)


def dial(command: str | None, address: str | None = None, *flags: str, flag: str = "--engine") -> Dial:
    """How to reach one engine; a command may also be a server's address."""
    address = command if command is not None and ADDRESS.match(command) else address
    if address is not None:
        return lambda hear: ServerLink(address, hear)
    try:
        words = shlex.split(command) if command is not None else [*ENGINE, *flags]
    except ValueError as error:
        raise BadFlagError(f"{flag}: {error}") from error
    if not words:
        raise BadFlagError(f"{flag}: no command")

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
