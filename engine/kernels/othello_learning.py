"""Othello's weights learned from quick games with themselves, by temporal differences.

Here a weight is a float32 in discs, and only the columns that stand for their mirror images are used.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, popcount, square_bit
from .jit import kernel, lean_kernel
from .othello import WHOLE_BOARD, flips, mobility
from .othello_patterns import (
    MOST_MOVES,
    NUM_INSTANCES,
    OFFSETS,
    OPP_MOVES,
    OWN_MOVES,
    count_numbers,
    follow,
    stage_of,
    tempo_column,
)
from .othello_rows import NUM_LANES
from .rng import below

NUM_TERMS = NUM_INSTANCES + 3  # what a position adds up
LONGEST_GAME = 60
BLACK_START, WHITE_START = np.uint64(0x0000000810000000), np.uint64(0x0000001008000000)

Tables: TypeAlias = tuple[np.ndarray, np.ndarray]  # weights [stage, column], which column stands for each
TABLES = "Tuple((float32[:, ::1], int32[::1]))"
Record: TypeAlias = tuple[np.ndarray, np.ndarray]  # discs of the mover and of the other [ply, 2], the mover as +1 or -1
RECORD = "Tuple((uint64[:, ::1], int64[::1]))"

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SURPRISES = 64  # one move of so many is by chance


@lean_kernel("void(uint64, uint64, uint16[::1], int64, int32[::1], int32[::1])")
def write_terms(
    own: np.uint64, opp: np.uint64, numbers: np.ndarray, stage: int, folding: np.ndarray, terms: np.ndarray
) -> None:
    """Write the columns whose weights make up the value of a position."""
    own_moves, opp_moves = mobility(own, opp, WHOLE_BOARD), mobility(opp, own, WHOLE_BOARD)
    for lane in range(NUM_INSTANCES):
        terms[lane] = folding[OFFSETS[lane] + np.int64(numbers[lane])]
    terms[NUM_INSTANCES] = OWN_MOVES + min(popcount(own_moves), MOST_MOVES)
    terms[NUM_INSTANCES + 1] = OPP_MOVES + min(popcount(opp_moves), MOST_MOVES)
    terms[NUM_INSTANCES + 2] = tempo_column(popcount(~(own | opp)), stage)


@lean_kernel("float32(float32[::1], int32[::1])")
def total_of(weights: np.ndarray, terms: np.ndarray) -> np.float32:
    """The sum of the weights at these columns."""
    total = np.float32(0)
    for term in range(NUM_TERMS):
        total += weights[terms[term]]
    return total


@lean_kernel("int64(uint64, int64)")
def nth_square(squares: np.uint64, count: int) -> int:
    """The square of a set with so many lower ones."""
    for _ in range(count):
        squares &= squares - _ONE
    return first(squares)


@lean_kernel(f"float32(uint64, uint64, uint16[::1], int64, {TABLES}, int32[::1])")
def _value_of(
    own: np.uint64, opp: np.uint64, numbers: np.ndarray, objective: int, tables: Tables, terms: np.ndarray
) -> np.float32:
    """The value in discs for the side with `own`, which is to move."""
    if mobility(own, opp, WHOLE_BOARD) == _ZERO and mobility(opp, own, WHOLE_BOARD) == _ZERO:
        return np.float32(objective * (popcount(own) - popcount(opp)))
    weights, folding = tables
    stage = stage_of(popcount(~(own | opp)))
    write_terms(own, opp, numbers, stage, folding, terms)
    return total_of(weights[stage], terms)


@lean_kernel(f"int64(uint64, uint64, uint64, int64, {TABLES}, uint16[:, ::1], int32[::1])")
def _best_square(
    own: np.uint64,
    opp: np.uint64,
    moves: np.uint64,
    objective: int,
    tables: Tables,
    numbers: np.ndarray,
    terms: np.ndarray,
) -> int:
    """The square after which the opponent's value is least."""
    best, least = -1, np.float32(1e9)
    count_numbers(own, opp, numbers[0])
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        flipped = flips(own, opp, square)
        follow(numbers[0], square, flipped, numbers[1])
        mine, yours = own | flipped | square_bit(square), opp ^ flipped
        value = _value_of(yours, mine, numbers[1], objective, tables, terms)
        if value < least:
            best, least = square, value
    return best


@kernel(f"UniTuple(int64, 2)(int64, int64, {TABLES}, {RECORD}, uint64[::1])")
def _play(objective: int, opening: int, tables: Tables, record: Record, rng: np.ndarray) -> tuple[int, int]:
    """Play a game, so many first plies by chance; returns how many later positions there were and black's margin."""
    discs, sides = record
    numbers, terms = np.empty((2, NUM_LANES), np.uint16), np.empty(NUM_TERMS, np.int32)
    own, opp, side, count = BLACK_START, WHITE_START, 1, -opening
    while True:
        moves = mobility(own, opp, WHOLE_BOARD)
        if moves == _ZERO:
            if mobility(opp, own, WHOLE_BOARD) == _ZERO:
                return max(count, 0), side * objective * (popcount(own) - popcount(opp))
            own, opp, side = opp, own, -side
            continue
        if count < 0 or below(rng, _SURPRISES) == 0:
            square = nth_square(moves, below(rng, popcount(moves)))
        else:
            square = _best_square(own, opp, moves, objective, tables, numbers, terms)
        if count >= 0:
            discs[count, 0], discs[count, 1], sides[count] = own, opp, side
        count += 1
        flipped = flips(own, opp, square)
        own, opp, side = opp ^ flipped, own | flipped | square_bit(square), -side


@kernel(f"float64(int64, int64, float64, float64, {TABLES}, {RECORD})")
def learn_from_game(count: int, margin: int, rate: float, patience: float, tables: Tables, record: Record) -> float:
    """Move the values of a game's positions towards what came later; returns the sum of the squared errors."""
    weights, folding = tables
    discs, sides = record
    numbers, terms = np.empty(NUM_LANES, np.uint16), np.empty(NUM_TERMS, np.int32)
    target, squares = float(margin), 0.0  # for black
    for ply in range(count - 1, -1, -1):
        own, opp = discs[ply, 0], discs[ply, 1]
        count_numbers(own, opp, numbers)
        stage = stage_of(popcount(~(own | opp)))
        write_terms(own, opp, numbers, stage, folding, terms)
        value = float(total_of(weights[stage], terms))
        error = sides[ply] * target - value
        squares += error * error
        target = sides[ply] * (value + patience * error)
        for term in range(NUM_TERMS):
            weights[stage, terms[term]] += np.float32(rate * error / NUM_TERMS)
    return squares


@kernel(f"float64(int64, int64, int64, float64, float64, {TABLES}, uint64[::1])")
def learn_from_quick_games(
    games: int, objective: int, opening: int, rate: float, patience: float, tables: Tables, rng: np.ndarray
) -> float:
    """Play games at one ply and learn from each; returns the mean squared error in discs.

    `opening` is how many plies at most are by chance, `patience` the lambda of the temporal differences.
    """
    record = np.empty((LONGEST_GAME, 2), np.uint64), np.empty(LONGEST_GAME, np.int64)
    squares, positions = 0.0, 0
    for _ in range(games):
        count, margin = _play(objective, below(rng, opening + 1), tables, record, rng)
        squares += learn_from_game(count, margin, rate, patience, tables, record)
        positions += count
    return squares / max(positions, 1)
