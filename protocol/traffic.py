"""The traffic log: what was said, as a transcript that the tests can run."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Lock

from .connection import Send


class TrafficLog:
    """Appends what one connection receives and sends to a file; each piece is written at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self._lock = Lock()  # answers may come from several threads

    def received(self, message: bytes) -> None:
        """Log a line when its turn comes, so that its answer follows it."""
        self._write(b"> " + message.replace(b"\n", b" ") + b"\n")

    def sent(self, message: bytes) -> None:
        """Log an answer or a part of it."""
        self._write(message)

    def sending(self, send: Send[bytes]) -> Send[bytes]:
        """The same sender, logged."""

        def logged(message: bytes) -> None:
            self.sent(message)
            send(message)

        return logged

    def close(self) -> None:
        """Close the file: nothing more is said."""
        with self._lock:
            self._file.close()

    def _write(self, message: bytes) -> None:
        """Write, unless the file is closed; a full disk ends the log, not the game."""
        with self._lock:
            if self._file.closed:
                return
            try:
                self._file.write(message)
            except OSError as error:
                self._file.close()
                logging.getLogger(__name__).error("cannot log: %s", error.strerror)
