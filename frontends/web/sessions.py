"""The games of the browsers, each with its engine; those that are left alone are closed."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from ..shared.play import Play
from ..shared.snapshot import snapshot, written
from .actions import act

PULSE = 0.1  # seconds between two looks at the clocks
MOST_NOTICES = 20
PATIENCE = 5.0  # seconds for a record

MakePlay = Callable[[Callable[[], None]], Play]  # takes what is to be called when the engine speaks


class Session:
    """One browser's game; any thread may call it."""

    def __init__(self, make: MakePlay, now: Callable[[], float]) -> None:
        self._now = now
        self._changed = threading.Condition()
        self._arrived = threading.Event()
        self._notices: deque[tuple[int, list[str]]] = deque(maxlen=MOST_NOTICES)
        self._told = 0
        self._closed = False
        self._play = make(self._arrived.set)
        self.touched = now()
        threading.Thread(target=self._run, name="game", daemon=True).start()

    def act(self, request: Any) -> None:
        """Do what the page asks; raises what `act` raises."""
        with self._changed:
            self.touched = self._now()
            try:
                act(self._play, request)
            finally:
                self._gather()

    def record(self) -> str | None:
        """The game as SGF; None where the engine does not give it in time."""
        taken: list[str] = []
        with self._changed:
            self.touched = self._now()
            self._play.record(taken.append)
            self._changed.wait_for(lambda: bool(taken) or self._closed, PATIENCE)
        return taken[0] if taken else None

    def watch(self, version: int, told: int, timeout: float) -> tuple[int, int, dict[str, Any]] | None:
        """What is new since a version and a number of notices; None when nothing is, {} at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._play.version != version, timeout)
            if self._closed:
                return version, told, {}
            if self._play.version == version:
                return None
            notices = [notice for number, notice in self._notices if number > told]
            return self._play.version, self._told, {"state": snapshot(self._play), "notices": notices}

    def close(self) -> None:
        """End the game and its engine."""
        with self._changed:
            self._closed = True
            self._play.close()
            self._changed.notify_all()
        self._arrived.set()

    def join(self) -> None:
        """Wait until the engines are gone."""
        self._play.driver.join()

    def _run(self) -> None:
        while not self._closed:
            self._arrived.wait(PULSE)
            self._arrived.clear()
            with self._changed:
                if self._closed:
                    return
                self._play.pump()
                self._gather()

    def _gather(self) -> None:
        """Keep what is to be told, and wake whoever watches; the lock is held."""
        for notice in self._play.notices():
            self._told += 1
            self._notices.append((self._told, written(notice)))
        self._changed.notify_all()


class Sessions:
    """As many games as there are places."""

    def __init__(self, make: MakePlay, places: int, idle: float, now: Callable[[], float] = time.monotonic) -> None:
        self._make, self._places, self._idle, self._now = make, places, idle, now
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}

    def find(self, key: str) -> Session | None:
        """The session of a key."""
        with self._lock:
            return self._sessions.get(key)

    def open(self) -> str | None:
        """The key of a new session; None when every place is taken."""
        self.sweep()
        with self._lock:
            if len(self._sessions) >= self._places:
                return None
            key = secrets.token_urlsafe(24)
            self._sessions[key] = Session(self._make, self._now)
            return key

    def sweep(self) -> None:
        """Close the sessions that nobody has touched for long."""
        with self._lock:
            old = [key for key, each in self._sessions.items() if self._now() > each.touched + self._idle]
            closing = [self._sessions.pop(key) for key in old]
        for session in closing:
            session.close()

    def close(self) -> None:
        """Close every session, and wait for the engines."""
        with self._lock:
            closing = list(self._sessions.values())
            self._sessions.clear()
        for session in closing:
            session.close()
        for session in closing:
            session.join()
