"""Very many clients in one thread, to measure a server with."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType

import zmq

SOCKETS = 4096  # at most, in one process


class Crowd:
    """Plain DEALER sockets, known by their numbers."""

    def __init__(self, address: str, count: int) -> None:
        self._context = zmq.Context()
        self._context.set(zmq.MAX_SOCKETS, SOCKETS)
        self._poller = zmq.Poller()
        self._sockets = [self._connect(address) for _ in range(count)]
        self._numbers = {socket: number for number, socket in enumerate(self._sockets)}

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for socket in self._sockets:
            socket.close()
        self._context.term()

    def __len__(self) -> int:
        return len(self._sockets)

    def send(self, number: int, message: bytes) -> None:
        """Send a message of one of them."""
        self._sockets[number].send(message)

    def receive(self, seconds: float) -> Iterator[tuple[int, bytes]]:
        """What has come to whom, after waiting for anything to come; TimeoutError when nothing does."""
        ready = self._poller.poll(round(1000 * seconds))
        if not ready:
            raise TimeoutError(f"no answer within {seconds} s")
        for socket, _ in ready:
            while True:
                try:
                    yield self._numbers[socket], socket.recv(zmq.NOBLOCK)
                except zmq.Again:
                    break

    def _connect(self, address: str) -> zmq.Socket[bytes]:
        socket = self._context.socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(address)
        self._poller.register(socket, zmq.POLLIN)
        return socket
