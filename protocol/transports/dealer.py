"""The client's end of a server's wire: a DEALER that knows whether it is connected."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import Enum

import zmq
from zmq.utils.monitor import parse_monitor_message

from .curve import ClientKeys

RECONNECT, RECONNECT_MOST = 100, 2000  # milliseconds between two attempts, growing
HEARTBEAT = 5000  # milliseconds; a server that does not answer for three of these is gone
EVENTS = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH


class News(Enum):
    """What became of a connection."""

    CONNECTED = "connected"
    LOST = "lost"
    REFUSED = "refused"


class Dealer:
    """Sends and receives whole messages in one thread; connects, and connects again, by itself."""

    def __init__(self, address: str, keys: ClientKeys | None = None) -> None:
        """ValueError when the address is none."""
        self.address = address
        self.is_connected = False
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.linger = 0
        self._socket.ipv6 = "[" in address
        self._socket.rcvhwm = self._socket.sndhwm = 0  # the server bounds what may be under way
        self._socket.immediate = True  # nothing is kept for a server that is not there
        self._socket.reconnect_ivl, self._socket.reconnect_ivl_max = RECONNECT, RECONNECT_MOST
        self._socket.heartbeat_ivl, self._socket.heartbeat_timeout = HEARTBEAT, 3 * HEARTBEAT
        if keys is not None:
            keys.protect(self._socket)
        self._monitor = self._socket.get_monitor_socket(EVENTS)
        try:
            self._socket.connect(address)
        except zmq.ZMQError as error:
            self.close()
            raise ValueError(
                f"'{address}' is no address, as tcp://HOST:PORT: {zmq.strerror(error.errno or 0)}"
            ) from None

    def send(self, message: bytes) -> bool:
        """Send a message; False when nobody is connected to take it."""
        try:
            self._socket.send(message, zmq.NOBLOCK)
        except zmq.Again:
            return False
        return True

    def receive(self) -> bytes | None:
        """A message that has come, None when there is none."""
        try:
            return self._socket.recv(zmq.NOBLOCK)
        except zmq.Again:
            return None

    def wait(self, seconds: float | None, *others: int) -> list[int]:
        """Wait until a message or news has come, or one of the other descriptors can be read: these are returned."""
        poller = zmq.Poller()
        for source in (self._socket, self._monitor, *others):
            poller.register(source, zmq.POLLIN)
        ready = dict(poller.poll(None if seconds is None else max(0, round(1000 * seconds))))
        return [other for other in others if other in ready]

    def news(self) -> list[News]:
        """What became of the connection since this was last asked."""
        told = []
        while int(self._monitor.get(zmq.EVENTS)) & zmq.POLLIN:
            event = parse_monitor_message(self._monitor.recv_multipart())["event"]
            self.is_connected = event == zmq.EVENT_HANDSHAKE_SUCCEEDED
            told.append(_NEWS[event])
        return told

    def connect(self, seconds: float) -> bool:
        """Wait until the server is there; False when it is not within that time, or refuses our key."""
        deadline = time.monotonic() + seconds
        while not self.is_connected and time.monotonic() < deadline:
            if News.REFUSED in self.news():
                return False
            if not self.is_connected:
                self.wait(deadline - time.monotonic())
        return self.is_connected

    def close(self) -> None:
        """Close the wire at once."""
        self._socket.disable_monitor()
        self._monitor.close()
        self._socket.close()
        self._context.term()


def receive_all(dealer: Dealer) -> Sequence[bytes]:
    """Every message that has come."""
    messages = []
    while (message := dealer.receive()) is not None:
        messages.append(message)
    return messages


_NEWS: dict[int, News] = {
    zmq.EVENT_HANDSHAKE_SUCCEEDED: News.CONNECTED,
    zmq.EVENT_DISCONNECTED: News.LOST,
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: News.REFUSED,
}
