"""Where self-play begins: at random, but near even, so that both outcomes stay possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..evaluators.evaluator import Evaluator, States
from ..games.game import Game
from ..kernels.layout import STATE
from ..kernels.openings import gather_near, scatter
from ..kernels.rng import make_rng
from ..search.states import State, state_of

TOGETHER = 16  # openings made with one evaluation
CANDIDATES = 8  # positions that each is chosen from
EVENNESS = 4  # a position of value v is chosen with a weight of (1 - v²) to this power
BALANCED = 0.9  # of Gomoku's games begin with an opening
STONES = (1, 2, 3, 3, 4, 4, 5, 5, 6, 7)  # of a Gomoku opening before the chosen one
SMALL_BOARD = 6  # up to here an opening would leave no game
OTHELLO_PLIES = range(11)
MISERE_PLIES = range(17)
MOST_STONES = 0.5  # of a board, by an opening


class Openings:
    """Hands out first positions of one game, made some at a time."""

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        self._game = game
        self._start = state_of(game.start())
        self._rng = rng
        self._words = make_rng(int(rng.integers(2**62)))
        self._moves = np.zeros(game.num_moves, np.int16)
        self._ready: list[State] = []

    def take(self, evaluator: Evaluator) -> State:
        """A first position; the evaluator says which ones are near even."""
        if not self._ready:
            self._ready = self._make(evaluator)
        return self._ready.pop()

    def _make(self, evaluator: Evaluator) -> list[State]:
        groups = [self._group() for _ in range(TOGETHER)]
        weighed = [group for group in groups if len(group) > 1]
        if weighed:
            values = evaluator.evaluate(np.ascontiguousarray(np.concatenate(weighed))).value
            self._keep_one(weighed, values)
        return [np.array(group[0], STATE) for group in groups]

    def _keep_one(self, groups: Sequence[States], values: np.ndarray[tuple[int], np.dtype[np.float32]]) -> None:
        """Put the chosen candidate of each group in front."""
        weights = (1.0 - np.minimum(np.abs(values.astype(np.float64)), 0.999) ** 2) ** EVENNESS
        end = 0
        for group in groups:
            own = weights[end : end + len(group)]
            end += len(group)
            group[0] = group[self._rng.choice(len(group), p=own / own.sum())]

    def _group(self) -> States:
        """Candidates for one opening; a single one when there is nothing to choose."""
        game = self._game
        if game.objective < 0:
            return self._random(int(self._rng.choice(MISERE_PLIES)), 1)
        if game.name == "othello":
            return self._random(int(self._rng.choice(OTHELLO_PLIES)), CANDIDATES)
        if game.size <= SMALL_BOARD or self._rng.random() >= BALANCED:
            return self._start[None].copy()
        return self._close(int(self._rng.choice(STONES)))

    def _random(self, plies: int, count: int) -> States:
        plies = min(plies, int(MOST_STONES * self._game.size**2))
        states = np.repeat(self._start[None], count if plies else 1, axis=0)
        for state in states:
            while not scatter(state, plies, self._words, self._moves):
                state[:] = self._start
        return states

    def _close(self, stones: int) -> States:
        """Stones near each other, and one more in several ways."""
        base = self._start.copy()
        middle = self._middle()
        while not gather_near(base, middle, stones, self._words):
            base[:] = self._start
            middle = self._middle()
        states = np.repeat(base[None], CANDIDATES, axis=0)
        for state in states:
            while not gather_near(state, middle, 1, self._words):
                state[:] = base
        return states

    def _middle(self) -> int:
        row, column = self._rng.integers(1, self._game.size - 1, size=2)
        return int(row) * self._game.size + int(column)
