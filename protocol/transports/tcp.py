"""A line of text at a time over a TCP connection, as a client."""

from __future__ import annotations

import socket
from threading import Lock

from ..stream import LineSplitter

CHUNK = 65536


class TcpLines:
    """A connection to a server of lines; any thread may send."""

    def __init__(self, host: str, port: int, timeout: float = 20.0) -> None:
        """Raises OSError where nobody answers."""
        self._socket = socket.create_connection((host, port), timeout)
        self._splitter = LineSplitter()
        self._lock = Lock()

    def send(self, line: str) -> None:
        """Send a line in one write: split writes make some servers miss a prompt."""
        with self._lock:
            self._socket.sendall(f"{line}\r\n".encode())

    def receive(self, seconds: float) -> list[str]:
        """The lines that come within so many seconds, none when there are none; ConnectionError at the end."""
        self._socket.settimeout(seconds)
        try:
            chunk = self._socket.recv(CHUNK)
        except TimeoutError:
            return []
        if not chunk:
            raise ConnectionError("the server closed the connection")
        return [line.decode("utf-8", "replace").rstrip("\r") for line in self._splitter.feed(chunk)]

    def close(self) -> None:
        """Hang up."""
        self._socket.close()
