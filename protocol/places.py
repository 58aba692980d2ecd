"""Places for searches: so many at a time, and whoever comes later waits for the next free one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from ..engine.errors import EngineError
from .host import Interrupted

STOPPING = "the server is stopping"
POLL = 0.1  # seconds between two looks at whether somebody still waits


class Places:
    """Hands out places in the order they were asked for."""

    def __init__(self, most: int) -> None:
        self.num_taken = 0
        self._most = most
        self._queue: deque[object] = deque()
        self._changed = Condition()
        self._is_closed = False

    @property
    def num_waiting(self) -> int:
        """How many have none yet."""
        return len(self._queue)

    @contextmanager
    def taken(self, interrupted: Interrupted) -> Iterator[None]:
        """Wait for a place and keep it for this time; who is interrupted has no time to wait, and needs none."""
        has_place = self._wait(interrupted)
        try:
            yield
        finally:
            if has_place:
                with self._changed:
                    self.num_taken -= 1
                    self._changed.notify_all()

    def close(self) -> None:
        """Refuse everybody who waits."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _wait(self, interrupted: Interrupted) -> bool:
        """True with a place, False after an interruption; EngineError when no more are given."""
        own = object()
        with self._changed:
            self._queue.append(own)
            try:
                while self.num_taken >= self._most or self._queue[0] is not own:
                    if self._is_closed:
                        raise EngineError(STOPPING)
                    if interrupted():
                        return False
                    self._changed.wait(POLL)
                self.num_taken += 1
                return True
            finally:
                self._queue.remove(own)
                self._changed.notify_all()
