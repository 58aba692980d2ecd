"""Wins by threats in Gomoku, and what is left against them: proofs for the root of a search."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError
from ..games.game import Move, Position
from ..kernels.gomoku_defenses import list_defenses
from ..kernels.gomoku_play import NODE_LIMIT, NODES
from ..kernels.gomoku_vcf import make_vcf_work, solve
from ..kernels.gomoku_vct import CONTROL_WORDS, TOTAL_LIMIT, prove
from .analysis import Analysis, Candidate
from .deepening import Table
from .states import state_of
from .stopper import Limits, Stopper
from .watched import run_watched

TABLE_BITS = 16
LONGEST_LINE = 401  # a move for each point, and the end
FOURS_NODES = 200_000  # what the search for fours may take of a search for any win
DEFENSE_NODES = 512  # for each move that is looked at

Kernel: TypeAlias = Callable[[NDArray[np.int16], NDArray[np.int64]], int]  # line and control -> length


@dataclass(frozen=True, slots=True)
class Vcf:
    """What is known of a victory by continuous fours of the side to move."""

    wins: bool | None  # None when the search was stopped before it knew
    line: tuple[Move, ...]  # the whole win, replies included; empty when there is none
    nodes: int  # stones placed to find out


@dataclass(frozen=True, slots=True)
class Win:
    """A proof that the side to move wins."""

    line: tuple[Move, ...]  # to the last stone, the longest resistance included
    by_fours: bool  # each move of the winner makes a four
    nodes: int  # stones placed to find it

    def analysis(self, seconds: float) -> Analysis:
        """The win as the root of a search."""
        distance = len(self.line)
        best = Candidate(self.line[0], self.nodes, 1.0, 1.0, 1.0, self.line, proven=1, distance=distance)
        return Analysis((best,), self.nodes, seconds, distance)


@dataclass(frozen=True, slots=True)
class Tables:
    """The hash tables of wins by fours and by threats; they may be kept, whatever the position."""

    fours: Table
    threats: Table


def new_table(bits: int = TABLE_BITS) -> Table:
    """An empty hash table; it may be kept from one search to the next, whatever the position."""
    return np.zeros((1 << bits, 2), np.uint64)


def new_tables(bits: int = TABLE_BITS) -> Tables:
    """Empty hash tables."""
    return Tables(new_table(bits), new_table(bits + 1))


def find_vcf(
    position: Position, max_nodes: int | None = None, stopper: Stopper | None = None, table: Table | None = None
) -> Vcf:
    """Search for a win by fours of the side to move until it is found or refuted, or the limits are spent."""
    _refuse_other_games(position)
    search = _fours(position, max_nodes, new_table() if table is None else table)
    search.run(stopper or Stopper(Limits()))
    return Vcf(search.wins, search.line, search.nodes)


def find_win(
    position: Position,
    stopper: Stopper | None = None,
    max_nodes: int | None = None,
    seconds: float = inf,
    tables: Tables | None = None,
) -> Win | None:
    """Search for a win by fours, then by fours and threes; None says nothing.

    The stopper is asked all the while; the seconds are of its clock.
    """
    _refuse_other_games(position)
    stopper, tables = stopper or Stopper(Limits()), tables or new_tables()
    fours = _fours(position, min(FOURS_NODES, max_nodes or FOURS_NODES), tables.fours)
    fours.run(stopper, seconds)
    if fours.wins:
        return Win(fours.line, True, fours.nodes)
    left = None if max_nodes is None else max(max_nodes - fours.nodes, 0)
    threats = _threats(position, left, tables)
    threats.run(stopper, seconds)
    return Win(threats.line, False, fours.nodes + threats.nodes) if threats.wins else None


def defenses(position: Position, max_nodes: int = DEFENSE_NODES) -> list[Move] | None:
    """The moves that leave the opponent no win by fours that is soon found; None when he threatens none.

    Every other move loses; with an empty list all do.
    """
    _refuse_other_games(position)
    moves = np.empty(LONGEST_LINE, np.int16)
    count = list_defenses(state_of(position), make_vcf_work(TABLE_BITS), max_nodes, moves)
    return None if count < 0 else [int(move) for move in moves[:count]]


def nodes_a_second(
    positions: Sequence[Position], max_nodes: int, now: Callable[[], float] = time.perf_counter
) -> tuple[float, float]:
    """How fast wins are searched for in these positions: by fours alone, and by threats, each with fresh tables."""
    fours = [_fours(position, max_nodes, new_table()) for position in positions]
    threats = [_threats(position, max_nodes, new_tables()) for position in positions]
    return _rate(fours, now), _rate(threats, now)


def _rate(searches: Sequence[_Search], now: Callable[[], float]) -> float:
    started = now()
    for search in searches:
        search.solve()
    return sum(search.nodes for search in searches) / (now() - started)


def _refuse_other_games(position: Position) -> None:
    if position.game.name != "gomoku" or position.game.objective < 0:
        raise EngineError("fours win only in ordinary gomoku")


class _Search:
    """One call of a kernel, in a thread of its own."""

    def __init__(self, kernel: Kernel, limit: int, max_nodes: int | None) -> None:
        self._kernel = kernel
        self._line = np.full(LONGEST_LINE, -1, np.int16)
        self._control = np.zeros(CONTROL_WORDS, np.int64)
        self._control[limit] = max_nodes or 0
        self._is_spent = max_nodes == 0
        self._length = -1

    @property
    def wins(self) -> bool | None:
        """None when it is not known."""
        return None if self._length < 0 else self._length > 0

    @property
    def line(self) -> tuple[Move, ...]:
        """The whole win."""
        return tuple(int(move) for move in self._line[: max(self._length, 0)])

    @property
    def nodes(self) -> int:
        """Stones placed so far."""
        return int(self._control[NODES])

    def run(self, stopper: Stopper, seconds: float = inf) -> None:
        """Search while asking the stopper, until so many seconds of its clock."""
        if self._is_spent or stopper.elapsed >= seconds or stopper.should_stop(0):
            return

        run_watched(self.solve, self._control, stopper, seconds)

    def solve(self) -> None:
        """Search to the end."""
        self._length = self._kernel(self._line, self._control)


def _fours(position: Position, max_nodes: int | None, table: Table) -> _Search:
    return _Search(partial(solve, state_of(position), table), NODE_LIMIT, max_nodes)


def _threats(position: Position, max_nodes: int | None, tables: Tables) -> _Search:
    return _Search(partial(prove, state_of(position), tables.fours, tables.threats), TOTAL_LIMIT, max_nodes)
