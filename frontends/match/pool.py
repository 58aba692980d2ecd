"""Workers in processes of their own: games go out, results come back, none is left behind."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
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
CHUNK = 1 << 16
END = "null"  # what tells a worker to end its engines in peace


class WorkerEndedError(Exception):
    """A worker has ended by itself; the text is for whoever started the match."""


class Pool:
    """So many workers; leaving it ends them and the engines they drive."""

    def __init__(
        self, settings: Settings, crew: Crew, say: Callable[[str], None], command: Sequence[str] = WORKER
    ) -> None:
        self._command = command
        self._say = say  # a remark on an engine, perhaps not for the first time
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
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
                worker.stdin.close()  # the worker kills its engines and ends
            else:
                worker.send(END)
        for worker in self._workers:
            try:
                worker.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                kill_group(worker.process.pid)
            worker.close()
        self._selector.close()

    def play(self, fixtures: Iterator[Fixture]) -> Iterator[Result]:
        """The results in the order of their arrival; WorkerEndedError when one has ended."""
        left = list[Fixture]()  # by workers that ended
        while True:
            while (worker := self._idle()) is not None:
                fixture = left.pop() if left else next(fixtures, None)
                if fixture is None:
                    break
                worker.give(fixture)
            if not any(worker.playing for worker in self._workers):
                return
            for key, _ in self._selector.select():
                messages = list(key.data.messages())
                for message in messages:
                    if "remark" in message:
                        self._say(message["remark"])
                yield from (from_message(message["result"]) for message in messages if "result" in message)
                if any(message.get("ended") for message in messages):
                    left += self._replace(key.data)

    def _idle(self) -> _Worker | None:
        """The worker with the least to do, if there is room."""
        least = min(self._workers, key=lambda worker: len(worker.playing))
        return least if len(least.playing) < self._together else None

    def _replace(self, worker: _Worker) -> list[Fixture]:
        """Start a new worker for one that is ending by a bug of ours, which its result names; returns what it left."""
        self._selector.unregister(worker.stdout)
        self._workers.remove(worker)
        worker.close()
        self._start(worker.cpu)
        return list(worker.playing.values())

    def _start(self, cpu: int | None) -> None:
        worker = _Worker(self._command, cpu)
        self._workers.append(worker)
        self._selector.register(worker.stdout, selectors.EVENT_READ, worker)
        first = {"settings": self._settings.to_json(), "cpu": cpu, "together": self._together}
        worker.send(json.dumps(first))


class _Worker:
    """A process that plays, and the games it has."""

    def __init__(self, command: Sequence[str], cpu: int | None) -> None:
        pipe = subprocess.PIPE
        self.cpu = cpu  # where it is pinned
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        self.playing: dict[int, Fixture] = {}  # by number
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        self._begun = b""  # of a line whose end is to come

    def give(self, fixture: Fixture) -> None:
        """Have it play a game."""
        self.playing[fixture.number] = fixture
        self.send(json.dumps(asdict(fixture)))

    def send(self, line: str) -> None:
        """Write a line to it."""
        self.stdin.write(line.encode() + b"\n")
        self.stdin.flush()

    def messages(self) -> Iterator[dict[str, Any]]:
        """What has come from it; WorkerEndedError when it has ended."""
        data = os.read(self.stdout.fileno(), CHUNK)
        if not data:
            raise WorkerEndedError(f"a worker ended in game {', '.join(str(number) for number in self.playing)}")
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "result" in message:
                del self.playing[message["result"]["number"]]
            yield message

    def close(self) -> None:
        """Wait for its end."""
        self.stdin.close()
        self.process.wait()
        self.stdout.close()
