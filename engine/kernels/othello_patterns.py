"""Othello's learned evaluation: shapes of squares, each a base-3 number that is looked up in a table of weights.

A digit is 0 for our own disc, 1 for an empty square, 2 for the opponent's: seen from the other side a number is the
greatest one less this one. A node has its numbers in a row of NUM_LANES and makes its children's from them. Tables
exist for the 8x8 board only, by stage of the game, in hundredths of a disc for the side to move.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from .bits import popcount
from .jit import lean_kernel
from .othello import WHOLE_BOARD, mobility
from .othello_rows import NUM_LANES, add_rows
from .othello_value import final_score

# One instance of each shape; its symmetric copies share its table.
SHAPES = (
    ("corner", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    ("edge", "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"),
    ("two rows", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    ("row 2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ("row 3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    ("row 4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    ("diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    ("diagonal 7", "b1 c2 d3 e4 f5 g6 h7"),
    ("diagonal 6", "c1 d2 e3 f4 g5 h6"),
    ("diagonal 5", "d1 e2 f3 g4 h5"),
    ("diagonal 4", "e1 f2 g3 h4"),
    ("edge block", "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2"),
    ("triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
)
NUM_STAGES = 15
STAGE_PLIES = 4
MOST_MOVES = 33  # more are counted as so many
NUM_TEMPI = 9  # of a stage: its plies and two before and after, which tell whose parity it is

Numbers: TypeAlias = npt.NDArray[np.int64]
_ZERO = np.uint64(0)


def _instances() -> list[tuple[int, tuple[int, ...]]]:
    """The shape and the squares, in the order of their digits, of every different copy on the board."""
    found = []
    for shape, (_, names) in enumerate(SHAPES):
        cells = [(int(name[1]) - 1, ord(name[0]) - ord("a")) for name in names.split()]
        copies: dict[frozenset[int], tuple[int, ...]] = {}
        for symmetry in range(8):
            squares = tuple(8 * row + column for row, column in (_turned(cell, symmetry) for cell in cells))
            copies.setdefault(frozenset(squares), squares)
        found += [(shape, squares) for squares in copies.values()]
    return found


def _turned(cell: tuple[int, int], symmetry: int) -> tuple[int, int]:
    row, column = cell
    row, column = (column, row) if symmetry & 4 else (row, column)
    return (7 - row if symmetry & 2 else row), (7 - column if symmetry & 1 else column)


def _folding() -> Numbers:
    """For every column the one that stands for it: a shape that is its own mirror image is looked up once."""
    folded = np.arange(NUM_COLUMNS)
    for shape, (_, names) in enumerate(SHAPES):
        cells = [(int(name[1]) - 1, ord(name[0]) - ord("a")) for name in names.split()]
        for symmetry in range(1, 8):
            image = [_turned(cell, symmetry) for cell in cells]
            if set(image) != set(cells):
                continue
            numbers, places = np.arange(3 ** len(cells)), [cells.index(cell) for cell in image]
            mirrored = sum(numbers // 3**digit % 3 * 3**place for digit, place in enumerate(places))
            folded[STARTS[shape] + numbers] = STARTS[shape] + np.minimum(numbers, mirrored)
    return folded


INSTANCES = _instances()
NUM_INSTANCES = len(INSTANCES)
_LENGTHS = [len(names.split()) for _, names in SHAPES]
STARTS = np.concatenate([[0], np.cumsum([3**length for length in _LENGTHS])])
OWN_MOVES = int(STARTS[-1])  # the column of no move of ours
OPP_MOVES = OWN_MOVES + MOST_MOVES + 1
TEMPO = OPP_MOVES + MOST_MOVES + 1
NUM_COLUMNS = TEMPO + NUM_TEMPI
FOLDED = _folding()  # [column]

OFFSETS = np.array([STARTS[shape] for shape, _ in INSTANCES])  # [instance]
_GREATEST = np.zeros(NUM_LANES, np.uint16)
_POWERS = np.zeros((64, NUM_LANES), np.uint16)  # [square, instance]
for _lane, (_shape, _squares) in enumerate(INSTANCES):
    _GREATEST[_lane] = 3 ** len(_squares) - 1
    for _digit, _square in enumerate(_squares):
        _POWERS[_square, _lane] = 3**_digit
_MINUS, _TWICE = 0 - _POWERS, 2 * _POWERS
_HALVES = _GREATEST // 2


@lean_kernel("void(uint64, uint64, uint16[::1])")
def count_numbers(own: np.uint64, opp: np.uint64, numbers: np.ndarray) -> None:
    """Write the numbers of a position from nothing."""
    for lane in range(NUM_LANES):
        numbers[lane] = _HALVES[lane]
    add_rows(numbers, _MINUS, own)
    add_rows(numbers, _POWERS, opp)


@lean_kernel("void(uint16[::1], int64, uint64, uint16[::1])")
def follow(numbers: np.ndarray, square: int, flipped: np.uint64, after: np.ndarray) -> None:
    """Write the numbers after our move on this square, for the opponent, who is then to move."""
    for lane in range(NUM_LANES):
        after[lane] = _GREATEST[lane] - numbers[lane] + _POWERS[square, lane]
    add_rows(after, _TWICE, flipped)


@lean_kernel("void(uint16[::1], uint16[::1])")
def turn(numbers: np.ndarray, after: np.ndarray) -> None:
    """Write the numbers after a pass."""
    for lane in range(NUM_LANES):
        after[lane] = _GREATEST[lane] - numbers[lane]


@lean_kernel("int64(int64)")
def stage_of(empties: int) -> int:
    """The row of the tables."""
    return min((60 - empties) // STAGE_PLIES, NUM_STAGES - 1)


@lean_kernel("int64(int64, int64)")
def tempo_column(empties: int, stage: int) -> int:
    """The column of a number of empty squares in a stage that it belongs to or is next to."""
    return TEMPO + 60 - empties - stage * STAGE_PLIES + 2


@lean_kernel("int64(uint16[::1], int64, int64, int64, int16[:, ::1])")
def estimate(numbers: np.ndarray, empties: int, own_moves: int, opp_moves: int, weights: np.ndarray) -> int:
    """The value of a game that goes on, by the counts of both sides' moves."""
    stage = stage_of(empties)
    row = weights[stage]
    total = np.int64(row[OWN_MOVES + min(own_moves, MOST_MOVES)]) + np.int64(
        row[OPP_MOVES + min(opp_moves, MOST_MOVES)]
    )
    total += np.int64(row[tempo_column(empties, stage)])
    for lane in range(NUM_INSTANCES):
        total += np.int64(row[OFFSETS[lane] + np.int64(numbers[lane])])
    return int(total)


@lean_kernel("int64(uint64, uint64, uint16[::1], int64, int16[:, ::1])")
def pattern_value(own: np.uint64, opp: np.uint64, numbers: np.ndarray, objective: int, weights: np.ndarray) -> int:
    """The score of a position for the side with `own`, which is to move; exact when the game is over."""
    own_moves, opp_moves = mobility(own, opp, WHOLE_BOARD), mobility(opp, own, WHOLE_BOARD)
    if (own_moves | opp_moves) == _ZERO:
        return final_score(own, opp, objective)
    return estimate(numbers, popcount(~(own | opp)), popcount(own_moves), popcount(opp_moves), weights)
