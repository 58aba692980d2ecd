"""What is thought of positions without a net: by rollouts, or by the static values of the alpha-beta searches."""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from .bits import first
from .board import copy, key
from .gomoku_moves import ATTACK, DEFENSE, OWN_COST, SPOILING_COST, class_of
from .gomoku_refresh import refresh
from .gomoku_shapes import BOARD_WORDS, CODE_BITS, MOST_CELLS, POINTS, TURN, set_up
from .gomoku_value import decided
from .gomoku_value import value as value_of_board
from .jit import lean_kernel, type_of
from .layout import BLACK_DISCS, DRAWN, GOMOKU, KIND, OBJECTIVE, SIDE, SIZE, STATE, STATE_WORDS, WHITE_DISCS
from .othello import mobility, move_of, playable_squares
from .othello_value import value as value_of_discs
from .othello_work import put
from .rng import mix
from .rollout import MOST_THREATS, NUM_CELLS, rollout
from .uct import terminal_value

GOMOKU_SCALE, OTHELLO_SCALE = 200.0, 1500.0  # the scores that are worth a value of tanh 1
_ORDER_SCALE, _MISERE_SCALE, _MOVE_SCALE = 12.0, 40.0, 250.0  # of the scores that moves have, for a logit
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class OpinionWork(NamedTuple):
    """Memory to work on, for one thread."""

    state: np.ndarray  # uint64 [STATE_WORDS]
    board: np.ndarray  # int64 [BOARD_WORDS], of the ordinary game
    misere: np.ndarray  # int64 [BOARD_WORDS]
    cells: np.ndarray  # int16
    threats: np.ndarray  # int16 [2, MOST_THREATS]
    rng: np.ndarray  # uint64 [1]


def make_opinion_work() -> OpinionWork:
    """Fresh memory."""
    return OpinionWork(
        np.zeros(STATE_WORDS, STATE),
        np.zeros(BOARD_WORDS, np.int64),
        np.zeros(BOARD_WORDS, np.int64),
        np.zeros(NUM_CELLS, np.int16),
        np.zeros((2, MOST_THREATS), np.int16),
        np.zeros(1, np.uint64),
    )


OPINION_WORK = type_of(make_opinion_work())


@lean_kernel(types.void(types.uint64[:, ::1], types.int64, types.uint64, OPINION_WORK, types.float32[:, ::1]))
def roll_out(states: np.ndarray, count: int, seed: np.uint64, work: OpinionWork, values: np.ndarray) -> None:
    """Write each state's mean result and its share of draws; for one seed it always has the same rollouts."""
    for row in range(len(states)):
        state, total, draws = states[row], 0, 0
        objective, side = 1 - 2 * np.int64(state[OBJECTIVE]), np.int64(state[SIDE])
        work.rng[0] = mix(key(state) ^ seed)
        for _ in range(count):
            copy(state, work.state)
            result, _ = rollout(work.state, objective, True, work.cells, work.threats, work.rng)
            total += terminal_value(result, side, objective)
            draws += 1 if result == DRAWN else 0
        values[row, 0], values[row, 1] = total / count, draws / count


@lean_kernel("float32(int64[::1], int64)")
def _ordinary_logit(board: np.ndarray, cell: int) -> np.float32:
    """By what a stone makes there for both sides, on a scale that grows less and less."""
    own, other = board[TURN] * MOST_CELLS + cell, (1 - board[TURN]) * MOST_CELLS + cell
    score = ATTACK[class_of(board, own)] + DEFENSE[class_of(board, other)]
    score += 8 * (board[POINTS + own] & 7) + 5 * (board[POINTS + other] & 7)
    return np.float32(math.log(1.0 + score / _ORDER_SCALE))


@lean_kernel("float32(int64[::1], int64)")
def _misere_logit(board: np.ndarray, cell: int) -> np.float32:
    own, other, cost = board[TURN] * MOST_CELLS + cell, (1 - board[TURN]) * MOST_CELLS + cell, 0
    for code in range(5):
        cost += OWN_COST[code] * (board[POINTS + own] >> CODE_BITS * code & 7)
        cost += SPOILING_COST[code] * (board[POINTS + other] >> CODE_BITS * code & 7)
    return np.float32(-cost / _MISERE_SCALE)


@lean_kernel(types.float64(types.uint64[::1], OPINION_WORK, types.float32[::1]))
def _judge_gomoku(state: np.ndarray, work: OpinionWork, logits: np.ndarray) -> float:
    is_misere = state[OBJECTIVE] != _ZERO
    board = work.misere if is_misere else work.board
    if is_misere:
        set_up(board, state, -1)
    else:
        refresh(board, state)
    for cell in range(len(logits)):
        logits[cell] = _misere_logit(board, cell) if is_misere else _ordinary_logit(board, cell)
    score = decided(board, state)
    return math.tanh((score if score else value_of_board(board)) / GOMOKU_SCALE)


@lean_kernel(types.float64(types.uint64[::1], types.float32[::1]))
def _judge_othello(state: np.ndarray, logits: np.ndarray) -> float:
    mover, objective = np.int64(state[SIDE]), 1 - 2 * np.int64(state[OBJECTIVE])
    own, opp = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover]
    size = np.int64(state[SIZE])
    playable = playable_squares(size)
    logits[:] = 0.0
    moves = mobility(own, opp, playable)
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        mine, yours = put(own, opp, square)
        score = -value_of_discs(yours, mine, playable, objective)
        logits[move_of(square, size)] = max(-20.0, min(20.0, score / _MOVE_SCALE))
    return math.tanh(value_of_discs(own, opp, playable, objective) / OTHELLO_SCALE)


@lean_kernel(types.void(types.uint64[:, ::1], OPINION_WORK, types.float32[:, ::1], types.float32[::1]))
def judge(states: np.ndarray, work: OpinionWork, logits: np.ndarray, values: np.ndarray) -> None:
    """Write what the static evaluations say of each state and of its moves."""
    for row in range(len(states)):
        if np.int64(states[row, KIND]) == GOMOKU:
            values[row] = _judge_gomoku(states[row], work, logits[row])
        else:
            values[row] = _judge_othello(states[row], logits[row])
