"""The reference players of Gomoku, by the windows of cells in which a row may still come about."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game, Move, Position
from ..games.gomoku import Gomoku
from ..kernels.gomoku import CELL_MASK, CELL_SHIFT, completing
from ..kernels.gomoku_windows import NUM_WEIGHTS, classes, read_stones, score_points, score_replies, windows
from ..search.states import State, state_of
from .reference import Player

Scores: TypeAlias = NDArray[np.float64]  # [num_moves]

# By class of window: empty, own and missing 1..4, the opponent's and missing 1..4, shared.
_SCORER = np.array([1.0, 1e6, 2000.0, 100.0, 8.0, 1e5, 800.0, 50.0, 5.0, 0.0])
# A line free of enemy stones weighs 2 to the power of minus its empty cells.
_OWN_POTENTIAL = np.array([1 / 32, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 0.0, 0.0, 0.0, 0.0, 0.0])
_OPPONENTS_POTENTIAL = np.array([1 / 32, 0.0, 0.0, 0.0, 0.0, 1 / 2, 1 / 4, 1 / 8, 1 / 16, 0.0])
assert len(_SCORER) == len(_OWN_POTENTIAL) == len(_OPPONENTS_POTENTIAL) == NUM_WEIGHTS


def _beginner(position: Position, rng: random.Random, depth: int) -> Move:
    """Completes a row, else blocks one, else plays beside an own stone."""
    view = _View.of(position)
    beside = view.among(_neighbors(position))
    return rng.choice(view.completing or view.blocking or beside or view.legal)


def _strong(position: Position, rng: random.Random, depth: int) -> Move:
    """Completes a row, else blocks one, else takes the point with the greatest score."""
    view = _View.of(position)
    return _greatest(view.scores(_SCORER), view.completing or view.blocking or view.legal, rng)


def _naive_loser(position: Position, rng: random.Random, depth: int) -> Move:
    """Plays at random, but completes no row while it can help it."""
    return rng.choice(_View.of(position).harmless)


def _careful_loser(position: Position, rng: random.Random, depth: int) -> Move:
    """Takes the point where its own lines weigh least, and completes no row while it can help it."""
    view = _View.of(position)
    return _greatest(-view.scores(_OWN_POTENTIAL), view.harmless, rng)


def _mirror(position: Position, rng: random.Random, depth: int) -> Move:
    """Answers with the point reflection of the opponent's move, or begins in the center where there is one."""
    view = _View.of(position)
    last = position.game.num_moves - 1
    center = [last // 2] if position.game.size % 2 else []
    wished = center if position.last_move is None else [last - position.last_move]
    return rng.choice([move for move in wished if move in view.harmless] or view.harmless)


def _argmin(position: Position, rng: random.Random, depth: int) -> Move:
    """Takes the point with the least score of the strong player."""
    view = _View.of(position)
    return _greatest(-view.scores(_SCORER), view.legal, rng)


def _argmin_q(position: Position, rng: random.Random, depth: int) -> Move:
    """Takes the point with the least score less the score of the best reply."""
    view = _View.of(position)
    return _greatest(view.replies(_SCORER) - view.scores(_SCORER), view.legal, rng)


def _never_five(position: Position, rng: random.Random, depth: int) -> Move:
    """Plays at random, but completes and blocks no row while it can help it."""
    view = _View.of(position)
    return rng.choice([move for move in view.harmless if move not in view.blocking] or view.harmless)


def _help(position: Position, rng: random.Random, depth: int) -> Move:
    """Destroys as little of the opponent's lines as it can, and completes no row while it can help it."""
    view = _View.of(position)
    return _greatest(-view.scores(_OPPONENTS_POTENTIAL), view.harmless, rng)


PLAYERS: Mapping[str, Player] = {
    "argmin": _argmin,
    "argmin-q": _argmin_q,
    "beginner": _beginner,
    "careful-loser": _careful_loser,
    "help": _help,
    "mirror": _mirror,
    "naive-loser": _naive_loser,
    "never-five": _never_five,
    "strong": _strong,
}


@dataclass(frozen=True, slots=True)
class _View:
    """What a player sees."""

    game: Gomoku
    state: State
    legal: list[Move]
    completing: list[Move]  # legal moves that complete a row
    blocking: list[Move]  # legal moves where the opponent would complete one

    @classmethod
    def of(cls, position: Position) -> _View:
        game, state = position.game, state_of(position)
        assert isinstance(game, Gomoku)
        legal, side = position.legal_moves(), int(position.side_to_move)
        rows = [_completed(state, game, color) for color in (side, 1 - side)]
        return cls(game, state, legal, *([move for move in legal if move in row] for row in rows))

    @property
    def harmless(self) -> list[Move]:
        """The legal moves that complete no row, or all where each does."""
        return [move for move in self.legal if move not in self.completing] or self.legal

    def among(self, moves: set[Move]) -> list[Move]:
        """Those of some moves that are legal."""
        return [move for move in self.legal if move in moves]

    def scores(self, weights: Scores) -> Scores:
        """Every point's score for the side to move."""
        stones, scores = self._stones(), np.empty(self.game.num_moves)
        score_points(stones, 1, *self._tables(), weights, scores)
        return scores

    def replies(self, weights: Scores) -> Scores:
        """The score of the opponent's best reply to each move."""
        stones, best = self._stones(), np.empty(self.game.num_moves)
        score_replies(stones, *self._tables(), weights, best)
        return best

    def _stones(self) -> NDArray[np.int8]:
        stones = np.empty(self.game.num_moves, np.int8)
        read_stones(self.state, stones)
        return stones

    def _tables(self) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        k = self.game.in_a_row
        return windows(self.game.size, k), classes(k)


def _completed(state: State, game: Game, color: int) -> set[Move]:
    """The points where a color completes a row."""
    cells = np.empty(4 * game.num_moves, np.int16)
    count = completing(state, color, cells)
    return {(int(cell) >> CELL_SHIFT) * game.size + (int(cell) & CELL_MASK) for cell in cells[:count]}


def _neighbors(position: Position) -> set[Move]:
    """The points beside the stones of the side to move."""
    size = position.game.size
    stones = (position.black, position.white)[position.side_to_move]
    return {
        (row + down) * size + column + right
        for row, column in (divmod(move, size) for move in range(size * size) if stones >> move & 1)
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if 0 <= row + down < size and 0 <= column + right < size
    }


def _greatest(scores: Scores, moves: list[Move], rng: random.Random) -> Move:
    """A move with the greatest score, by chance among equals."""
    best = max(scores[move] for move in moves)
    return rng.choice([move for move in moves if scores[move] == best])
