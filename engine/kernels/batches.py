"""What is done to a batch of states before a net sees it, hashing and turning the board, and to what it says."""

import math

import numpy as np

from .bits import first, square_bit
from .board import key
from .gomoku import place
from .jit import kernel
from .layout import (
    BLACK_DISCS,
    GOMOKU,
    GUARD,
    IN_A_ROW,
    KIND,
    NUM_LINES,
    OBJECTIVE,
    ROWS,
    RULE,
    SIZE,
    STATE_WORDS,
    STONES,
)
from .othello import move_of, square_of
from .rng import mix

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@kernel("boolean(uint64[:, ::1], int64[::1])")
def survey(states: np.ndarray, found: np.ndarray) -> bool:
    """Write the first state's game and size, and how many are misère; False when not all have that game and size."""
    found[0], found[1], found[2] = np.int64(states[0, KIND]), np.int64(states[0, SIZE]), 0
    are_alike = True
    for index in range(len(states)):
        are_alike &= states[index, KIND] == states[0, KIND] and states[index, SIZE] == states[0, SIZE]
        found[2] += np.int64(states[index, OBJECTIVE])
    return are_alike


@kernel("void(uint64[:, ::1], uint64[::1])")
def keys(states: np.ndarray, out: np.ndarray) -> None:
    """Write a hash of each state with its game, rule, size and objective."""
    for index in range(len(states)):
        state = states[index]
        game = mix(state[KIND] | state[SIZE] << np.uint64(8) | state[IN_A_ROW] << np.uint64(16))
        variant = mix(game ^ (state[RULE] << _ONE | state[OBJECTIVE]))
        out[index] = mix(key(state) ^ variant)


@kernel("void(uint64[::1], int16[::1], uint64[::1])")
def _turn_gomoku(state: np.ndarray, goals: np.ndarray, out: np.ndarray) -> None:
    size = np.int64(state[SIZE])
    for side in range(2):
        for row in range(size):
            stones = state[STONES + side * NUM_LINES + ROWS + row]
            while stones:
                goal = np.int64(goals[row * size + first(stones) - GUARD])
                stones &= stones - _ONE
                place(out, side, goal // size, goal % size)


@kernel("void(uint64[::1], int16[::1], uint64[::1])")
def _turn_othello(state: np.ndarray, goals: np.ndarray, out: np.ndarray) -> None:
    size = np.int64(state[SIZE])
    for side in range(2):
        discs = state[BLACK_DISCS + side]
        while discs:
            goal = np.int64(goals[move_of(first(discs), size)])
            discs &= discs - _ONE
            out[BLACK_DISCS + side] |= square_bit(square_of(goal, size))


@kernel("void(uint64[:, ::1], int64[::1], int16[:, ::1], uint64[:, ::1])")
def turn(states: np.ndarray, symmetries: np.ndarray, goals: np.ndarray, out: np.ndarray) -> None:
    """Write each state as seen through its symmetry; `goals` has a row for each symmetry: where each move goes."""
    for index in range(len(states)):
        state, turned = states[index], out[index]
        turned[:STONES] = state[:STONES]
        turned[STONES:STATE_WORDS] = _ZERO
        if np.int64(state[KIND]) == GOMOKU:
            _turn_gomoku(state, goals[symmetries[index]], turned)
        else:
            _turn_othello(state, goals[symmetries[index]], turned)


@kernel("void(float32[:, ::1], int64[::1], int16[:, ::1], float32[:, ::1])")
def turn_back(logits: np.ndarray, symmetries: np.ndarray, goals: np.ndarray, out: np.ndarray) -> None:
    """Write the logits of turned states as they are for the states themselves."""
    for index in range(len(logits)):
        places, seen, turned = goals[symmetries[index]], logits[index], out[index]
        for move in range(logits.shape[1]):
            turned[move] = seen[places[move]]


@kernel("void(float32[:, ::1], float32[::1], float32[::1])")
def judge(wdl: np.ndarray, values: np.ndarray, draws: np.ndarray) -> None:
    """Values and the probabilities of draws from the logits of win, draw and loss."""
    for row in range(len(wdl)):
        top = max(wdl[row, 0], wdl[row, 1], wdl[row, 2])
        win, draw, loss = math.exp(wdl[row, 0] - top), math.exp(wdl[row, 1] - top), math.exp(wdl[row, 2] - top)
        total = win + draw + loss
        values[row] = (win - loss) / total
        draws[row] = draw / total
