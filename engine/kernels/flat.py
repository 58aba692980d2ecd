"""Flat Monte Carlo: every move is followed by the same number of games at random, in either game."""

import numpy as np

from .bits import signed
from .board import copy, play
from .jit import kernel
from .layout import BLACK_WON, DRAWN, GOING_ON, RESULT, SIDE, STATE_WORDS
from .rollout import MOST_THREATS, NUM_CELLS, rollout


@kernel("void(uint64[::1], int16[::1], int64, uint64[::1], int64[::1])")
def count_losses(state: np.ndarray, moves: np.ndarray, games: int, rng: np.ndarray, losses: np.ndarray) -> None:
    """Write for each move how many more of the games played on at random after it are lost than won."""
    cells, threats = np.empty(NUM_CELLS, np.int16), np.empty((2, MOST_THREATS), np.int16)
    child, scratch = np.empty(STATE_WORDS, np.uint64), np.empty(STATE_WORDS, np.uint64)
    lost = BLACK_WON + 1 - signed(state[SIDE])
    for index in range(len(moves)):
        copy(state, child)
        play(child, np.int64(moves[index]))
        losses[index] = 0
        for _ in range(games):
            result = signed(child[RESULT])
            if result == GOING_ON:
                copy(child, scratch)
                result, _ = rollout(scratch, 1, False, cells, threats, rng)
            if result != DRAWN:
                losses[index] += 1 if result == lost else -1
