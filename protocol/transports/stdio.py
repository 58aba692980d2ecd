"""Standard input and output."""

from __future__ import annotations

import logging
import os
import select
from collections.abc import Callable
from threading import Thread

from ..connection import Connection, Send
from ..stream import LineSplitter

STDIN, STDOUT, STDERR = 0, 1, 2
CHUNK = 65536

Connect = Callable[[Send[bytes], Callable[[], None]], Connection[bytes]]


class Stdio:
    """Reads in the thread that calls `serve`, answers in another."""

    def __init__(self) -> None:
        self._output = claim_output()
        self._connection: Connection[bytes] | None = None

    def serve(self, connect: Connect) -> bool:
        """Serve one connection to its end; False when it had to be left in the middle of an answer."""
        awake, wake = os.pipe()
        connection = self._connection = connect(self._send, lambda: os.close(wake))
        Thread(target=connection.run, name="answers", daemon=True).start()
        splitter = LineSplitter()
        sources = [STDIN, awake]
        while True:
            ready, _, _ = select.select(sources, [], [], connection.patience())
            if awake in ready or not ready:
                return bool(ready)
            chunk = read()
            if chunk is None:
                continue
            for line in splitter.feed(chunk) if chunk else splitter.rest():
                connection.receive(line)
            if not chunk:
                connection.end()
                sources.remove(STDIN)

    def hang_up(self) -> None:
        """Stop answering."""
        if self._connection is not None:
            self._connection.hang_up()

    def finish(self) -> None:
        """Have the search under way answer now, and `serve` return; what waits is not answered."""
        if self._connection is not None:
            self._connection.finish(lambda line: b"")  # nobody answers an empty line

    def _send(self, message: bytes) -> None:
        try:
            write(self._output, message)
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                logging.getLogger(__name__).error("cannot write: %s", error.strerror)
            self.hang_up()


def claim_output() -> int:
    """Keep standard output for the protocol: whatever else is printed goes to standard error."""
    for descriptor in (STDIN, STDOUT, STDERR):
        try:
            os.fstat(descriptor)
        except OSError:  # it was closed, and the next file opened takes its number
            os.open(os.devnull, os.O_RDWR)
    output = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    return output


def read() -> bytes | None:
    """What there is on standard input: b"" at its end, None when there is nothing yet."""
    try:
        return os.read(STDIN, CHUNK)
    except BlockingIOError:
        return None
    except OSError:  # a terminal that was closed
        return b""


def write(output: int, message: bytes) -> None:
    """Write a whole message, in one piece wherever the system takes it so."""
    while message:
        try:
            message = message[os.write(output, message) :]
        except BlockingIOError:
            select.select([], [output], [])
