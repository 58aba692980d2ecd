"""Workers in processes of their own: games go out, results come back, none is left behind."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from types import TracebackType
from typing import IO, Any

from ...protocol.clients.process import kill_group
from .crew import Crew
from .results import Result, from_message
from .schedule import Fixture
from .settings import Settings

WORKER = (sys.executable, "-m", "extremum.frontends.match.worker")
GRACE = 8.0  # seconds for a worker to end its engines
TICK = 0.5  # seconds
CHUNK = 1 << 16
END = "null"  # what tells a worker to end its engines in peace
DEATHS = 2  # of workers in the same game, which is likely to be their reason then


class WorkerEndedError(Exception):
    """Workers have died in the same game; the text is for whoever started the match."""


class Pool:
    """So many workers; leaving it ends them and the engines they drive."""

    def __init__(
        self, settings: Settings, crew: Crew, say: Callable[[str], None], command: Sequence[str] = WORKER
    ) -> None:
        self._command = command
        self._say = say  # a remark on an engine, perhaps not for the first time
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._deaths = Counter[int]()  # of workers, by the number of the game
        self._settings = settings
        self._together = crew.together
        cpus = sorted(os.sched_getaffinity(0)) if crew.pin else []
        for index in range(crew.workers):
            self._start(cpus[index % len(cpus)] if cpus else None)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for worker in self._workers:
            if worker.playing or worker.process.poll() is not None:
                worker.hang_up()  # the worker kills its engines and ends
            else:
                worker.send(END)
        for worker in self._workers:
            try:
                worker.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                kill_group(worker.process.pid)
            worker.close()
            if worker.process.returncode < 0:
                worker.kill_engines()
        self._selector.close()

    def play(self, fixtures: Iterator[Fixture], tick: Callable[[], None]) -> Iterator[Result]:
        """The results in the order of their arrival, and a tick now and then while they are waited for.

        What a worker leaves behind is played by another; WorkerEndedError when a second one has died in the same game.
        """
        left = list[Fixture]()
        while True:
            self._hand_out(left, fixtures)
            if not any(worker.playing for worker in self._workers):
                return
            for key, _ in self._selector.select(TICK):
                worker: _Worker = key.data
                for message in worker.messages():
                    if "remark" in message:
                        self._say(message["remark"])
                    if "result" in message:
                        yield from_message(message["result"])
                if worker.has_ended:
                    left += self._replace(worker)
            tick()

    def _hand_out(self, left: list[Fixture], fixtures: Iterator[Fixture]) -> None:
        while (worker := self._idle()) is not None:
            fixture = left.pop() if left else next(fixtures, None)
            if fixture is None:
                return
            worker.give(fixture)

    def _idle(self) -> _Worker | None:
        """The worker with the least to do, if there is room."""
        least = min(self._workers, key=lambda worker: len(worker.playing), default=None)
        return least if least is not None and len(least.playing) < self._together else None

    def _replace(self, worker: _Worker) -> list[Fixture]:
        """Start a new worker for one that has ended in the middle of something; returns what it left."""
        self._selector.unregister(worker.stdout)
        self._workers.remove(worker)
        worker.close()
        left = list(worker.playing.values())
        if worker.has_died:
            worker.kill_engines()
            self._count_death(worker)
        if left or not worker.has_died:
            self._start(worker.cpu)
        return left

    def _count_death(self, worker: _Worker) -> None:
        games = ", ".join(str(number) for number in worker.playing) or "none"
        self._deaths.update(list(worker.playing))
        if any(self._deaths[number] >= DEATHS for number in worker.playing):
            raise WorkerEndedError(f"a worker {worker.end()}, the second one in the same game, of these: {games}")
        self._say(f"a worker {worker.end()}; games that are played once more: {games}")

    def _start(self, cpu: int | None) -> None:
        worker = _Worker(self._command, cpu)
        self._workers.append(worker)
        self._selector.register(worker.stdout, selectors.EVENT_READ, worker)
        first = {"settings": self._settings.to_json(), "cpu": cpu, "together": self._together}
        worker.send(json.dumps(first))


class _Worker:
    """A process that plays, the games it has, and the engines it drives."""

    def __init__(self, command: Sequence[str], cpu: int | None) -> None:
        pipe = subprocess.PIPE
        self.cpu = cpu  # where it is pinned
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        self.playing: dict[int, Fixture] = {}  # by number
        self.has_ended = False  # by a bug of ours, which its last result names, or without a word
        self.has_died = False  # without a word
        self._engines: list[int] = []  # process groups
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        self._begun = b""  # of a line whose end is to come

    def give(self, fixture: Fixture) -> None:
        """Have it play a game."""
        self.playing[fixture.number] = fixture
        self.send(json.dumps(asdict(fixture)))

    def send(self, line: str) -> None:
        """Write a line to it; that it has died is seen where it is read."""
        with suppress(OSError):
            self._stdin.write(line.encode() + b"\n")
            self._stdin.flush()

    def messages(self) -> list[dict[str, Any]]:
        """What has come from it."""
        data = os.read(self.stdout.fileno(), CHUNK)
        self.has_died = not data
        *lines, self._begun = (self._begun + data).split(b"\n")
        found: list[dict[str, Any]] = [json.loads(line) for line in lines]
        for message in found:
            self._engines = message.get("engines", self._engines)
            if "result" in message:
                del self.playing[message["result"]["number"]]
        self.has_ended = self.has_died or any(message.get("ended") for message in found)
        return found

    def hang_up(self) -> None:
        """Close its input."""
        with suppress(OSError):
            self._stdin.close()

    def kill_engines(self) -> None:
        """End the engines that it could not end any more."""
        for engine in self._engines:
            kill_group(engine)

    def close(self) -> None:
        """Wait for its end."""
        self.hang_up()
        self.process.wait()
        self.stdout.close()

    def end(self) -> str:
        """How it ended, in words."""
        status = self.process.returncode
        return f"was killed by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
