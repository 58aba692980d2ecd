"""ZeroMQ: one ROUTER for all clients, on one thread, and a PUB socket for those who only listen."""

from __future__ import annotations

import logging
import os
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgpack
import zmq
from zmq.utils.monitor import parse_monitor_message

from ..connection import PARTING, Connection
from ..frames import FIRST
from ..peer import Letter, letters_of, refusal_of
from ..places import STOPPING
from ..server import Server
from .curve import ServerKeys
from .sockets import bind, open_socket

TICK = 1000  # milliseconds between two looks at who is idle
MOST_AT_ONCE = 200  # messages taken in before answers are sent
LINGER = 500  # milliseconds for the last answers
BURST = 20  # times what may wait: beyond that a client is not even refused
REFUSED = zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
EVENTS = zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED | REFUSED
TOO_LONG = 4  # times the longest message: beyond that it is not taken in, lest many of them fill the memory


@dataclass(slots=True, eq=False)
class _Seat:
    """Where a client sits."""

    identity: bytes
    descriptor: int
    connection: Connection[Letter] | None
    active: float  # when it last said something, or was told something
    session: str = ""
    refusal: str = ""  # what its next message is answered by, when there is no connection


class Router:
    """Serves everybody who connects, until it is stopped; only `stop` may be called from other threads."""

    def __init__(self, server: Server, binds: Sequence[str], publish: str | None, keys: ServerKeys | None) -> None:
        """OSError, with its reason, when an address cannot be had."""
        self._server = server
        self._seats: dict[bytes, _Seat] = {}
        self._by_descriptor: dict[int, _Seat | None] = {}  # of every connection; None who has said nothing yet
        self._outgoing: deque[tuple[_Seat, Letter] | tuple[str, bytes] | _Seat] = deque()
        self._awake, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._is_woken = False
        self._is_stopping = False
        self._log = logging.getLogger(__name__)
        self._context = zmq.Context()
        self._authenticator = None if keys is None else keys.authenticate(self._context, self._log)
        self._longest = TOO_LONG * server.limits.message
        self._socket = open_socket(self._context, zmq.ROUTER, self._longest, keys)
        self._publisher = None if publish is None else open_socket(self._context, zmq.PUB, self._longest, keys)
        self._monitor = self._socket.get_monitor_socket(EVENTS)
        try:
            self.addresses = [bind(self._socket, address) for address in binds]
            self.published = None if self._publisher is None or publish is None else bind(self._publisher, publish)
        except OSError:
            self._close(linger=0)
            raise

    def run(self) -> None:
        """Serve until `stop` is called and everybody has been answered; closes the sockets."""
        poller = zmq.Poller()
        for source in (self._socket, self._monitor, self._awake):
            poller.register(source, zmq.POLLIN)
        last = time.monotonic()
        while not self._is_stopping:
            ready = dict(poller.poll(TICK))
            self._step(ready)
            if time.monotonic() > last + TICK / 1000:
                last = time.monotonic()
                self._look_after()
        self._part()

    def stop(self) -> None:
        """Have `run` come to its end; may be called from a signal's handler."""
        self._is_stopping = True
        self._ring()

    def _step(self, ready: dict[Any, int]) -> None:
        if self._awake in ready:
            os.read(self._awake, 4096)
        if self._monitor in ready:
            self._hear_of_connections()
        self._send_all()
        if self._socket in ready:
            self._receive_some()
            self._send_all()

    def _ring(self) -> None:
        """Have the thread of the sockets look at what is to be sent."""
        if not self._is_woken:
            self._is_woken = True
            os.write(self._wake, b"!")

    def _publish(self, topic: str, report: Any) -> None:
        if self._publisher is not None:
            self._post((topic, msgpack.packb(report)))

    def _post(self, item: tuple[_Seat, Letter] | tuple[str, bytes] | _Seat) -> None:
        self._outgoing.append(item)
        self._ring()

    def _send_all(self) -> None:
        self._is_woken = False
        while self._outgoing:
            match self._outgoing.popleft():
                case _Seat() as seat:
                    if seat.connection is not None and seat.connection.has_ended:
                        self._begin_anew(seat)
                case (_Seat() as seat, Letter() as letter):
                    self._send(seat, letter)
                case (str() as topic, bytes() as report) if self._publisher is not None:
                    self._publisher.send_multipart([topic.encode(), report])

    def _send(self, seat: _Seat, letter: Letter) -> None:
        seat.active = time.monotonic()
        try:
            self._socket.send_multipart(
                [seat.identity, *([b""] if letter.wants_one else []), letter.payload], zmq.NOBLOCK
            )
        except zmq.Again:
            self._drop(seat, "does not read its answers")
        except zmq.ZMQError as error:
            if error.errno != zmq.EHOSTUNREACH:
                raise
            self._drop(seat, "is gone")

    def _receive_some(self) -> None:
        for _ in range(MOST_AT_ONCE):
            try:
                identity, *parts = self._socket.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            self._receive(identity.bytes, parts)

    def _receive(self, identity: bytes, parts: list[zmq.Frame]) -> None:
        wants_one = len(parts) == 2 and len(parts[0]) == 0
        payload = parts[-1]
        seat = self._seat(identity, int(payload.get(zmq.SRCFD)))
        if seat is None:
            return  # its last words: nobody is there to be answered
        seat.active = time.monotonic()
        letter = Letter(b"", wants_one)
        if len(parts) != 1 + wants_one:
            self._take(seat, letter.refuse(f"a message has one part, here are {len(parts)}"))
        elif len(payload) == 0:
            self._take(seat, letter.refuse("empty message"))
        elif len(payload) > self._server.limits.message:
            letter = Letter(bytes(payload.buffer[:1]), wants_one)
            self._take(seat, letter.refuse(f"message too long: more than {self._server.limits.message} bytes"))
        elif (text := payload.bytes)[0] < FIRST and text.count(b"\n") > self._server.limits.queue:
            self._take(seat, letter.refuse(f"too many lines: at most {self._server.limits.queue}"))
        else:
            for letter in letters_of(text, wants_one=wants_one):
                self._take(seat, letter)

    def _seat(self, identity: bytes, descriptor: int) -> _Seat | None:
        """Where a client sits, None when it has left."""
        # That whoever had this name or this descriptor before has left was told before this message could come.
        self._hear_of_connections()
        seat = self._seats.get(identity)
        if seat is not None and seat.descriptor == descriptor:
            return seat
        if seat is not None:
            self._drop(seat, "has left its name to another")
        if descriptor not in self._by_descriptor:
            return None
        self._by_descriptor[descriptor] = self._seats[identity] = _Seat(identity, descriptor, None, 0.0)
        return self._seats[identity]

    def _take(self, seat: _Seat, letter: Letter) -> None:
        limits = self._server.limits
        while seat.connection is not None or self._admit(seat, letter):
            connection = seat.connection
            assert connection is not None
            if connection.num_waiting >= BURST * limits.queue:
                self._drop(seat, "sends more than can wait")
                seat.refusal = f"session ended: more than {BURST * limits.queue} messages were waiting"
                return
            if connection.num_waiting >= limits.queue and not letter.refused:
                letter = letter.refuse(f"too many messages waiting: at most {limits.queue}")
            if connection.receive(letter):
                return
            self._begin_anew(seat)  # it had just said quit

    def _begin_anew(self, seat: _Seat) -> None:
        """Forget a session that has ended by itself; a new one answers what came behind its end."""
        connection, seat.connection = seat.connection, None
        for letter in [] if connection is None else connection.left_behind():
            self._take(seat, letter)

    def _admit(self, seat: _Seat, letter: Letter) -> bool:
        """Begin a session, unless its message is to be refused."""
        most = self._server.limits.sessions
        refusal, seat.refusal = STOPPING if self._is_stopping else seat.refusal, ""
        if not refusal and self._server.num_sessions >= most:
            refusal = f"too many sessions: at most {most}"
        if refusal:
            self._send(seat, Letter(refusal_of(letter.refuse(refusal)), letter.wants_one))
            return False
        seat.session, seat.connection = self._server.connect(
            lambda answer: self._post((seat, answer)),
            self._publish,
            lambda: self._post(seat),
        )
        return True

    def _hear_of_connections(self) -> None:
        while int(self._monitor.get(zmq.EVENTS)) & zmq.POLLIN:
            event = parse_monitor_message(self._monitor.recv_multipart())
            if event["event"] == zmq.EVENT_ACCEPTED:
                self._by_descriptor[event["value"]] = None
            elif event["event"] == zmq.EVENT_DISCONNECTED:
                seat = self._by_descriptor.pop(event["value"], None)
                if seat is not None:
                    # Why is not told: it may have left, or ZeroMQ did not take its message.
                    self._drop(seat, f"has disconnected, or was cut off for more than {self._longest} bytes")
                    if self._seats.get(seat.identity) is seat:
                        del self._seats[seat.identity]
            else:
                self._log.warning("a client was refused: wrong keys, or none", extra={"event": "refused"})

    def _drop(self, seat: _Seat, why: str) -> None:
        """End a session whose client will not hear of it."""
        connection, seat.connection = seat.connection, None
        if connection is not None:
            self._log.info("%s %s", seat.session, why, extra={"event": "drop", "session": seat.session})
            connection.hang_up()

    def _look_after(self) -> None:
        """End the sessions that nobody uses any more."""
        self._server.sample()
        idle, now = self._server.limits.idle, time.monotonic()
        for seat in self._seats.values():
            connection = seat.connection
            if connection is not None and connection.is_resting and now > seat.active + idle:
                self._drop(seat, f"said nothing for {idle:g} s")
                seat.refusal = f"session ended: no message for {idle:g} s"

    def _part(self) -> None:
        """Have everybody answered, also who has asked just now, then close."""
        deadline = time.monotonic() + PARTING
        self._receive_some()
        connections = [seat.connection for seat in self._seats.values() if seat.connection is not None]
        for connection in connections:
            connection.finish(lambda letter: letter.refuse(STOPPING))
        self._server.close()
        while time.monotonic() < deadline:
            self._send_all()
            if self._server.analyses.is_idle and all(each.is_resting for each in connections) and not self._outgoing:
                break
            time.sleep(0.005)
        self._send_all()
        self._close(LINGER)

    def _close(self, linger: int) -> None:
        self._socket.disable_monitor()
        self._monitor.close()
        self._socket.close(linger)
        if self._publisher is not None:
            self._publisher.close(linger)
        if self._authenticator is not None:
            self._authenticator.stop()
        self._context.term()
