"""The rules of either game on a state, whichever it holds."""

import numpy as np

from . import gomoku, othello
from .bits import square_bit
from .gomoku import empty_columns
from .jit import lean_kernel
from .layout import (
    BLACK_DISCS,
    GOMOKU,
    GUARD,
    KIND,
    NUM_LINES,
    PASSED,
    ROWS,
    SIDE,
    SIZE,
    STATE_WORDS,
    STONES,
    WHITE_DISCS,
)
from .othello import square_of
from .rng import mix

_play_gomoku, _go_on_gomoku, _play_othello = gomoku.play, gomoku.play_on, othello.play
_legal_gomoku, _legal_othello = gomoku.legal_moves, othello.legal_moves
_OTHELLO_WORDS = 2


@lean_kernel("void(uint64[::1], int64)")
def play(state: np.ndarray, move: int) -> None:
    """Play a legal move in place."""
    if np.int64(state[KIND]) == GOMOKU:
        _play_gomoku(state, move)
    else:
        _play_othello(state, move)


@lean_kernel("void(uint64[::1], int64)")
def play_on(state: np.ndarray, move: int) -> None:
    """Play a move in place whose result is known already; a state's result may not follow."""
    if np.int64(state[KIND]) == GOMOKU:
        _go_on_gomoku(state, move)
    else:
        _play_othello(state, move)


@lean_kernel("int64(uint64[::1], int16[::1])")
def legal_moves(state: np.ndarray, out: np.ndarray) -> int:
    """Write the legal moves in ascending order and return how many."""
    if np.int64(state[KIND]) == GOMOKU:
        return _legal_gomoku(state, out)
    return _legal_othello(state, out)


@lean_kernel("void(uint64[::1], uint64[::1])")
def copy(source: np.ndarray, target: np.ndarray) -> None:
    """Make the target the same state."""
    for word in range(STATE_WORDS):
        target[word] = source[word]


@lean_kernel("boolean(uint64[::1], uint64[::1])")
def is_same(state: np.ndarray, other: np.ndarray) -> bool:
    """True for equal stones, rules and sides to move; how the game came there does not matter."""
    for word in range(STATE_WORDS):  # noqa: SIM110, a generator makes an object
        if word != PASSED and state[word] != other[word]:
            return False
    return True


@lean_kernel("boolean(uint64[::1], int64)")
def is_played(state: np.ndarray, move: int) -> bool:
    """True when a stone stands where the move puts one; a pass leaves no trace and counts as played."""
    size = np.int64(state[SIZE])
    if move == size * size:
        return True
    if np.int64(state[KIND]) != GOMOKU:
        return (state[BLACK_DISCS] | state[WHITE_DISCS]) & square_bit(square_of(move, size)) != np.uint64(0)
    return not empty_columns(state, move // size) & square_bit(GUARD + move % size)


@lean_kernel("uint64(uint64[::1], int64, int64, uint64)")
def _mixed(state: np.ndarray, begin: int, num_words: int, key: np.uint64) -> np.uint64:
    for word in range(begin, begin + num_words):
        key = mix((key << np.uint64(1)) ^ (key >> np.uint64(63)) ^ state[word])
    return key


@lean_kernel("uint64(uint64[::1])")
def key(state: np.ndarray) -> np.uint64:
    """A hash of the stones and the side to move; states of one game and rule share their keys by accident only."""
    seed = mix(state[SIDE] + np.uint64(1))
    if np.int64(state[KIND]) != GOMOKU:
        return _mixed(state, STONES, _OTHELLO_WORDS, seed)
    size = np.int64(state[SIZE])
    black = _mixed(state, STONES + ROWS, size, seed)
    return _mixed(state, STONES + NUM_LINES + ROWS, size, black)
