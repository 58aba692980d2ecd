"""Searches of Gomoku as they stand in textbooks, without speed."""

from __future__ import annotations

import numpy as np

from extremum.engine.games.game import Position
from extremum.engine.kernels.gomoku_moves import LIST_WORDS, LISTS, NOTES_WORDS, list_moves, pick
from extremum.engine.kernels.gomoku_search import LOSING, is_quiescent
from extremum.engine.kernels.gomoku_shapes import BOARD_WORDS, FREE, place_stone, set_up, take_back
from extremum.engine.kernels.gomoku_value import decided, forced, value
from extremum.engine.kernels.scores import WIN
from extremum.engine.search.states import state_of


class Plain:
    """Negamax as it stands in textbooks, on the kernel's own evaluation and candidates."""

    def __init__(self, position: Position, objective: int) -> None:
        self._position = position
        self._objective = objective
        self._state = state_of(position)
        self._board = np.zeros(BOARD_WORDS, np.int64)
        self._notes = np.zeros(NOTES_WORDS, np.int64)
        set_up(self._board, self._state, objective)

    def best(self, depth: int) -> int:
        return max(self._root(move, depth) for move in self._position.legal_moves())

    def _root(self, move: int, depth: int) -> int:
        outcome = self._position.play(move).outcome()
        if outcome is not None:
            return self._objective * (WIN - 1) if outcome.winner is not None else 0
        return -self._after(self._position, move, depth - 1, 1)

    def _after(self, position: Position, move: int, depth: int, ply: int) -> int:
        place_stone(self._board, move)
        score = self._visit(position.play(move), depth, ply)
        take_back(self._board)
        return score

    def _visit(self, position: Position, depth: int, ply: int) -> int:
        state = state_of(position)
        if self._board[FREE] == 0 or position.outcome() is not None:
            return 0
        if score := decided(self._board, state):
            return int(score - ply if score > 0 else score + ply)
        only = forced(self._board)
        standing = [] if depth > 0 or only >= 0 else [int(value(self._board))]
        if standing and is_quiescent(self._board, depth):
            return standing[0]
        left = depth - 1 if only < 0 else depth
        cells, complete = self._candidates(position, depth, ply)
        scores = [-self._after(position, cell, left, ply + 1) for cell in cells]
        return self._modest(standing + scores, complete, ply)

    def _candidates(self, position: Position, depth: int, ply: int) -> tuple[list[int], bool]:
        count = list_moves(self._board, self._notes, depth, ply)
        cells = [pick(self._notes, ply, index) for index in range(count)]
        legal = set(position.legal_moves())
        return [cell for cell in cells if cell in legal], bool(self._notes[LISTS + LIST_WORDS * ply])

    def _modest(self, scores: list[int], complete: bool, ply: int) -> int:
        if not scores:
            return 1 + ply - WIN
        return max(scores) if complete else max([*scores, -LOSING])


def solve(position: Position, objective: int, known: dict[tuple[int, int], int]) -> int:
    """The exact result for the side to move."""
    outcome = position.outcome()
    if outcome is not None:
        return objective * outcome.value(position.side_to_move)
    key = position.black, position.white
    if key not in known:
        best = -1
        for move in position.legal_moves():
            best = max(best, -solve(position.play(move), objective, known))
            if best == 1:
                break
        known[key] = best
    return known[key]
