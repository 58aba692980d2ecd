"""The benchmark's lines on the server: a real one in a process of its own, and clients over loopback."""

from __future__ import annotations

import os
import re
import resource
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Thread
from types import TracebackType
from typing import Any

import msgpack

from ..protocol.client import Client
from ..protocol.transports.crowd import Crowd
from .engine_process import ENGINE

Line = tuple[str, str, str]  # what is measured, the figure, the floor
PATIENCE = 60.0  # seconds for an answer
NONE = "none"


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured."""

    playing: float = 300.0  # seconds of games
    round_trips: int = 5000
    crowd: int = 100  # clients who ask at once
    idle: int = 1000
    searchers: tuple[int, ...] = (1, 4, 16, 64)
    visits: int = 800  # of each searcher
    players: int = 64
    kills: int = 200


def figures(scale: Scale) -> Iterator[Line]:
    """Measure round trips, searches, whole games and sudden ends."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ServerProcess("--search-memory", "8", "--sessions", "2000") as server:
        yield from _round_trips(server, 1, scale.round_trips)
        yield from _round_trips(server, scale.crowd, scale.round_trips)
        yield from _idle(server, scale.idle)
        for count in scale.searchers:
            yield from _searching(server, count, scale.visits)
        yield from _games(server, scale.players, scale.playing)
        yield from _kills(server, scale.kills)
        yield _stop(server)


class ServerProcess:
    """A server on a free port."""

    def __init__(self, *arguments: str) -> None:
        command = [*ENGINE, "serve", "--bind", "tcp://127.0.0.1:*", *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        assert self.process.stderr is not None
        found = re.search(r"serving at (\S+)", self.process.stderr.readline().decode())
        assert found is not None
        self.address = found[1]
        self._reader = Thread(target=self.process.stderr.read, daemon=True)  # lest it block
        self._reader.start()

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        if self.process.stderr is not None:
            self.process.stderr.close()

    def status(self) -> dict[str, Any]:
        """The server's own figures."""
        with Client(self.address, timeout=PATIENCE) as client:
            found: dict[str, Any] = client.ask("status")
            return found

    def wait_until_alone(self) -> dict[str, Any]:
        """The figures once all other clients are gone."""
        while (found := self.status())["sessions"] > 1:
            time.sleep(0.02)
        return found


def _pack(number: int, command: str, *arguments: str | float) -> bytes:
    packed: bytes = msgpack.packb({"id": number, "cmd": command, "args": list(arguments)})
    return packed


def _round_trips(server: ServerProcess, count: int, most: int) -> Iterator[Line]:
    """Every client asks for the name, again as soon as it was told."""
    times: list[float] = []
    with Crowd(server.address, count) as crowd:
        _ask_all(crowd, "name")
        sent = {number: time.perf_counter() for number in range(count)}
        begun = time.perf_counter()
        for number in range(count):
            crowd.send(number, b"name")
        while len(times) < most:
            for number, _ in crowd.receive(PATIENCE):
                now = time.perf_counter()
                times.append(now - sent[number])
                sent[number] = now
                crowd.send(number, b"name")
        rate = len(times) / (time.perf_counter() - begun)
    clients = "1 client" if count == 1 else f"{count} clients at once"
    quantiles = statistics.quantiles(times, n=100)
    yield f"name, {clients}, median", f"{statistics.median(times) * 1e3:.2f} ms", NONE
    yield f"name, {clients}, 99 %", f"{quantiles[98] * 1e3:.2f} ms", NONE
    yield f"name, {clients}, together", f"{rate:,.0f} replies/s", NONE


def _idle(server: ServerProcess, count: int) -> Iterator[Line]:
    before = server.wait_until_alone()
    with Crowd(server.address, count) as crowd:
        _ask_all(crowd, "name")
        after = server.status()
        with Client(server.address, timeout=PATIENCE) as client:
            client.ask("name")
            times = []
            for _ in range(500):
                begun = time.perf_counter()
                client.ask("name")
                times.append(time.perf_counter() - begun)
    server.wait_until_alone()
    yield f"{count} idle clients, sessions", f"{after['sessions'] - before['sessions']}", str(count)
    yield f"{count} idle clients, memory of each", f"{(after['memory'] - before['memory']) * 1024 / count:.1f} KB", NONE
    yield f"{count} idle clients, threads", f"{after['threads']}", NONE
    yield f"{count} idle clients, name of another, median", f"{statistics.median(times) * 1e3:.2f} ms", NONE


def _searching(server: ServerProcess, count: int, visits: int) -> Iterator[Line]:
    """Clients who search with one net at the same time, each a game of its own, and all of them equally much."""
    with Crowd(server.address, count) as crowd:
        for command in (("set_brain", "mcts"), ("boardsize", 8), ("set_option", "visits", visits)):
            _ask_all(crowd, *command)
        _ask_all(crowd, "time_settings", 0, 60, 1)  # has the brains loaded
        for number in range(count):
            crowd.send(number, _pack(number, "play", "b", f"{'ABCDEFGH'[number % 8]}{1 + number // 8}"))
        _gather(crowd, count)
        before, begun = server.status(), time.perf_counter()
        _ask_all(crowd, "genmove", "w")
        taken = time.perf_counter() - begun
        after = server.status()
    positions, batches, cpu = (after[name] - before[name] for name in ("positions", "batches", "cpu"))
    yield f"{count} searching a net, together", f"{positions / taken:,.0f} positions/s", NONE
    yield f"{count} searching a net, mean batch", f"{positions / max(1, batches):.1f} positions", NONE
    yield f"{count} searching a net, by processor time", f"{positions / cpu:,.0f} positions/s", NONE


def _games(server: ServerProcess, count: int, seconds: float) -> Iterator[Line]:
    """Whole games on every seat; each answer is to carry the number of its question, in turn."""
    with Crowd(server.address, count) as crowd:
        for command in (("set_game", "othello"), ("set_brain", "alphabeta"), ("set_option", "visits", 2000)):
            _ask_all(crowd, *command)
        _ask_all(crowd, "genmove", "b")  # all is loaded now
        _ask_all(crowd, "clear_board")
        table = _Table(crowd)
        first = 0.0
        begun = time.perf_counter()
        for share in (0.25, 1.0):
            table.play(begun + share * seconds)
            first = first or server.status()["memory"]
        table.finish()
        taken, last = time.perf_counter() - begun, server.status()["memory"]
    yield f"{count} playing for {taken:.0f} s, games ended", f"{table.games}", NONE
    yield "the same, answers", f"{table.answers:,}", NONE
    yield "the same, answers lost, refused or out of order", f"{table.faults + table.asked - table.answers}", "0"
    yield "the same, memory after a quarter and at the end", f"{first:.0f} and {last:.0f} MB", "flat"


class _Table:
    """Games of clients against themselves."""

    def __init__(self, crowd: Crowd) -> None:
        self.asked = self.answers = self.faults = self.games = 0
        self._crowd = crowd
        self._numbers = [0] * len(crowd)
        self._plies = [0] * len(crowd)
        for seat in range(len(crowd)):
            self._ask(seat)

    def play(self, until: float) -> None:
        """Answer every answer with the next question."""
        while time.perf_counter() < until:
            for seat, message in self._crowd.receive(PATIENCE):
                self._hear(seat, message)
                self._ask(seat)

    def finish(self) -> None:
        """Wait for what is under way."""
        while self.answers < self.asked:
            for seat, message in self._crowd.receive(PATIENCE):
                self._hear(seat, message)

    def _ask(self, seat: int) -> None:
        self._numbers[seat] += 1
        self.asked += 1
        ply = self._plies[seat]
        command = ("genmove", "bw"[ply % 2]) if ply >= 0 else ("clear_board",)
        self._crowd.send(seat, _pack(self._numbers[seat], *command))

    def _hear(self, seat: int, message: bytes) -> None:
        answer = msgpack.unpackb(message)
        self.answers += 1
        self.faults += answer["id"] != self._numbers[seat] or not answer["ok"]
        is_over = self._plies[seat] > 75  # both sides have passed long ago
        self.games += is_over
        self._plies[seat] = -1 if is_over else self._plies[seat] + 1


def _kills(server: ServerProcess, count: int) -> Iterator[Line]:
    """Clients that are killed in the middle of a search; their sessions are to be free soon after."""
    before = server.wait_until_alone()["memory"]
    for _ in range(count):
        _kill_one(server.address)
    begun = time.perf_counter()
    after = server.wait_until_alone()
    yield f"{count} clients killed in mid-search, sessions left", f"{after['sessions'] - 1}", "0"
    yield "the same, seconds until the last one was free", f"{time.perf_counter() - begun:.2f} s", NONE
    yield "the same, memory before and after", f"{before:.0f} and {after['memory']:.0f} MB", NONE


def _kill_one(address: str) -> None:
    """Start a client in a process, have it search, and kill it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _search_for_ever(address, writing)
        finally:
            os._exit(1)
    os.close(writing)
    said = os.read(reading, 1)
    os.close(reading)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert said == b"!", "a client could not search"


def _search_for_ever(address: str, ready: int) -> None:
    with Crowd(address, 1) as crowd:
        _ask_all(crowd, "play", "b", "H8")
        _ask_all(crowd, "set_option", "movetime", 50)
        crowd.send(0, _pack(3, "lz-genmove_analyze", "w", 1))
        _next(crowd, "report")
        os.write(ready, b"!")
        signal.pause()


def _stop(server: ServerProcess) -> Line:
    """SIGTERM with a search under way, which is to answer with a move."""
    with Crowd(server.address, 1) as crowd:
        _ask_all(crowd, "set_option", "movetime", 50)
        _ask_all(crowd, "play", "b", "H8")
        crowd.send(0, _pack(1, "lz-genmove_analyze", "w", 10))
        _next(crowd, "report")
        begun = time.perf_counter()
        server.process.send_signal(signal.SIGTERM)
        move = _next(crowd, "result")
        status = server.process.wait(PATIENCE)
    return f"SIGTERM in mid-search: {move}, exit status {status}", f"{time.perf_counter() - begun:.2f} s", "2 s"


def _next(crowd: Crowd, key: str) -> Any:
    """What comes next under a key."""
    while True:
        for _, message in crowd.receive(PATIENCE):
            found = msgpack.unpackb(message)
            if key in found:
                return found[key]


def _ask_all(crowd: Crowd, command: str, *arguments: str | float) -> None:
    """Have all of them ask the same, and wait until all are answered."""
    for number in range(len(crowd)):
        crowd.send(number, _pack(number, command, *arguments))
    _gather(crowd, len(crowd))


def _gather(crowd: Crowd, left: int) -> None:
    """Wait for so many answers, none of them a refusal."""
    while left:
        for _, message in crowd.receive(PATIENCE):
            left -= 1
            answer = msgpack.unpackb(message)
            assert answer["ok"], answer["result"]
