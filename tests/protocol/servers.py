"""The real server in a process of its own, and plain sockets to it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import msgpack
import zmq

from tests.protocol.engine import ENGINE, HOME

THINKING = [sys.executable, "-m", "tests.protocol.thinking_server"]
LOCAL = "tcp://127.0.0.1:*"
TIMEOUT = 30.0


class ServerProcess:
    """A running server; whatever happens it is gone at the end."""

    def __init__(self, *arguments: str, command: list[str] | None = None, stdin: int = subprocess.DEVNULL) -> None:
        self._told = b""
        bound = [] if any(word.startswith(("--bind", "--ipc")) for word in arguments) else ["--bind", LOCAL]
        self.process = subprocess.Popen(
            [*(command or ENGINE), "serve", *bound, *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=HOME,
        )
        self.address = self.read_until("serving at ", "\n").partition('"')[0].strip()

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def read_until(self, *marks: str) -> str:
        """What is logged between the first mark and the second, or up to the only one."""
        for mark in marks:
            told = self._read_to(mark.encode())
        return told.decode()

    def _read_to(self, mark: bytes) -> bytes:
        assert self.process.stderr is not None
        deadline = time.monotonic() + TIMEOUT
        while mark not in self._told:
            ready, _, _ = select.select([self.process.stderr], [], [], max(0.0, deadline - time.monotonic()))
            chunk = os.read(self.process.stderr.fileno(), 65536) if ready else b""
            assert chunk, f"no {mark!r} but {self._told!r}"
            self._told += chunk
        told, _, self._told = self._told.partition(mark)
        return told

    def stop(self) -> tuple[int, float]:
        """The exit status after SIGTERM, and the seconds that it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(10), time.monotonic() - begun

    def status(self) -> dict[str, Any]:
        with dealer(self.address) as socket:
            found: dict[str, Any] = ask(socket, "status")["result"]
            return found

    def wait_for_sessions(self, count: int, seconds: float = 10.0) -> None:
        """Wait until only so many sessions are left, that of whoever asks among them."""
        deadline = time.monotonic() + seconds
        with dealer(self.address) as socket:
            while (found := ask(socket, "status")["result"]["sessions"]) != count:
                assert time.monotonic() < deadline, f"{found} sessions"
                time.sleep(0.02)

    def niceness(self) -> list[int]:
        """Of every thread."""
        found = []
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            try:
                with open(f"/proc/{self.process.pid}/task/{task}/stat", encoding="ascii") as file:
                    found.append(int(file.read().rpartition(")")[2].split()[16]))
            except (FileNotFoundError, ProcessLookupError):
                continue
        return found


@contextmanager
def dealer(address: str, kind: int = zmq.DEALER, **options: Any) -> Iterator[zmq.Socket[bytes]]:
    """A plain socket, connected."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(kind)
    socket.linger = 0
    socket.rcvtimeo = int(1000 * TIMEOUT)
    socket.rcvhwm = socket.sndhwm = 0
    for name, value in options.items():
        setattr(socket, name, value)
    socket.connect(address)
    try:
        yield socket
    finally:
        socket.close()
        context.term()


def send(socket: zmq.Socket[bytes], command: str, *arguments: Any, identity: Any = 1) -> None:
    socket.send(msgpack.packb({"id": identity, "cmd": command, "args": list(arguments)}))


def receive(socket: zmq.Socket[bytes]) -> Any:
    return msgpack.unpackb(socket.recv())


def ask(socket: zmq.Socket[bytes], command: str, *arguments: Any, identity: Any = 1) -> Any:
    """The answer to a frame."""
    send(socket, command, *arguments, identity=identity)
    return receive(socket)


def say(socket: zmq.Socket[bytes], line: str) -> str:
    """The answer to a line."""
    socket.send(line.encode())
    return socket.recv().decode()


CLIENT = """
import sys, msgpack, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.connect(sys.argv[1])
for number, words in enumerate(line.split() for line in sys.argv[2:]):
    socket.send(msgpack.packb({"id": number, "cmd": words[0], "args": words[1:]}))
    if number < len(sys.argv) - 3:
        socket.recv()
print("asked", flush=True)
socket.recv()
socket.recv()
"""


def asking_process(address: str, *commands: str) -> subprocess.Popen[bytes]:
    """A process that asks one thing after the other and waits for ever for more answers to the last."""
    process = subprocess.Popen([sys.executable, "-c", CLIENT, address, *commands], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"asked\n"
    return process
