"""Wins by continuous fours in Gomoku, found for a position."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Thread

import numpy as np

from ..errors import EngineError
from ..games.game import Move, Position
from ..kernels.gomoku_vcf import solve
from .deepening import POLL, Table
from .states import state_of
from .stopper import Limits, Stopper

TABLE_BITS = 16
LONGEST_LINE = 401  # a move for each point, and the end


@dataclass(frozen=True, slots=True)
class Vcf:
    """What is known of a victory by continuous fours of the side to move."""

    wins: bool | None  # None when the search was stopped before it knew
    line: tuple[Move, ...]  # the whole win, replies included; empty when there is none
    nodes: int  # stones placed to find out


def new_table(bits: int = TABLE_BITS) -> Table:
    """An empty hash table; it may be kept from one search to the next, whatever the position."""
    return np.zeros((1 << bits, 2), np.uint64)


def find_vcf(
    position: Position, max_nodes: int | None = None, stopper: Stopper | None = None, table: Table | None = None
) -> Vcf:
    """Search for a win by fours of the side to move until it is found or refuted, or the limits are spent."""
    if position.game.name != "gomoku" or position.game.objective < 0:
        raise EngineError("fours win only in ordinary gomoku")
    search = _Search(position, max_nodes, new_table() if table is None else table)
    search.run(stopper or Stopper(Limits()))
    return search.found()


class _Search:
    """One call of the kernel, in a thread of its own."""

    def __init__(self, position: Position, max_nodes: int | None, table: Table) -> None:
        self._state = state_of(position)
        self._table = table
        self._line = np.full(LONGEST_LINE, -1, np.int16)
        self._control = np.array([0, 0, max_nodes or 0], np.int64)  # stop, nodes, most nodes
        self._is_spent = max_nodes == 0
        self._length = -1

    def run(self, stopper: Stopper) -> None:
        """Search while asking the stopper."""
        if self._is_spent or stopper.should_stop(0):
            return
        thread = Thread(target=self._solve, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(POLL)
            self._control[0] |= stopper.should_stop(int(self._control[1]))

    def found(self) -> Vcf:
        wins = None if self._length < 0 else self._length > 0
        line = tuple(int(move) for move in self._line[: max(self._length, 0)])
        return Vcf(wins, line, int(self._control[1]))

    def _solve(self) -> None:
        self._length = solve(self._state, self._table, self._line, self._control)
