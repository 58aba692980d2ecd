"""What Othello's searches work with: the rules in force, the node count, the stop, the open nodes' moves in order.

A node's moves lie in the row of its number of empty squares: below it there are always fewer.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, popcount, square_bit
from .jit import lean_kernel
from .othello import WHOLE_BOARD, flips, mobility, spread
from .othello_table import rank_in

STOP, TOTAL, LIMIT = 0, 1, 2  # places in the caller's control array
NODES, HALTED, CHECK_AT, REPORTED, OBJECTIVE, PLAYABLE = 0, 1, 2, 3, 4, 5  # places in the work array
ROW = 64  # length of a row of moves, and of the head before the first one
WORDS = 66 * ROW

Desk: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]  # hash table, work, control
DESK = "Tuple((uint64[:, ::1], int64[::1], int64[::1]))"

_NODES_PER_CHECK = 1024
_KNOWN = 1000  # the weight of a square from the hash table, above every other one
_ONE = np.uint64(1)
_CORNERS = np.uint64(0x8100000000000081)
_SMALL_CORNERS = np.uint64(0x0000210000000021)


@lean_kernel("void(int64[::1], int64[::1])")
def report(work: np.ndarray, control: np.ndarray) -> None:
    """Add the nodes counted since the last report to the caller's total."""
    control[TOTAL] += work[NODES] - work[REPORTED]
    work[REPORTED] = work[NODES]


@lean_kernel("boolean(int64[::1], int64[::1])")
def spend(work: np.ndarray, control: np.ndarray) -> bool:
    """Count a node; True when the search must end, by the caller's wish or for the number of nodes."""
    work[NODES] += 1
    if work[NODES] < work[CHECK_AT]:
        return work[HALTED] != 0
    report(work, control)
    left = control[LIMIT] - control[TOTAL] if control[LIMIT] else _NODES_PER_CHECK
    work[CHECK_AT] = work[NODES] + max(1, min(left, _NODES_PER_CHECK))
    if control[STOP] or left <= 0:
        work[HALTED] = 1
    return work[HALTED] != 0


@lean_kernel("uint64(int64[::1])")
def playable_in(work: np.ndarray) -> np.uint64:
    """All squares of the board."""
    return np.uint64(work[PLAYABLE])


@lean_kernel("uint64(uint64)")
def corner_squares(playable: np.uint64) -> np.uint64:
    """The four corners of a board."""
    return _CORNERS if playable == WHOLE_BOARD else _SMALL_CORNERS


@lean_kernel("UniTuple(uint64, 2)(uint64, uint64, int64)")
def put(own: np.uint64, opp: np.uint64, square: int) -> tuple[np.uint64, np.uint64]:
    """The discs of both sides after a move, the mover's first."""
    flipped = flips(own, opp, square)
    return own | flipped | square_bit(square), opp ^ flipped


@lean_kernel("void(int64[::1], int64, int64, int64)")
def insert(work: np.ndarray, row: int, end: int, entry: int) -> None:
    """Put an entry into a row that descends; its weight stands above its six bits of square."""
    while end > row and work[end - 1] >> 6 < entry >> 6:
        work[end] = work[end - 1]
        end -= 1
    work[end] = entry


@lean_kernel("int64(uint64, uint64, uint64, int64, int64[::1])")
def rank(own: np.uint64, opp: np.uint64, moves: np.uint64, known: int, work: np.ndarray) -> int:
    """Put the moves into this node's row, the likely best first, and return where the row begins.

    The two squares from the hash table lead; then come those that leave the opponent the fewest replies, now and
    soon, most of all in corners, which the misère likes to give away.
    """
    playable = playable_in(work)
    row = end = ROW * (1 + popcount(playable & ~(own | opp)))
    corners = corner_squares(playable)
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        mine, yours = put(own, opp, square)
        empty = playable & ~(mine | yours)
        replies = mobility(yours, mine, empty)
        weight = -4 * popcount(replies) - 4 * work[OBJECTIVE] * popcount(replies & corners)
        weight -= popcount(spread(mine) & empty)
        insert(work, row, end, (weight + _KNOWN * rank_in(known, square) << 6) | square)
        end += 1
    return row
