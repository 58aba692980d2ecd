"""Othello games with the learned search, as data to learn from: positions, what the search said, how it ended."""

import numpy as np

from .bits import first, popcount
from .jit import kernel, lean_kernel
from .othello import WHOLE_BOARD, mobility
from .othello_endgame import INFINITE_MARGIN
from .othello_learning import BLACK_START, WHITE_START, nth_square
from .othello_midgame import BENCH, DISC, FAR, MIDGAME_WORDS, Bench, enter, explore, prepare
from .othello_patterns import count_numbers
from .othello_rows import NUM_LANES
from .othello_solver import solve_far
from .othello_work import OBJECTIVE, put
from .rng import below

SIDE, SEARCHED, FINAL = 0, 1, 2  # what is noted of a position: +1 black or -1 white moves, scores for that side
NUM_NOTES = 3

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@lean_kernel(f"UniTuple(int64, 2)(uint64, uint64, uint64, int64, {BENCH})")
def searched(own: np.uint64, opp: np.uint64, moves: np.uint64, depth: int, bench: Bench) -> tuple[int, int]:
    """The score of a position, two plies deep at least, and its best square."""
    best, best_square = -FAR, -1
    count_numbers(own, opp, bench[3][popcount(~(own | opp))])
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        mine, yours = enter(own, opp, square, bench)
        score = -explore(yours, mine, depth - 1, -FAR, -best, bench)
        if score > best:
            best, best_square = score, square
    return best, best_square


@lean_kernel(f"UniTuple(int64, 2)(uint64, uint64, uint64, {BENCH})")
def solved(own: np.uint64, opp: np.uint64, moves: np.uint64, bench: Bench) -> tuple[int, int]:
    """The exact score of a position and its best square."""
    best, best_square = -INFINITE_MARGIN, -1
    count_numbers(own, opp, bench[3][popcount(~(own | opp))])
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        mine, yours = enter(own, opp, square, bench)
        margin = -solve_far(yours, mine, -INFINITE_MARGIN, -best, bench)
        if margin > best:
            best, best_square = margin, square
    return DISC * best, best_square


@lean_kernel(f"UniTuple(int64, 2)(int64, int64, int64, {BENCH}, uint64[:, ::1], int16[:, ::1], uint64[::1])")
def _play(
    opening: int, depth: int, exact_from: int, bench: Bench, discs: np.ndarray, notes: np.ndarray, rng: np.ndarray
) -> tuple[int, int]:
    """Play a game, so many first plies by chance; returns the number of later positions and black's final margin."""
    own, opp, side, count = BLACK_START, WHITE_START, 1, -opening
    while True:
        moves = mobility(own, opp, WHOLE_BOARD)
        if moves == _ZERO:
            if mobility(opp, own, WHOLE_BOARD) == _ZERO:
                return max(count, 0), side * bench[1][OBJECTIVE] * (popcount(own) - popcount(opp))
            own, opp, side = opp, own, -side
            continue
        if count < 0:
            score, square = 0, nth_square(moves, below(rng, popcount(moves)))
        elif popcount(~(own | opp)) <= exact_from:
            score, square = solved(own, opp, moves, bench)
        else:
            score, square = searched(own, opp, moves, depth, bench)
        if count >= 0:
            discs[count, 0], discs[count, 1], notes[count, SIDE], notes[count, SEARCHED] = own, opp, side, score
        count += 1
        mine, yours = put(own, opp, square)
        own, opp, side = yours, mine, -side


@kernel(
    "int64(int64, int64, int64, int64, int64, int64, uint64[:, ::1], int16[:, ::1], int64[:, ::1], int64, "
    "uint64[:, ::1], int16[:, ::1], uint64[::1])"
)
def play_games(
    games: int,
    objective: int,
    shortest: int,
    longest: int,
    depth: int,
    exact_from: int,
    table: np.ndarray,
    weights: np.ndarray,
    errors: np.ndarray,
    caution: int,
    discs: np.ndarray,
    notes: np.ndarray,
    rng: np.ndarray,
) -> int:
    """Play games and write down their positions; returns how many, at most LONGEST_GAME for each game.

    The first plies are by chance, between the shortest and the longest number of them, and are not written down.
    """
    work, numbers = np.zeros(MIDGAME_WORDS, np.int64), np.empty((65, NUM_LANES), np.uint16)
    prepare(objective, caution, errors, work)
    bench = (table, work, np.zeros(3, np.int64), numbers, weights, np.zeros(1, np.uint64))
    total = 0
    for _ in range(games):
        opening = shortest + below(rng, longest - shortest + 1)
        count, margin = _play(opening, depth, exact_from, bench, discs[total:], notes[total:], rng)
        for place in range(total, total + count):
            notes[place, FINAL] = margin * notes[place, SIDE]
        total += count
    return total


@kernel("void(uint64[:, ::1], int64, int64[::1], uint64[:, ::1], int16[:, ::1], int64[:, ::1], int64, int32[:, ::1])")
def scores_by_depth(
    discs: np.ndarray,
    objective: int,
    depths: np.ndarray,
    table: np.ndarray,
    weights: np.ndarray,
    errors: np.ndarray,
    caution: int,
    scores: np.ndarray,
) -> None:
    """Write the scores of positions at several depths, [position, depth]."""
    work, numbers = np.zeros(MIDGAME_WORDS, np.int64), np.empty((65, NUM_LANES), np.uint16)
    prepare(objective, caution, errors, work)
    bench = (table, work, np.zeros(3, np.int64), numbers, weights, np.zeros(1, np.uint64))
    for place in range(len(discs)):
        own, opp = discs[place, 0], discs[place, 1]
        count_numbers(own, opp, numbers[popcount(~(own | opp))])
        for column, depth in enumerate(depths):
            scores[place, column] = explore(own, opp, depth, -FAR, FAR, bench)
