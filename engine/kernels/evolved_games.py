"""Othello by evolved evaluations: a fixed-depth search over a genome, and whole tournaments of genomes.

A genome is a row of float32: of the network, nine weights for each of 32 pairs of neighboring squares by what stands on
them, mirror images sharing theirs; of the coefficients, a weight for each feature of the hand-made evaluation at the
beginning, in the middle and at the end of a game. Only the order of values counts, not their scale.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, popcount
from .dqn_games import after, beginning
from .jit import kernel, lean_kernel
from .othello import flips, mobility, playable_squares
from .othello_greedy import greedy_move
from .othello_learning import nth_square
from .othello_value import features, value
from .othello_weights import NUM_FEATURES
from .rng import below

NETWORK, COEFFICIENTS = 0, 1
CHANCE, GREEDY, HANDMADE = -1, -2, -3  # opponents to measure by, in place of a genome's number
NUM_PHASES = 3
STATES = 9  # of a pair of squares: each empty, own or the opponent's
CERTAIN = np.float32(1e6)  # beyond what any genome says; a finished game is worth more

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_LEAST = np.float32(-3e6)


def _pairs(size: int) -> tuple[list[tuple[int, int, int]], int]:
    """Pairs of neighboring squares with their class under the eight symmetries, and the number of classes."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    found = []
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                other = row + down, column + right
                if max(other) < size and other[1] >= 0:
                    found += _classed(size, ((row, column), other), numbers)
    return found, len(numbers)


def _classed(
    size: int, pair: tuple[tuple[int, int], ...], numbers: dict[tuple[tuple[int, int], ...], int]
) -> list[tuple[int, int, int]]:
    """A pair in the order of its class; in both orders where a symmetry turns it round."""
    least = {order: min(_images(size, order)) for order in (pair, pair[::-1])}
    name = min(least.values())
    number = numbers.setdefault(name, len(numbers))
    squares = [[8 * row + column for row, column in order] for order in least if least[order] == name]
    return [(number, one, other) for one, other in squares]


def _images(size: int, pair: tuple[tuple[int, int], ...]) -> list[tuple[tuple[int, int], ...]]:
    last, found = size - 1, [pair]
    for _ in range(3):
        found.append(tuple((column, last - row) for row, column in found[-1]))
    return found + [tuple((row, last - column) for row, column in image) for image in found]


def _table(size: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.array(_pairs(size)[0], np.int64)


_LARGE, _SMALL = _table(8), _table(6)  # [place, (class, square, square)]
NUM_UNITS = {8: _pairs(8)[1], 6: _pairs(6)[1]}  # of a network

# How a player judges: kind, size, objective, depth; its genome.
Judge: TypeAlias = tuple[int, int, int, int, np.ndarray]
_JUDGE = "Tuple((int64, int64, int64, int64, float32[::1]))"


@lean_kernel("float32(uint64, uint64, int64, float32[::1])")
def _network(own: np.uint64, opp: np.uint64, size: int, genome: np.ndarray) -> np.float32:
    places = _LARGE if size == 8 else _SMALL
    total = np.float32(0)
    for place in range(len(places)):
        one, other = np.uint64(places[place, 1]), np.uint64(places[place, 2])
        state = ((own >> one) & _ONE) + np.uint64(2) * ((opp >> one) & _ONE)
        state = np.uint64(3) * state + ((own >> other) & _ONE) + np.uint64(2) * ((opp >> other) & _ONE)
        total += genome[STATES * places[place, 0] + np.int64(state)]
    return total


@lean_kernel("float32(uint64, uint64, int64, float32[::1])")
def _coefficients(own: np.uint64, opp: np.uint64, size: int, genome: np.ndarray) -> np.float32:
    playable = playable_squares(size)
    counted = features(own, opp, playable, mobility(own, opp, playable), mobility(opp, own, playable))
    place = (NUM_PHASES - 1) * popcount(playable & ~(own | opp)) / (size * size - 4)  # the end is phase 0
    low = min(int(place), NUM_PHASES - 2)
    share = np.float32(place - low)
    total = np.float32(0)
    for feature in range(NUM_FEATURES):
        early, late = genome[(low + 1) * NUM_FEATURES + feature], genome[low * NUM_FEATURES + feature]
        total += np.float32(counted[feature]) * (share * early + (np.float32(1) - share) * late)
    return total


@lean_kernel(f"float32(uint64, uint64, {_JUDGE})")
def judged(own: np.uint64, opp: np.uint64, judge: Judge) -> np.float32:
    """What a genome says of a position, for the side with `own`, which is to move."""
    kind, size, objective, _, genome = judge
    if kind == NETWORK:
        return _network(own, opp, size, genome)
    if kind == COEFFICIENTS:
        return _coefficients(own, opp, size, genome)
    return np.float32(value(own, opp, playable_squares(size), objective))


@lean_kernel(f"float32(uint64, uint64, int64, float32, float32, {_JUDGE})")
def _search(
    own: np.uint64, opp: np.uint64, depth: int, alpha: np.float32, beta: np.float32, judge: Judge
) -> np.float32:
    """The value by alpha-beta; a pass costs no depth."""
    playable = playable_squares(judge[1])
    moves = mobility(own, opp, playable)
    if moves == _ZERO:
        if mobility(opp, own, playable) == _ZERO:
            margin = np.float32(judge[2] * (popcount(own) - popcount(opp)))
            return margin + np.sign(margin) * CERTAIN
        return -_search(opp, own, depth, -beta, -alpha, judge)
    if depth == 0:
        return judged(own, opp, judge)
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        flipped = flips(own, opp, square)
        mine, yours = own | flipped | (_ONE << np.uint64(square)), opp ^ flipped
        alpha = max(alpha, -_search(yours, mine, depth - 1, -beta, -alpha, judge))
        if alpha >= beta:
            break
    return alpha


@kernel(f"int64(uint64, uint64, {_JUDGE}, int16[::1], float32[::1])")
def score_squares(own: np.uint64, opp: np.uint64, judge: Judge, squares: np.ndarray, scores: np.ndarray) -> int:
    """Write the squares of all moves with their values at the judge's depth, which covers the move itself."""
    moves, count = mobility(own, opp, playable_squares(judge[1])), 0
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        flipped = flips(own, opp, square)
        mine, yours = own | flipped | (_ONE << np.uint64(square)), opp ^ flipped
        squares[count] = square
        scores[count] = -_search(yours, mine, judge[3] - 1, _LEAST, -_LEAST, judge)
        count += 1
    return count


@lean_kernel(f"int64(uint64, uint64, uint64, {_JUDGE})")
def _best(own: np.uint64, opp: np.uint64, moves: np.uint64, judge: Judge) -> int:
    best, chosen = _LEAST, first(moves)
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        flipped = flips(own, opp, square)
        mine, yours = own | flipped | (_ONE << np.uint64(square)), opp ^ flipped
        score = -_search(yours, mine, judge[3] - 1, _LEAST, -best, judge)
        if score > best:
            best, chosen = score, square
    return chosen


@lean_kernel("int64(uint64, uint64, uint64, int64, int64, uint64[::1])")
def _unevolved(own: np.uint64, opp: np.uint64, moves: np.uint64, who: int, objective: int, rng: np.ndarray) -> int:
    """A move by chance, or one that turns the most discs, in the misère the fewest."""
    if who == CHANCE:
        return nth_square(moves, below(rng, popcount(moves)))
    return greedy_move(own, opp, moves, objective, rng)


@lean_kernel("int64(uint64, uint64, int64, int64, int64[::1], float32[:, ::1], int64[::1], uint64[::1])")
def _play(
    own: np.uint64,
    opp: np.uint64,
    side: int,
    kind: int,
    rules: np.ndarray,
    genomes: np.ndarray,
    pair: np.ndarray,
    rng: np.ndarray,
) -> int:
    """Play a game on to its end; returns black's margin in the terms of the objective."""
    size, objective, depth = rules[0], rules[1], rules[2]
    playable = playable_squares(size)
    while True:
        who = pair[0] if side > 0 else pair[1]
        moves = mobility(own, opp, playable)
        if HANDMADE < who < 0:
            square = _unevolved(own, opp, moves, who, objective, rng)
        else:
            judge = (kind if who >= 0 else -1, size, objective, depth, genomes[max(who, 0)])
            square = _best(own, opp, moves, judge)
        own, opp, turn = after(own, opp, square, playable)
        if turn == 0:
            return side * objective * (popcount(own) - popcount(opp))
        side *= turn


@lean_kernel("Tuple((uint64, uint64, int64))(int64, int64, uint64[::1])")
def _opening(size: int, plies: int, rng: np.ndarray) -> tuple[np.uint64, np.uint64, int]:
    """A position after some plies by chance, which is not the end, and whose turn it is."""
    playable = playable_squares(size)
    while True:
        own, opp = beginning(size)
        side, turn = 1, 1
        for _ in range(plies):
            moves = mobility(own, opp, playable)
            own, opp, turn = after(own, opp, nth_square(moves, below(rng, popcount(moves))), playable)
            side *= turn
            if turn == 0:
                break
        if turn != 0:
            return own, opp, side


@kernel("void(int64, int64[::1], float32[:, ::1], int64[:, ::1], int64[:, ::1], uint64[::1])")
def play_pairs(
    kind: int, rules: np.ndarray, genomes: np.ndarray, pairs: np.ndarray, margins: np.ndarray, rng: np.ndarray
) -> None:
    """Play each pair twice from an opening of its own, colors changed; margins are the first player's, [pair, 2].

    The rules are the size, the objective, the depth of searches and the plies of an opening.
    """
    colors = np.empty(2, np.int64)
    for number in range(len(pairs)):
        own, opp, side = _opening(rules[0], rules[3], rng)
        for turn in range(2):
            colors[turn], colors[1 - turn] = pairs[number, 0], pairs[number, 1]
            margins[number, turn] = (1 - 2 * turn) * _play(own, opp, side, kind, rules, genomes, colors, rng)
