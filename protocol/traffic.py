"""The traffic log: what was said, as a transcript that the tests can run."""

from __future__ import annotations

from pathlib import Path

from .connection import Send


class TrafficLog:
    """Appends what one connection receives and sends to a file; each piece is written at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)

    def received(self, message: bytes) -> None:
        """Log a line when its turn comes, so that its answer follows it."""
        self._file.write(b"> " + message + b"\n")

    def sending(self, send: Send[bytes]) -> Send[bytes]:
        """The same sender, logged."""

        def logged(message: bytes) -> None:
            self._file.write(message)
            send(message)

        return logged
