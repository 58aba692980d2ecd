"""Scores of Gomoku's empty points by the windows through them: all runs of k cells, by whose stones stand there.

A window has a class: empty, own and missing 1..4 stones, the opponent's and missing 1..4 (more than that counts as 4),
or shared by both and worth nothing. A point's score is the sum of its windows' weights, one for each class.
"""

from functools import lru_cache

import numpy as np

from .jit import kernel, lean_kernel
from .layout import GUARD, NUM_LINES, ROWS, SIDE, SIZE, STONES

EMPTY = 0  # then OWN + missing, OPPONENTS + missing
OWN, OPPONENTS, SHARED = 0, 4, 9
NUM_WEIGHTS = 10  # the last one, of shared windows, is 0


@lru_cache(maxsize=8)
def windows(size: int, k: int) -> np.ndarray:
    """The points of every window of k cells on a board."""
    found = [
        [(row + down * place) * size + column + right * place for place in range(k)]
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        for row in range(size)
        for column in range(size)
        if row + down * (k - 1) < size and 0 <= column + right * (k - 1) < size
    ]
    return np.array(found, np.int16)  # [window, place]


@lru_cache(maxsize=8)
def classes(k: int) -> np.ndarray:
    """The class of a window by its own and the opponent's stones."""
    table = np.full((k + 1, k + 1), SHARED, np.int64)
    for stones in range(1, k + 1):
        missing = max(1, min(k - stones, 4))
        table[stones, 0], table[0, stones] = OWN + missing, OPPONENTS + missing
    table[0, 0] = EMPTY
    return table  # [own, opponent's]


@lean_kernel("void(uint64[::1], int8[::1])")
def read_stones(state: np.ndarray, stones: np.ndarray) -> None:
    """Write 1 for each stone of the side to move, 2 for each of the opponent's, 0 for an empty point."""
    size, side = np.int64(state[SIZE]), np.int64(state[SIDE])
    for row in range(size):
        own = np.int64(state[STONES + side * NUM_LINES + ROWS + row]) >> GUARD
        other = np.int64(state[STONES + (1 - side) * NUM_LINES + ROWS + row]) >> GUARD
        for column in range(size):
            stones[row * size + column] = (own >> column & 1) + 2 * (other >> column & 1)


@lean_kernel("void(int8[::1], int64, int16[:, ::1], int64[:, ::1], float64[::1], float64[::1])")
def score_points(
    stones: np.ndarray, color: int, cells: np.ndarray, kinds: np.ndarray, weights: np.ndarray, scores: np.ndarray
) -> None:
    """Write every point's score for the side whose stones have this number, 1 or 2."""
    scores[:] = 0.0
    for window in range(cells.shape[0]):
        own = other = 0
        for place in range(cells.shape[1]):
            stone = stones[cells[window, place]]
            own += stone == color
            other += stone == 3 - color
        weight = weights[kinds[own, other]]
        if weight != 0.0:
            for place in range(cells.shape[1]):
                scores[cells[window, place]] += weight


@kernel("void(int8[::1], int16[:, ::1], int64[:, ::1], float64[::1], float64[::1])")
def score_replies(
    stones: np.ndarray, cells: np.ndarray, kinds: np.ndarray, weights: np.ndarray, best: np.ndarray
) -> None:
    """Write for every empty point the score of the opponent's best reply to a stone of the side to move there."""
    scores = np.empty(len(stones))
    best[:] = 0.0
    for point in range(len(stones)):
        if stones[point]:
            continue
        stones[point] = 1
        score_points(stones, 2, cells, kinds, weights, scores)
        for reply in range(len(stones)):
            if stones[reply] == 0 and scores[reply] > best[point]:
                best[point] = scores[reply]
        stones[point] = 0
