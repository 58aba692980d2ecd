"""What is certain of a position before any evaluation, by small searches: wins by fours, wipeouts, exact endgames.

A result is for the side to move, in the terms of the state's objective. In Gomoku the rules decide first, then a search
for a win by fours with few nodes; Othello is solved once few squares are empty, and before that a side with few discs
may certainly lose them all. In the misère of Gomoku only suicides are certain. What is learned on the way, lines and
refuted fours, is kept from one position to the next, and so is the board of a leaf: the next one below the same root is
reached by taking back and placing the stones that differ.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from .bits import popcount
from .board import legal_moves
from .gomoku import completes, needs_exactly
from .gomoku_fours import NOTES_WORDS
from .gomoku_moves import class_of
from .gomoku_play import NODE_LIMIT, STOP
from .gomoku_play import NODES as FOURS_TRIED
from .gomoku_refresh import refresh
from .gomoku_shapes import (
    BLACK_EXACT,
    BOARD_WORDS,
    MAKES_FOUR,
    MOST_CELLS,
    NUM_PLACED,
    TURN,
    UNDO,
    UNDO_WORDS,
    place_stone,
    take_back,
)
from .gomoku_value import decided, forced, must_parry
from .gomoku_vcf import solve_board
from .jit import lean_kernel, type_of
from .layout import (
    BLACK_DISCS,
    EMPTIES,
    GOING_ON,
    GOMOKU,
    IN_A_ROW,
    KIND,
    OBJECTIVE,
    RESULT,
    SIDE,
    SIZE,
    WHITE_DISCS,
)
from .othello import playable_squares
from .othello_endgame import solve
from .othello_wipeout import DEEPEST, MOST_DISCS, wipeout
from .othello_work import CHECK_AT, HALTED, NODES, PLAYABLE, REPORTED, WORDS
from .othello_work import OBJECTIVE as DESK_OBJECTIVE
from .scores import WIN

UNKNOWN = 2  # what is said instead of -1, 0 or +1
FOURS, EMPTY, DISTANCE = 0, 1, 2  # the most nodes of a search for fours, of empty squares; plies to the proven end
_NODES, _EMPTIES = 32, 10  # what a leaf may cost, by default
_FOURS_BITS, _DISCS_BITS = 12, 14  # of the hash tables


class LeafWork(NamedTuple):
    """Memory to work on, for one thread; what it holds between calls only saves time."""

    board: np.ndarray  # int64 [BOARD_WORDS], Gomoku's shapes
    notes: np.ndarray  # int64 [NOTES_WORDS]
    fours: np.ndarray  # uint64 [., 2], the hash table of wins by fours
    moves: np.ndarray  # int16
    line: np.ndarray  # int16, the moves from a root to a leaf
    desk: np.ndarray  # int64 [WORDS], Othello's solver
    discs: np.ndarray  # uint64 [., 2], its hash table
    control: np.ndarray  # int64 [3]
    limits: np.ndarray  # int64 [3], see above


def make_leaf_work(nodes: int = _NODES, empties: int = _EMPTIES) -> LeafWork:
    """Fresh memory; `nodes` limit the search for fours, and Othello is solved with at most `empties` squares left."""
    return LeafWork(
        np.zeros(BOARD_WORDS, np.int64),
        np.zeros(NOTES_WORDS, np.int64),
        np.zeros((1 << _FOURS_BITS, 2), np.uint64),
        np.zeros(MOST_CELLS + 1, np.int16),
        np.zeros(2 * MOST_CELLS, np.int16),
        np.zeros(WORDS, np.int64),
        np.zeros((1 << _DISCS_BITS, 2), np.uint64),
        np.zeros(3, np.int64),
        np.array([nodes, empties, 0], np.int64),
    )


LEAF_WORK = type_of(make_leaf_work())


@lean_kernel(types.int64(types.uint64[::1], LEAF_WORK))
def _by_fours(state: np.ndarray, work: LeafWork) -> int:
    """Whether the side to move wins by fours, as far as the nodes suffice."""
    if work.limits[FOURS] == 0:
        return UNKNOWN
    work.control[STOP], work.control[FOURS_TRIED], work.control[NODE_LIMIT] = 0, 0, work.limits[FOURS]
    length = solve_board((work.board, state, work.notes, work.fours, work.control))
    work.limits[DISTANCE] = length
    return 1 if length > 0 else UNKNOWN


@lean_kernel(types.int64(types.uint64[::1], LEAF_WORK))
def _board_result(state: np.ndarray, work: LeafWork) -> int:
    """The result of an ordinary game of Gomoku that is on the board."""
    score = decided(work.board, state)
    if score == 0:
        return _by_fours(state, work)
    work.limits[DISTANCE] = WIN - abs(score)
    return 1 if score > 0 else -1


@lean_kernel("boolean(uint64[::1], int64)")
def _is_suicide(state: np.ndarray, move: int) -> bool:
    """True where the side to move completes a row."""
    size, side = np.int64(state[SIZE]), np.int64(state[SIDE])
    return completes(state, side, move // size, move % size, np.int64(state[IN_A_ROW]), needs_exactly(state, side))


@lean_kernel("int64(uint64[::1], int16[::1], int64)")
def _without_suicides(state: np.ndarray, moves: np.ndarray, count: int) -> int:
    kept = 0
    for index in range(count):
        if not _is_suicide(state, np.int64(moves[index])):
            moves[kept] = moves[index]
            kept += 1
    return kept


@lean_kernel(types.int64(types.uint64[::1], LEAF_WORK))
def _misere_result(state: np.ndarray, work: LeafWork) -> int:
    """Lost when every legal move completes a row."""
    count = legal_moves(state, work.moves)
    for index in range(count):
        if not _is_suicide(state, np.int64(work.moves[index])):
            return UNKNOWN
    work.limits[DISTANCE] = 1
    return -1


@lean_kernel(types.int64(types.uint64[::1], types.uint64, types.uint64, LEAF_WORK))
def _by_wipeout(state: np.ndarray, own: np.uint64, opp: np.uint64, work: LeafWork) -> int:
    """Whether the side to move takes the opponent's last disc soon, in the ordinary game."""
    if state[OBJECTIVE] or popcount(opp) > MOST_DISCS:
        return UNKNOWN
    plies = wipeout(own, opp, playable_squares(np.int64(state[SIZE])), DEEPEST)
    work.limits[DISTANCE] = plies
    return 1 if plies > 0 else UNKNOWN


@lean_kernel(types.int64(types.uint64[::1], LEAF_WORK))
def _othello_result(state: np.ndarray, work: LeafWork) -> int:
    """The winner by an exact search, when few squares are empty."""
    empties, mover = np.int64(state[EMPTIES]), np.int64(state[SIDE])
    own, opp = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover]
    if empties > work.limits[EMPTY]:
        return _by_wipeout(state, own, opp, work)
    desk = work.desk
    desk[NODES] = desk[HALTED] = desk[CHECK_AT] = desk[REPORTED] = 0
    desk[DESK_OBJECTIVE] = 1 - 2 * np.int64(state[OBJECTIVE])
    desk[PLAYABLE] = np.int64(playable_squares(np.int64(state[SIZE])))
    work.control[:] = 0
    margin = solve(own, opp, -1, 1, (work.discs, desk, work.control))
    work.limits[DISTANCE] = max(empties, 1)
    return min(max(margin, -1), 1)


@lean_kernel(types.int64(types.uint64[::1], LEAF_WORK))
def leaf_result(state: np.ndarray, work: LeafWork) -> int:
    """What is proven of a game that goes on: +1, 0 or -1, with its length in `limits[DISTANCE]`, or UNKNOWN."""
    if state[RESULT] != np.uint64(GOING_ON):
        return UNKNOWN
    if np.int64(state[KIND]) != GOMOKU:
        return _othello_result(state, work)
    if state[OBJECTIVE]:
        return _misere_result(state, work)
    refresh(work.board, state)
    return _board_result(state, work)


@lean_kernel("boolean(uint64[::1])")
def _is_on_board(state: np.ndarray) -> bool:
    """True for positions that the board is kept for."""
    return np.int64(state[KIND]) == GOMOKU and not state[OBJECTIVE]


@lean_kernel(types.void(types.uint64[::1], LEAF_WORK))
def stand_at_root(state: np.ndarray, work: LeafWork) -> None:
    """Begin with the leaves below this root."""
    if _is_on_board(state):
        refresh(work.board, state)


@lean_kernel(types.void(types.int64[::1], types.int16[::1], types.int64))
def _follow_line(board: np.ndarray, line: np.ndarray, depth: int) -> None:
    """Bring the board from one position below its root to another."""
    same = 0
    while same < min(depth, board[NUM_PLACED]) and board[UNDO + UNDO_WORDS * same] == line[same]:
        same += 1
    while board[NUM_PLACED] > same:
        take_back(board)
    for index in range(same, depth):
        place_stone(board, np.int64(line[index]))


@lean_kernel(types.int64(types.uint64[::1], LEAF_WORK, types.int64))
def result_below_root(state: np.ndarray, work: LeafWork, depth: int) -> int:
    """As leaf_result, for the position to which so many moves of the line lead from the root."""
    if state[RESULT] != np.uint64(GOING_ON) or not _is_on_board(state):
        return leaf_result(state, work)
    _follow_line(work.board, work.line, depth)
    return _board_result(state, work)


@lean_kernel(types.int64(types.int64[::1], types.int16[::1], types.int64))
def _parrying(board: np.ndarray, moves: np.ndarray, count: int) -> int:
    """Keep the moves where someone makes a four; every other one loses."""
    kept = 0
    for index in range(count):
        cell = np.int64(moves[index])
        if max(class_of(board, cell), class_of(board, MOST_CELLS + cell)) >= MAKES_FOUR:
            moves[kept] = cell
            kept += 1
    return kept


@lean_kernel(types.int64(types.uint64[::1], LEAF_WORK, types.int16[::1]))
def leaf_moves(state: np.ndarray, work: LeafWork, moves: np.ndarray) -> int:
    """Write the legal moves of the position last asked for without those that surely lose; returns how many.

    If all of them lose, all are written: a node has the result of the best of these moves in any case.
    """
    count = legal_moves(state, moves)
    if np.int64(state[KIND]) != GOMOKU:
        return count
    kept, board = 0, work.board
    if state[OBJECTIVE]:
        kept = _without_suicides(state, moves, count)
    elif forced(board) >= 0:
        moves[0], kept = forced(board), 1
    elif must_parry(board) and not (board[BLACK_EXACT] and board[TURN] == 1):
        kept = _parrying(board, moves, count)
    else:
        return count
    return kept if kept > 0 else legal_moves(state, moves)
