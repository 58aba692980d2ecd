"""The replies to a threat: what must be looked at when the attacker, were it his turn again, would win by fours.

A stone of the defender on a point that plays no part in that win leaves it as it is. Parts are the points of its line;
the points where the defender makes a four at once; and those where a stone would make a four together with one of his
replies in the line. Where black is bound by renju, a win that a stone far away might spoil by lifting or laying a ban
is not counted as a threat.
"""

from typing import TypeAlias

import numpy as np

from .gomoku_fours import CELL_BITS, LISTS, list_all_fours, list_new_fours
from .gomoku_play import NODE_LIMIT, NODES, WORK, Work, play, undo
from .gomoku_shapes import BLACK_EXACT, CODE_BITS, FREE, POINTS, TURN
from .gomoku_vcf import NONE, is_forbidden, num_fives, solve_board
from .jit import lean_kernel

# What a proof search works on: what a search for fours does, its own hash table, and its lists one after another.
VctWork: TypeAlias = tuple[Work, np.ndarray, np.ndarray]
VCT_WORK = f"Tuple(({WORK}, uint64[:,::1], int64[::1]))"
FOURS_NODES = 256  # that a search for fours may spend in the midst of a proof search
ENOUGH_FREE = 40  # so many points are never all forbidden to black

# The head of the lists: who attacks, then the numbers that make the keys of positions with either side to move.
ATTACKER, SALTS, FRAMES = 0, 1, 3
# A list: how long the win is that is threatened, then its points.
FRAME_HEAD = 1


@lean_kernel(f"int64({WORK}, int64)")
def vcf_of(work: Work, color: int) -> int:
    """The length of a win by fours of a color, were it its turn; none, too, when it is not soon found."""
    board, control = work[0], work[4]
    turn = board[TURN]
    board[TURN] = color
    control[NODE_LIMIT] = control[NODES] + FOURS_NODES
    length = solve_board(work)
    board[TURN] = turn
    return max(length, NONE)


@lean_kernel("int64(int64[::1], int64, int64, int64)")
def _add(lists: np.ndarray, begin: int, end: int, cell: int) -> int:
    """Add a point to a list if it is new, and return the end of the list."""
    for place in range(begin, end):
        if lists[place] == cell:
            return end
    lists[end] = cell
    return end + 1


@lean_kernel("int64(int64[::1], int64[::1], int64, int64, int64)")
def _add_noted(notes: np.ndarray, lists: np.ndarray, begin: int, end: int, last: int) -> int:
    """Add the fours in the notes up to this end."""
    for place in range(LISTS, last):
        end = _add(lists, begin, end, notes[place] & (1 << CELL_BITS) - 1)
    return end


@lean_kernel("boolean(int64[::1], int64)")
def _might_be_banned(board: np.ndarray, cell: int) -> bool:
    """True when a black stone makes two threes that only another ban leaves harmless."""
    return board[BLACK_EXACT] != 0 and board[TURN] == 0 and board[POINTS + cell] >> CODE_BITS & 7 > 1


@lean_kernel(f"int64({VCT_WORK}, int64, int64, int64)")
def _add_fours_on_the_way(vct: VctWork, begin: int, end: int, length: int) -> int:
    """Play the noted win and add where its replies help to make fours; -1 when the win is not a sure threat."""
    work, _, lists = vct
    board, state, notes = work[0], work[1], work[2]
    is_sure, played = True, 0
    for ply in range(0, length - 1, 2):
        is_sure &= not _might_be_banned(board, notes[ply])
        play(board, state, notes[ply])
        if ply + 3 == length:
            is_sure &= num_fives(board, 1 - board[TURN]) > 1
            played += 1
            break
        color = board[TURN]
        play(board, state, notes[ply + 1])
        played += 2
        end = _add_noted(notes, lists, begin, end, list_new_fours(board, notes, notes[ply + 1], color, LISTS))
    for _ in range(played):
        undo(board, state)
    return end if is_sure else -1


@lean_kernel(f"int64({WORK}, int64[::1], int64, int64)")
def _keep_legal(work: Work, lists: np.ndarray, begin: int, end: int) -> int:
    """Drop the points that are forbidden to the side to move, and return how many are left."""
    kept = begin
    for place in range(begin, end):
        if not is_forbidden(work[0], work[1], lists[place]):
            lists[kept] = lists[place]
            kept += 1
    return kept - begin


@lean_kernel(f"int64({VCT_WORK}, int64)")
def list_replies(vct: VctWork, top: int) -> int:
    """List the replies to what the attacker threatens by fours, and return how many; -1 when it is nothing sure.

    The defender is to move, faces no five and completes none.
    """
    work, _, lists = vct
    board, notes, attacker = work[0], work[2], lists[ATTACKER]
    length = vcf_of(work, attacker)
    if length == NONE or (board[BLACK_EXACT] != 0 and board[FREE] < ENOUGH_FREE):
        return -1
    begin = end = top + FRAME_HEAD
    lists[top] = length
    for ply in range(length):
        end = _add(lists, begin, end, notes[ply])
    end = _add_noted(notes, lists, begin, end, list_all_fours(board, notes))
    board[TURN] = attacker
    end = _add_fours_on_the_way(vct, begin, end, length)
    board[TURN] = 1 - attacker
    return -1 if end < 0 else _keep_legal(work, lists, begin, end)
