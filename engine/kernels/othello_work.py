"""The scratch memory of Othello's searches: the node count, the stop, and the moves of every open node in order.

A node's moves lie in the row of its number of empty squares: below it there are always fewer.
"""

import numpy as np

from .bits import first, popcount, square_bit
from .jit import lean_kernel as kernel
from .othello import WHOLE_BOARD, flips, mobility

STOP, TOTAL, LIMIT = 0, 1, 2  # places in the caller's control array
NODES, HALTED, CHECK_AT = 0, 1, 2  # places in the scratch array
ROW = 64  # length of a row of moves, and of the head before the first one
WORDS = 66 * ROW

_NODES_PER_CHECK = 1024
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_CORNERS = np.uint64(0x8100000000000081)
_SMALL_CORNERS = np.uint64(0x0000210000000021)


@kernel("boolean(int64[::1], int64[::1])")
def spend(work: np.ndarray, control: np.ndarray) -> bool:
    """Count a node; True when the search must end, by the caller's wish or for the number of nodes."""
    work[NODES] += 1
    if work[NODES] < work[CHECK_AT]:
        return work[HALTED] != 0
    left = control[LIMIT] - control[TOTAL] - work[NODES] if control[LIMIT] else _NODES_PER_CHECK
    work[CHECK_AT] = work[NODES] + min(left, _NODES_PER_CHECK)
    if control[STOP] or left < 0:
        work[HALTED] = 1
    return work[HALTED] != 0


@kernel("uint64(uint64)")
def corner_squares(playable: np.uint64) -> np.uint64:
    """The four corners of a board."""
    return _CORNERS if playable == WHOLE_BOARD else _SMALL_CORNERS


@kernel("int64(uint64, uint64, uint64, int64, uint64, int64[::1])")
def rank(own: np.uint64, opp: np.uint64, moves: np.uint64, known: int, playable: np.uint64, work: np.ndarray) -> int:
    """Put the moves into this node's row, the likely best first, and return where the row begins.

    The square from the hash table leads; then come those that leave the opponent the fewest replies.
    """
    row = ROW * (1 + popcount(playable & ~(own | opp)))
    corners = corner_squares(playable)
    count = 0
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        flipped = flips(own, opp, square)
        replies = mobility(opp ^ flipped, own | flipped | square_bit(square), playable)
        weight = -2 * popcount(replies) - 2 * popcount(replies & corners) + 3 * popcount(square_bit(square) & corners)
        weight = 1000 if square == known else weight
        place = row + count
        while place > row and work[place - 1] >> 6 < weight:
            work[place] = work[place - 1]
            place -= 1
        work[place] = (weight << 6) | square
        count += 1
    return row
