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
        self._file.write(b"> " + message.replace(b"\n", b" ") + b"\n")

    def sent(self, message: bytes) -> None:
        """Log an answer or a part of it."""
        self._file.write(message)

    def sending(self, send: Send[bytes]) -> Send[bytes]:
        """The same sender, logged."""

        def logged(message: bytes) -> None:
            self.sent(message)
            send(message)

        return logged

    def close(self) -> None:
        """Close the file: nothing more is said."""
        self._file.close()
