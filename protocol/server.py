"""The sessions of many clients: who is served, with what, and how busy that makes the process."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..engine.bounds import Bounds
from ..engine.search.opened import Evaluators, SharedEvaluators
from ..engine.session import Session
from .analyses import Analyses
from .command import Answer
from .connection import Connection, Send
from .frames import Identity
from .host import Interrupted, process_status
from .peer import Letter, Peer
from .places import Places
from .query import read_query
from .traffic import TrafficLog

T = TypeVar("T")
LOW_PRIORITY = 10  # niceness of searches that no clock waits for
MEMORY = 10.0  # seconds over which a speed is taken


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What clients may use up; whoever asks for more is refused."""

    sessions: int = 1024
    queue: int = 1000  # messages, or analyses, of one client that wait
    message: int = 1 << 20  # bytes
    idle: float = 3600.0  # seconds without a message after which a session ends
    seconds: float = 60.0  # of a search
    memory: int = 32  # megabytes of a session's hash table or tree
    searches: int = 64  # for moves, and as many analyses, at a time; others wait

    @property
    def bounds(self) -> Bounds:
        """What a session is given of this."""
        return Bounds(self.seconds, self.memory, is_guest=True)


Begin = Callable[[Bounds, Evaluators], Session]
Publish = Callable[[str, Any], None]


class Server:
    """Makes a connection for each client; all of them share evaluators, and the threads that work for them."""

    def __init__(self, limits: ServerLimits, begin: Begin, logs: Path | None = None) -> None:
        self.limits = limits
        self.num_sessions = 0
        self._begin = begin
        self._logs = logs
        self._evaluators = SharedEvaluators()
        self._began = time.strftime("%Y%m%dT%H%M%S")
        self._numbers = 0
        self._lock = threading.Lock()
        self._sessions: set[Session] = set()  # of clients
        self._answered = 0
        self.searches, self.asides = Places(limits.searches), Places(limits.searches)
        self._speeds: deque[tuple[float, int, int]] = deque()  # when, positions and answers so far
        self._workers = ThreadPoolExecutor(limits.sessions + 1, "answers")
        self.analyses = Analyses(self.new_session, os.cpu_count() or 1, limits.queue, step_back)

    def new_session(self) -> Session:
        """A session within the limits."""
        return self._begin(self.limits.bounds, self._evaluators)

    def connect(
        self, send: Send[Letter], publish: Publish, finished: Callable[[], None]
    ) -> tuple[str, Connection[Letter]]:
        """Begin a session, which has a name; `finished` is called, in some thread, when it has ended."""
        with self._lock:
            self._numbers += 1
            self.num_sessions += 1
        guest = Guest(self, f"session-{self._numbers:06}", publish)
        log = self._open_log(guest.name)
        logging.getLogger(__name__).info("%s begins", guest.name, extra={"session": guest.name, "event": "begin"})

        session = self.new_session()
        self._sessions.add(session)

        def end() -> None:
            self._sessions.discard(session)
            session.close()
            self._end(guest, log)
            finished()

        peer = Peer(session, guest, guest, log)
        return guest.name, Connection(peer, send, end, self._count, start=self._start)

    def close(self) -> None:
        """Have analyses refused, and nothing more begun or loaded, before the process ends."""
        for places in (self.searches, self.asides):
            places.close()
        for session in list(self._sessions):
            session.close()
        self.analyses.close()

    def status(self) -> dict[str, Any]:
        """Figures about all sessions."""
        traffic = self._evaluators.traffic()
        self.sample()
        then, positions, answered = self._speeds[0]
        seconds = max(1e-3, time.monotonic() - then)
        return {
            "sessions": self.num_sessions,
            "sessions_so_far": self._numbers,
            "searches": self.searches.num_taken + self.asides.num_taken,
            "searches_waiting": self.searches.num_waiting + self.asides.num_waiting,
            "answers": self._answered,
            "answers_per_second": round((self._answered - answered) / seconds, 1),
            "positions": traffic.positions,
            "positions_per_second": round((traffic.positions - positions) / seconds, 1),
            "batches": traffic.batches,
            "mean_batch": round(traffic.positions / max(1, traffic.batches), 2),
            "positions_waiting": traffic.waiting,
            "analyses_waiting": self.analyses.num_waiting,
            **process_status(),
            "threads": threading.active_count(),
        }

    def sample(self) -> None:
        """Take note of what was done so far; called about once a second."""
        now = time.monotonic()
        self._speeds.append((now, self._evaluators.traffic().positions, self._answered))
        while len(self._speeds) > 2 and self._speeds[0][0] < now - MEMORY:
            self._speeds.popleft()

    def _open_log(self, name: str) -> TrafficLog | None:
        if self._logs is None:
            return None
        try:
            return TrafficLog(self._logs / f"{self._began}-{name}.txt")
        except OSError as error:
            logging.getLogger(__name__).error("cannot log %s: %s", name, error.strerror)
            return None

    def _start(self, work: Callable[[], None]) -> None:
        self._workers.submit(work).add_done_callback(_tell_of_bugs)

    def _count(self, message: Letter) -> None:
        self._answered += 1

    def _end(self, guest: Guest, log: TrafficLog | None) -> None:
        with self._lock:
            self.num_sessions -= 1
        self.analyses.drop(guest)
        if log is not None:
            log.close()
        logging.getLogger(__name__).info("%s ends", guest.name, extra={"session": guest.name, "event": "end"})

    def aside(self, search: Callable[[], T], interrupted: Interrupted) -> T:
        """Run a search with low priority, so that those whose clock runs have the processor first."""
        future: Future[T] = Future()
        with self.asides.taken(interrupted):
            threading.Thread(target=_run_aside, args=(search, future), name="aside", daemon=True).start()
            return future.result()


class Guest:
    """The host of one client's session, and the desk for its analyses without one."""

    def __init__(self, server: Server, name: str, publish: Publish) -> None:
        self.name = name
        self._server = server
        self._publish = publish

    def status(self) -> dict[str, Any]:
        """Figures about the server, and the name under which this session publishes."""
        return {"session": self.name, **self._server.status()}

    def searching(self, interrupted: Interrupted) -> AbstractContextManager[None]:
        """Entered for the time of a search, when not too many others search."""
        return self._server.searches.taken(interrupted)

    def aside(self, search: Callable[[], T], interrupted: Interrupted) -> T:
        """Run a search with low priority."""
        return self._server.aside(search, interrupted)

    def publish(self, report: Any) -> None:
        """Tell a report to everybody who subscribed to this session."""
        self._publish(self.name, {"session": self.name, "report": report})

    def ask(self, identity: Identity, arguments: Mapping[str, Any], send: Send[Answer]) -> None:
        """Have an analysis made and sent."""
        self._server.analyses.ask(self, identity, read_query(arguments), send)

    def cancel(self, identity: Identity) -> None:
        """Have an analysis refused."""
        self._server.analyses.cancel(self, identity)


def step_back() -> None:
    """Give the calling thread, and those it will start, a low priority where threads have one of their own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)


def _tell_of_bugs(future: Future[None]) -> None:
    """A session ends by a bug outside of its commands; the log should have it."""
    error = future.exception()
    if error is not None:
        logging.getLogger(__name__).error("internal error", exc_info=error)


def _run_aside(search: Callable[[], T], future: Future[T]) -> None:
    step_back()
    try:
        future.set_result(search())
    except BaseException as error:  # raised again by whoever waits
        future.set_exception(error)
