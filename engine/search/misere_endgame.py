"""The end of misère Gomoku: which moves force the opponent to complete a row, and which let him force it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from ..games.game import Color, Move, Position
from ..kernels.gomoku_play import NODE_LIMIT, NODES
from ..kernels.gomoku_windows import read_stones, windows
from ..kernels.layout import IN_A_ROW
from ..kernels.misere_endgame import UNKNOWN, judge
from ..kernels.misere_sets import MOST_SETS
from .deepening import Table
from .states import state_of
from .stopper import Stopper
from .watched import run_watched

# What stands for a point in hash keys, wherever it is; of one board at a time.
_SALTS = np.random.default_rng(5).integers(1 << 63, size=400, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Which moves are known to let a side force the other one to complete a row, and which are known not to."""

    forcing: frozenset[Move]
    harmless: frozenset[Move]
    nodes: int


def judge_moves(
    position: Position,
    attacker: Color,
    stopper: Stopper,
    table: Table,
    max_nodes: int | None = None,
    seconds: float = inf,
) -> Judgement:
    """Judge the moves in turn until the limits are spent, or a move is found that the side to move hoped for.

    The game is the misère where longer rows count, too, with at most sixty empty points; where very many rows are
    open nothing is known. The table may be kept as long as the game is the same.
    """
    rest = _rest_of(position)
    values = np.full(len(rest.moves), UNKNOWN, np.int8)
    control = np.zeros(3, np.int64)
    control[NODE_LIMIT] = max_nodes or 0

    def work() -> None:
        sides = int(position.side_to_move), int(attacker)
        judge(rest.black, rest.white, _SALTS[rest.moves], *sides, table, control, values)

    is_small = max(len(rest.black), len(rest.white)) <= MOST_SETS
    if is_small and max_nodes != 0 and stopper.elapsed < seconds and not stopper.should_stop(0):
        run_watched(work, control, stopper, seconds)
    forcing, harmless = (frozenset(int(move) for move in rest.moves[values == value]) for value in (1, 0))
    return Judgement(forcing, harmless, int(control[NODES]))


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is left of a board: its empty points, and for each side the sets of them that would complete a row."""

    moves: NDArray[np.int64]
    black: NDArray[np.uint64]
    white: NDArray[np.uint64]


def _rest_of(position: Position) -> _Rest:
    state, size = state_of(position), position.game.size
    stones = np.empty(size * size, np.int8)
    read_stones(state, stones)
    moves = np.flatnonzero(stones == 0)
    bits = np.zeros(size * size, np.uint64)
    bits[moves] = np.uint64(1) << np.arange(len(moves), dtype=np.uint64)
    cells = windows(size, int(state[IN_A_ROW]))
    sets = [_least(bits[cells[~(stones[cells] == 3 - own).any(axis=1)]].sum(axis=1)) for own in (1, 2)]
    black, white = sets if position.side_to_move == Color.BLACK else reversed(sets)
    return _Rest(moves, black, white)


def _least(sets: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The sets that contain no other one."""
    sets = np.unique(sets)
    is_within = (sets[:, None] & ~sets[None, :]) == 0  # [inner, outer]
    return np.ascontiguousarray(sets[is_within.sum(axis=0) == 1])
