"""The real engine in a process of its own, over real pipes."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

HOME = Path(__file__).parent.parent.parent
ENGINE = [sys.executable, "-m", "extremum.frontends.cli"]
THINKER = [sys.executable, "-m", "tests.protocol.thinker", "--movetime", "3"]  # thinks that long, whatever it is asked


class Engine:
    """A running engine; whatever happens it is gone at the end."""

    def __init__(self, command: list[str]) -> None:
        quiet = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, cwd=HOME, env=quiet)
        self._told = b""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def send(self, text: str | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode() if isinstance(text, str) else text)

    def read_until(self, mark: str, timeout: float = 20.0) -> str:
        """What is told up to and with the mark."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + timeout
        while mark.encode() not in self._told:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, left))
            assert ready, f"no {mark!r} within {timeout} s, only {self._told!r}"
            chunk = os.read(self.process.stdout.fileno(), 65536)
            assert chunk, f"the engine ended with {self._told!r}"
            self._told += chunk
        told, _, self._told = self._told.partition(mark.encode())
        return told.decode() + mark

    def rest(self) -> str:
        """What is told until the end, and was not read."""
        assert self.process.stdout is not None
        return (self._told + self.process.stdout.read()).decode()

    def ask(self, line: str) -> str:
        """The answer to a command."""
        self.send(line + "\n")
        return self.read_until("\n\n")

    def cpu_seconds(self) -> float:
        """What the process has computed so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Close the engine's input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self, timeout: float) -> int:
        return self.process.wait(timeout)
