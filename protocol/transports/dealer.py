"""The client's side of ZeroMQ: a wire to a server, whose frames are read as one stream of bytes."""

from __future__ import annotations

import threading
from collections.abc import Callable

import zmq
from zmq.utils.monitor import recv_monitor_message

HEARTBEAT = 2000  # milliseconds between two signs of life
SILENCE = 6000  # milliseconds after which a server is given up
FAREWELL = 200  # milliseconds for the last frames to leave
LOST = zmq.EVENT_DISCONNECTED | zmq.EVENT_CLOSED | zmq.EVENT_CONNECT_RETRIED


class Dealer:
    """Sends frames to an address from any thread; hands over what comes, and tells once when the server is lost."""

    def __init__(self, address: str, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._address = address
        self._receive = receive
        self._lost = lost
        self._context = zmq.Context()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="zeromq", daemon=True)
        self._way_in = self._context.socket(zmq.PAIR)
        self._way_in.bind("inproc://outgoing")
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT)
        for option in (zmq.HEARTBEAT_TIMEOUT, zmq.CONNECT_TIMEOUT, zmq.HANDSHAKE_IVL):
            self._socket.setsockopt(option, SILENCE)
        self._monitor = self._socket.get_monitor_socket(LOST)
        try:
            self._socket.connect(address)
        except zmq.ZMQError as error:
            self._closed = True
            self._context.destroy(linger=0)
            lost(f"'{address}': {error.strerror}".replace("\n", " "))
            return
        self._thread.start()

    def send(self, frame: bytes) -> None:
        """Send a frame; an empty one is never sent."""
        with self._lock:
            if not self._closed and frame:
                self._way_in.send(frame)

    def close(self) -> None:
        """Leave the server."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._way_in.send(b"")

    def join(self) -> None:
        """Wait until the wire is down, a few seconds at most."""
        if self._thread.ident is not None:
            self._thread.join(3.0)

    def _serve(self) -> None:
        """Own the sockets, which no other thread may touch."""
        outgoing = self._context.socket(zmq.PAIR)
        outgoing.connect("inproc://outgoing")
        poller = zmq.Poller()
        for socket in (outgoing, self._socket, self._monitor):
            poller.register(socket, zmq.POLLIN)
        reason: str | None = None
        while reason is None:
            ready = dict(poller.poll())
            if self._socket in ready:
                self._receive(b"".join(self._socket.recv_multipart()))
            elif self._monitor in ready:
                recv_monitor_message(self._monitor)
                reason = f"no server answers at '{self._address}'"
            elif (frame := outgoing.recv()) == b"":
                reason = ""
            else:
                self._socket.send(frame)
        with self._lock:
            self._closed = True
        self._context.destroy(linger=0 if reason else FAREWELL)
        if reason:
            self._lost(reason)
