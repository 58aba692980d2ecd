"""A wire to a server for programs that may not wait: sends from any thread, and hands over what comes in its own."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable

from .dealer import Dealer, News, receive_all

PATIENCE = 6.0  # seconds until a server that does not answer is given up


class Wire:
    """Sends frames to an address; hands over what comes, and tells once when the server is lost."""

    def __init__(self, address: str, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._address = address
        self._receive = receive
        self._lost = lost
        self._lock = threading.Lock()
        self._outgoing: deque[bytes | None] = deque()  # None is the end
        self._awake, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._serve, name="wire", daemon=True)
        self._thread.start()

    def send(self, frame: bytes) -> None:
        """Send a frame; returns at once, also when nobody is there any more."""
        self._put(frame)

    def close(self) -> None:
        """Leave the server, which may not hear the last words."""
        self._put(None)

    def join(self) -> None:
        """Wait until the wire is down, a few seconds at most."""
        self._thread.join(3.0)

    def _put(self, frame: bytes | None) -> None:
        with self._lock:
            if self._wake >= 0:
                self._outgoing.append(frame)
                os.write(self._wake, b".")

    def _serve(self) -> None:
        """Own the socket, which no other thread may touch."""
        try:
            dealer = Dealer(self._address)
        except ValueError as error:
            reason = str(error)
        else:
            reason = self._carry(dealer)
            dealer.close()
        with self._lock:
            os.close(self._wake)
            self._wake = -1
        os.close(self._awake)
        if reason:
            self._lost(reason)

    def _carry(self, dealer: Dealer) -> str:
        """Carry frames both ways until the end; says why, nothing when it was wished."""
        gone = f"no server answers at '{self._address}'"
        if not dealer.connect(PATIENCE):
            return gone
        while True:
            for message in receive_all(dealer):
                self._receive(message)
            if News.LOST in dealer.news():
                return gone
            while self._outgoing:
                frame = self._outgoing.popleft()
                if frame is None:
                    return ""
                if not dealer.send(frame):
                    return gone
            if self._awake in dealer.wait(None, self._awake):
                os.read(self._awake, 4096)
