"""Boards of 4x4 solved by brute force, quickly enough for every node of a large graph."""

from __future__ import annotations

from itertools import product

import numpy as np
from numba import njit

from extremum.engine.games.game import Game
from extremum.engine.games.misere import Misere
from extremum.engine.kernels.graph import Graph

SIZE, CELLS = 4, 16
UNSOLVED = 2


class Truth:
    """What every position of a game on 4x4 is worth to its side to move, found when it is asked for."""

    def __init__(self, game: Game, in_a_row: int) -> None:
        self._rows = np.array(_rows(in_a_row), np.int64)
        self._making = -1 if isinstance(game, Misere) else 1  # what a row is worth to whoever makes it
        self._known = np.full(3**CELLS, UNSOLVED, np.int8)

    def num_wrong(self, graph: Graph, root: int) -> tuple[int, int, int]:
        """Of the nodes below a root, which is the empty board: how many are wrong, how many proven, how many in all."""
        boards = np.full((int(graph.used[0]), 2), -1, np.int64)
        boards[root] = 0
        lay_boards(graph.nodes, graph.edges, root, boards)
        wrong, proven = compare(graph.nodes, boards, self._rows, self._making, self._known)
        return wrong, proven, int((boards[:, 0] >= 0).sum())


def _rows(in_a_row: int) -> list[int]:
    rows = []
    for row, column, (down, right) in product(range(SIZE), range(SIZE), ((0, 1), (1, 0), (1, 1), (1, -1))):
        cells = [(row + down * step, column + right * step) for step in range(in_a_row)]
        if all(0 <= y < SIZE and 0 <= x < SIZE for y, x in cells):
            rows.append(sum(1 << y * SIZE + x for y, x in cells))
    return rows


@njit
def has_row(stones, rows):  # type: ignore[no-untyped-def]
    for row in rows:  # noqa: SIM110, a generator makes an object
        if stones & row == row:
            return True
    return False


@njit
def value_of(own, opp, black_to_move, rows, making, known):  # type: ignore[no-untyped-def]
    """What a board is worth to its side to move."""
    if has_row(opp, rows):
        return -making
    if has_row(own, rows):
        return making
    if own | opp == (1 << CELLS) - 1:
        return 0
    place = 0
    black = own if black_to_move else opp
    for cell in range(CELLS):
        stone = 1 if black >> cell & 1 else 2 if (own | opp) >> cell & 1 else 0
        place = 3 * place + stone
    if known[place] == UNSOLVED:
        best = -1
        for cell in range(CELLS):
            if best < 1 and (own | opp) >> cell & 1 == 0:
                best = max(best, -value_of(opp, own | 1 << cell, not black_to_move, rows, making, known))
        known[place] = best
    return np.int64(known[place])


@njit
def lay_boards(nodes, edges, root, boards):  # type: ignore[no-untyped-def]
    """Write each node's stones, those of the side to move first."""
    todo = np.empty(len(boards), np.int64)
    todo[0], count, done = root, 1, 0
    while done < count:
        node = todo[done]
        done += 1
        for edge in range(nodes[node].first, nodes[node].first + nodes[node].num_opened):
            child = edges[edge].child
            if boards[child, 0] < 0:
                boards[child, 0], boards[child, 1] = boards[node, 1], boards[node, 0] | 1 << np.int64(edges[edge].move)
                todo[count] = child
                count += 1


@njit
def compare(nodes, boards, rows, making, known):  # type: ignore[no-untyped-def]
    """Count the nodes whose bounds or means are wrong, and those whose result is proven."""
    wrong, proven = 0, 0
    for node in range(len(boards)):
        own, opp = boards[node]
        if own < 0:
            continue
        low, high = np.int64(nodes[node].low), np.int64(nodes[node].high)
        stones = 0
        for cell in range(CELLS):
            stones += (own | opp) >> cell & 1
        truth = value_of(own, opp, stones % 2 == 0, rows, making, known)
        is_sound = low <= truth <= high and low - 1e-6 <= nodes[node].value <= high + 1e-6
        wrong += not is_sound
        proven += low == high
    return wrong, proven
