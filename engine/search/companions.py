"""Threads that search the same root beside the search that counts, for what they leave in the hash table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .aside import begin_aside

FROM_DEPTH = 4  # shallower iterations end before a thread has begun
APART = 64  # numbers between what two threads count: not in one line of the cache

# To a depth, by an order of moves, with a control of its own.
Iterate: TypeAlias = Callable[[int, NDArray[np.int16], NDArray[np.int64]], object]


class Companions:
    """So many of them; each is told to stop when the search that counts has ended, and nobody asks what it found.

    All but the first of the root's moves come in another order for each: else all would do the same at the same time.
    """

    def __init__(self, count: int) -> None:
        self._controls = np.zeros((count, APART), np.int64)[:, :3]
        self._waits: list[Callable[[float | None], bool]] = []

    @property
    def nodes(self) -> int:
        """What all of them have visited so far."""
        return int(self._controls[:, 1].sum())

    def begin(self, iterate: Iterate, depth: int, moves: NDArray[np.int16]) -> None:
        """Have an iteration begun by each, a deep one."""
        if depth < FROM_DEPTH:
            return
        self._controls[:, 0] = 0
        for number, control in enumerate(self._controls):
            order = np.concatenate([moves[:1], np.roll(moves[1:], -1 - number)])
            self._waits.append(begin_aside(partial(iterate, depth, order, control)))

    def stop(self) -> None:
        """Tell them that it is over; returns at once."""
        self._controls[:, 0] = 1

    def end(self) -> None:
        """Stop them, and wait until they have stopped."""
        self.stop()
        while self._waits:
            self._waits.pop()(None)

    def leave(self) -> None:
        """Stop them for good without waiting: where others want their processors that may take some time."""
        self.stop()
        self._waits.clear()
