"""Analyses that need no session: `analyze {game, moves, limits}`, in any order, matched by id, cancellable.

Some threads of low priority work for all clients, who take turns however much each of them asks for.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..engine.errors import EngineError
from ..engine.search.analysis import ignore
from ..engine.session import Session
from .command import Answer, attempt, refusal
from .commands.board import outcome_record
from .connection import Send
from .notation import write_color, write_vertex
from .places import STOPPING
from .query import Query
from .reply import Told
from .summary import analysis_record


@dataclass(slots=True, eq=False)
class _Task:
    key: Hashable
    query: Query
    send: Send[Answer]
    cancelled: threading.Event = field(default_factory=threading.Event)


class Analyses:
    """Makes the analyses that clients ask for; each of them has at most so many waiting."""

    def __init__(self, begin: Callable[[], Session], workers: int, most: int, enter: Callable[[], None]) -> None:
        """`begin` makes a session, `enter` is called by each thread before anything else."""
        self._begin = begin
        self._enter = enter
        self._workers = workers
        self._most = most
        self._changed = threading.Condition()
        self._queues: OrderedDict[Hashable, deque[_Task]] = OrderedDict()  # by client, the next one first
        self._tasks: dict[Hashable, dict[Hashable, _Task]] = {}  # by client and key, under way ones among them
        self._threads = 0
        self._idle = 0
        self._sending = 0

    @property
    def num_waiting(self) -> int:
        """How many are not begun."""
        with self._changed:
            return sum(len(queue) for queue in self._queues.values())

    @property
    def is_idle(self) -> bool:
        """True when all are answered."""
        return not self._tasks and not self._sending

    def ask(self, client: Hashable, key: Hashable, query: Query, send: Send[Answer]) -> None:
        """Have an analysis made, and sent from another thread; EngineError when there are too many."""
        task = _Task(key if key is not None else object(), query, send)
        with self._changed:
            own = self._tasks.setdefault(client, {})
            if task.key in own:
                raise EngineError(f"the id {key!r} is in use")
            if len(own) >= self._most:
                raise EngineError(f"too many analyses: at most {self._most} at a time")
            own[task.key] = task
            self._queues.setdefault(client, deque()).append(task)
            if not self._idle and self._threads < self._workers:
                self._threads += 1
                threading.Thread(target=self._work, name="analyses", daemon=True).start()
            self._changed.notify()

    def cancel(self, client: Hashable, key: Hashable) -> None:
        """Have an analysis refused, at once; its search ends when it can. EngineError when there is none."""
        self._refuse(client, key, "cancelled")

    def drop(self, client: Hashable) -> None:
        """Make nothing more for a client who is gone."""
        with self._changed:
            self._queues.pop(client, None)
            for task in self._tasks.pop(client, {}).values():
                task.cancelled.set()

    def close(self) -> None:
        """Have everything refused, before the process ends."""
        with self._changed:
            clients = list(self._tasks)
        for client in clients:
            for key in list(self._tasks.get(client, {})):
                with suppress(EngineError):  # it has just been answered
                    self._refuse(client, key, STOPPING)

    def _refuse(self, client: Hashable, key: Hashable, why: str) -> None:
        with self._changed:
            task = self._tasks.get(client, {}).get(key)
            if task is None:
                raise EngineError(f"unknown id {key!r}")
            task.cancelled.set()
            queue = self._queues.get(client, deque())
            if task in queue:
                queue.remove(task)
            self._forget(client, task)
        task.send(refusal(why))

    def _work(self) -> None:
        """Make one analysis after the other, with a session that is kept for the next one of its kind."""
        self._enter()
        session, last = self._begin(), None
        while True:
            client, task = self._take()
            is_new = last is None or not task.query.is_like(last)
            session = self._begin() if is_new else session
            answer = attempt(partial(_analyze, session, task, is_new=is_new), session, "analyze")
            last = task.query if answer.accepted else None
            with self._changed:
                is_wanted = self._forget(client, task)
                self._sending += 1
            if is_wanted:
                task.send(answer)
            with self._changed:
                self._sending -= 1

    def _take(self) -> tuple[Hashable, _Task]:
        """The first task of the client whose turn it is, who then is the last."""
        with self._changed:
            self._idle += 1
            self._changed.wait_for(lambda: any(self._queues.values()))
            self._idle -= 1
            client = next(client for client, queue in self._queues.items() if queue)
            task = self._queues[client].popleft()
            self._queues.move_to_end(client)
            return client, task

    def _forget(self, client: Hashable, task: _Task) -> bool:
        """Strike a task off, the lock held; False when it was refused meanwhile, or its client is gone."""
        own = self._tasks.get(client, {})
        if own.get(task.key) is not task:
            return False
        del own[task.key]
        if not own:
            del self._tasks[client]
            self._queues.pop(client, None)
        return True


def _analyze(session: Session, task: _Task, *, is_new: bool) -> Told:
    """What a search says of a query's position."""
    query = task.query
    if is_new:
        query.settle(session)
    query.play(session)
    color = session.position.side_to_move
    choice = session.analyze(color, task.cancelled.is_set, ignore, query.limits)
    outcome = session.outcome()
    record: dict[str, Any] = {
        "side_to_move": write_color(color),
        "outcome": None if outcome is None else outcome_record(outcome),
        "move": None if choice is None else write_vertex(choice.move, session.game),
    }
    if choice is not None:
        record |= analysis_record(choice.analysis, session.game)
    return Told("", record)
