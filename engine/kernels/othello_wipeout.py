"""Forced wins of Othello that take the opponent's last disc: what a tree search with few visits does not see coming."""

import numpy as np

from .bits import first, square_bit
from .jit import lean_kernel
from .othello import flips, mobility
from .othello_work import put

MOST_DISCS = 8  # of the side that may be wiped out
DEEPEST = 2  # moves of the side that wipes out

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@lean_kernel("boolean(uint64, uint64, uint64)")
def _takes_all(own: np.uint64, opp: np.uint64, moves: np.uint64) -> bool:
    """True when a move turns every disc of the opponent's."""
    while moves:
        if flips(own, opp, first(moves)) == opp:
            return True
        moves &= moves - _ONE
    return False


@lean_kernel("UniTuple(uint64, 2)(uint64, uint64, uint64)")
def _after_reply(own: np.uint64, opp: np.uint64, replies: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The discs after the opponent's first reply, or his pass when there is none."""
    if replies == _ZERO:
        return own, opp
    flipped = flips(opp, own, first(replies))
    return own ^ flipped, opp | flipped | square_bit(first(replies))


@lean_kernel("int64(uint64, uint64, uint64, int64)")
def wipeout(own: np.uint64, opp: np.uint64, playable: np.uint64, depth: int) -> int:
    """The plies after which the side to move has certainly taken the last disc, 0 if it is not known to do so.

    It looks so many moves of that side deep.
    """
    moves = mobility(own, opp, playable & ~(own | opp))
    if _takes_all(own, opp, moves):
        return 1
    while moves and depth > 1:
        mine, yours = put(own, opp, first(moves))
        moves &= moves - _ONE
        replies = mobility(yours, mine, playable & ~(mine | yours))
        longest, is_open = 0, True
        while is_open:
            mine_then, yours_then = _after_reply(mine, yours, replies)
            replies &= replies - _ONE
            plies = wipeout(mine_then, yours_then, playable, depth - 1)
            longest = max(longest, plies) if plies > 0 else 0
            is_open = plies > 0 and replies != _ZERO
        if longest > 0:
            return 2 + longest
    return 0
