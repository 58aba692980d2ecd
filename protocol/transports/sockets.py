"""How a server's sockets are opened and bound."""

from __future__ import annotations

import zmq

from .curve import ServerKeys

HEARTBEAT = 5000  # milliseconds; who does not answer for three of these is gone
UNSENT = 100_000  # messages to a client who does not read them


def open_socket(
    context: zmq.Context[zmq.Socket[bytes]], kind: int, longest: int, keys: ServerKeys | None
) -> zmq.Socket[bytes]:
    """A socket that takes no message of more bytes than the longest: ZeroMQ closes the connection, without a word."""
    socket = context.socket(kind)
    socket.linger = 0
    socket.sndhwm = UNSENT
    socket.maxmsgsize = longest
    socket.heartbeat_ivl, socket.heartbeat_timeout = HEARTBEAT, 3 * HEARTBEAT
    if kind == zmq.ROUTER:
        socket.router_mandatory = True
        socket.router_handover = True  # who comes back under its name need not wait until its loss is noticed
    if keys is not None:
        keys.protect(socket)
    return socket


def bind(socket: zmq.Socket[bytes], address: str) -> str:
    """Bind, and tell the address that was got; OSError when it cannot be had."""
    socket.ipv6 = "[" in address
    try:
        socket.bind(address)
    except zmq.ZMQError as error:
        raise OSError(error.errno, zmq.strerror(error.errno or 0), address) from error
    endpoint = socket.get(zmq.LAST_ENDPOINT)
    assert isinstance(endpoint, bytes)
    return endpoint.rstrip(b"\0").decode()
