"""A program in a process of its own, spoken to line by line with a deadline for every answer."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from typing import IO

from .fault import FaultError, Kind

CHUNK = 1 << 16
MOST_UNREAD = 1 << 22  # bytes of one line or one answer: whoever writes more writes none
MOST_UNASKED = 1000  # lines
LAST_WORDS = 400  # bytes
GRACE = 2.0  # seconds to end by itself


class Child:
    """A running program in its own process group; what it says on standard error is kept only for its last words."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise FaultError(Kind.START, f"{command[0]}: {getattr(error, 'strerror', None) or error}") from error
        self._unread = b""
        self._lines: deque[str] = deque()
        self._last_words = b""
        self._streams = [_open(self._process.stdout), _open(self._process.stderr)]

    @property
    def pid(self) -> int:
        """The process, and its group."""
        return self._process.pid

    def write(self, line: str) -> None:
        """Send a line."""
        try:
            _open(self._process.stdin).write(f"{line}\n".encode())
        except OSError as error:
            raise self._ended() from error

    def read(self, deadline: float) -> str:
        """The next line; a fault when none has come by that time of `time.monotonic`."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise FaultError(Kind.TIME, "no answer")
            if self._lines:
                return self._lines.popleft()
            self._gather(left)

    def unasked(self) -> list[str]:
        """The lines that are there already though nothing was asked."""
        while len(self._lines) < MOST_UNASKED and self._gather(0):
            pass
        lines = [line for line in self._lines if line.strip()]
        self._lines.clear()
        return lines

    def close(self, grace: float = GRACE) -> None:
        """Close its input, wait so long, then end it with everything it started."""
        _open(self._process.stdin).close()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            pass
        finally:
            kill_group(self.pid)
            self._process.wait()
            for stream in (self._process.stdout, self._process.stderr):
                _open(stream).close()

    def _gather(self, timeout: float) -> bool:
        """Take in what has come; False when nothing has."""
        ready = select.select(self._streams, [], [], timeout)[0]
        for stream in ready:
            chunk = os.read(stream.fileno(), CHUNK)
            if stream is self._process.stderr:
                self._hear(chunk)
            else:
                self._split(chunk)
            if not chunk:
                self._streams.remove(stream)
        return bool(ready)

    def _split(self, chunk: bytes) -> None:
        if not chunk:
            raise self._ended()
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        self._lines.extend(line.decode("utf-8", "replace").rstrip("\r") for line in lines)
        if len(self._unread) > MOST_UNREAD:
            raise FaultError(Kind.GARBAGE, "a line without an end")

    def _hear(self, chunk: bytes) -> None:
        self._last_words = (self._last_words + chunk)[-LAST_WORDS:]

    def _ended(self) -> FaultError:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return FaultError(Kind.CRASH, "it closed its output")
        how = f"ended with status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"
        words = self._words()
        return FaultError(Kind.CRASH, f"{how}, saying '{words}'" if words else how)

    def _words(self) -> str:
        """The last line it wrote on standard error."""
        errors = _open(self._process.stderr)
        if errors in self._streams and select.select([errors], [], [], 0)[0]:
            self._hear(os.read(errors.fileno(), CHUNK))
        lines = self._last_words.decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip()[:200] if lines else ""


def kill_group(pid: int) -> None:
    """End a process with everything it started, if anything is left of it."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
