"""Workers in processes of their own: games go out, results come back, none is left behind."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from types import TracebackType
from typing import IO

from ...protocol.clients.process import kill_group
from .results import Result, from_message
from .schedule import Fixture
from .settings import Settings

WORKER = (sys.executable, "-m", "extremum.frontends.match.worker")
GRACE = 8.0  # seconds for a worker to end its engines
END = "null"  # what tells a worker to end its engines in peace


class WorkerEndedError(Exception):
    """A worker has ended by itself; the text is for whoever started the match."""


class Pool:
    """So many workers; leaving it ends them and the engines they drive."""

    def __init__(self, settings: Settings, count: int, *, pin: bool = False) -> None:
        self._selector = selectors.DefaultSelector()
        self._workers: list[subprocess.Popen[bytes]] = []
        self._playing: dict[int, Fixture] = {}  # by the worker's process
        self._cpus: dict[int, int | None] = {}  # likewise, where it is pinned
        self._settings = settings
        cpus = sorted(os.sched_getaffinity(0)) if pin else []
        for index in range(count):
            self._start(cpus[index % len(cpus)] if cpus else None)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for worker in self._workers:
            if worker.pid in self._playing or worker.poll() is not None:
                _stream(worker.stdin).close()  # the worker kills its engines and ends
            else:
                self._send(worker, END)
        for worker in self._workers:
            try:
                worker.wait(GRACE)
            except subprocess.TimeoutExpired:
                kill_group(worker.pid)
                worker.wait()
            _stream(worker.stdin).close()
            _stream(worker.stdout).close()
        self._selector.close()

    def play(self, fixtures: Iterator[Fixture]) -> Iterator[Result]:
        """The results in the order of their arrival; WorkerEndedError when one has ended."""
        idle = list(self._workers)
        while True:
            while idle and (fixture := next(fixtures, None)) is not None:
                worker = idle.pop()
                self._send(worker, json.dumps(asdict(fixture)))
                self._playing[worker.pid] = fixture
            if not self._playing:
                return
            for key, _ in self._selector.select():
                worker = key.data
                line = _stream(worker.stdout).readline()
                if not line:
                    raise WorkerEndedError(f"a worker ended in game {self._playing[worker.pid].number}")
                message = json.loads(line)
                del self._playing[worker.pid]
                idle.append(self._replaced(worker) if message["ended"] else worker)
                yield from_message(message["result"])

    def _replaced(self, worker: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        """A new worker for one that is ending by a bug of ours, which its result names."""
        self._selector.unregister(_stream(worker.stdout))
        self._workers.remove(worker)
        _stream(worker.stdin).close()
        _stream(worker.stdout).close()
        worker.wait()
        return self._start(self._cpus.pop(worker.pid))

    def _start(self, cpu: int | None) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        worker = subprocess.Popen(WORKER, stdin=pipe, stdout=pipe, start_new_session=True)
        self._workers.append(worker)
        self._cpus[worker.pid] = cpu
        self._selector.register(_stream(worker.stdout), selectors.EVENT_READ, worker)
        self._send(worker, json.dumps({"settings": self._settings.to_json(), "cpu": cpu}))
        return worker

    def _send(self, worker: subprocess.Popen[bytes], line: str) -> None:
        stream = _stream(worker.stdin)
        stream.write(line.encode() + b"\n")
        stream.flush()


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
