"""An engine in a process of its own, asked over pipes as any client would."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from types import TracebackType

ENGINE = (sys.executable, "-m", "extremum.frontends.cli")


class EngineProcess:
    """Starts an engine, speaks GTP with it, and stops it."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [*ENGINE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._input.close()
        self._output.close()
        self._process.wait(timeout=10)

    def ask(self, command: str) -> str:
        """Send a command and wait for its whole reply."""
        self._send([command])
        return self._reply()

    def ask_all(self, commands: Sequence[str]) -> list[str]:
        """Send commands ahead, as GUIs do, and gather their replies."""
        writer = threading.Thread(target=self._send, args=(commands,))
        writer.start()
        replies = [self._reply() for _ in commands]
        writer.join()
        return replies

    def _send(self, commands: Sequence[str]) -> None:
        self._input.write("".join(f"{command}\n" for command in commands).encode())
        self._input.flush()

    def _reply(self) -> str:
        lines = []
        while (line := self._output.readline()) not in (b"\n", b""):
            lines.append(line.decode())
        if not lines:
            raise ConnectionError("the engine has stopped answering")
        return "".join(lines).rstrip("\n")
