"""Victory by continuous fours: every move of the attacker makes a four, so that the defender has one reply or none.

The search is depth-first on the board of shapes. The fours that a position offers are those of the position before as
far as they are left, and those on the lines of the attacker's last stone, for only there can new ones be. A reply is
never a choice: what was found to offer no win is kept in the hash table, and the first win found ends the search.
"""

import numpy as np

from .gomoku_fours import CELL_BITS, FAVORITE, LISTS, NOTES_WORDS, list_all_fours, list_fours, pick_four
from .gomoku_lines import EDGE, HALF
from .gomoku_moves import class_of
from .gomoku_play import NODE_LIMIT, NODES, STOP, WORK, Work, play, undo
from .gomoku_refresh import refresh
from .gomoku_shapes import (
    BLACK_EXACT,
    BOARD_WORDS,
    CLASS_COUNTS,
    FIVES,
    KEY,
    LINE_WORDS,
    LINES,
    MAKES_FIVE,
    MAKES_FOUR,
    MOST_CELLS,
    NUM_CLASSES,
    TURN,
    WIDTH,
    scramble,
    set_up,
)
from .jit import kernel, lean_kernel
from .layout import GOING_ON, RESULT, SIDE, STATE, STATE_WORDS
from .renju import forbidden

NONE, UNKNOWN = 0, -1  # what is said instead of a length
_GO_ON = -2  # the four has one reply, which is played

# The hash table has the key and one of these; a win has its first point above.
_NO_WIN, _WIN, _KIND_BITS = 1, 2, 2


def make_vcf_work(bits: int = 14) -> Work:
    """What leaf_vcf works on; its hash table has two to the power of these bits entries."""
    board, notes = np.zeros(BOARD_WORDS, np.int64), np.zeros(NOTES_WORDS, np.int64)
    return board, np.zeros(STATE_WORDS, STATE), notes, np.zeros((1 << bits, 2), np.uint64), np.zeros(3, np.int64)


@lean_kernel(f"void({WORK}, int64)")
def _play(work: Work, cell: int) -> None:
    board, state, _, _, control = work
    control[NODES] += 1
    play(board, state, cell)


@lean_kernel("boolean(int64[::1], uint64[::1], int64)")
def is_forbidden(board: np.ndarray, state: np.ndarray, cell: int) -> bool:
    """True when the side to move may not play on this empty point."""
    return board[BLACK_EXACT] != 0 and board[TURN] == 0 and forbidden(state, cell)


@lean_kernel("int64(int64[::1], int64)")
def num_fives(board: np.ndarray, color: int) -> int:
    """The points where a color completes a row."""
    return board[CLASS_COUNTS + color * NUM_CLASSES + MAKES_FIVE]


@lean_kernel("boolean(int64[::1])")
def _has_fours(board: np.ndarray) -> bool:
    """True when the side to move can make a four."""
    fours = 0
    for makes in range(MAKES_FOUR, MAKES_FIVE):
        fours += board[CLASS_COUNTS + board[TURN] * NUM_CLASSES + makes]
    return fours > 0


@lean_kernel("int64(int64[::1], int64, int64)")
def find_five(board: np.ndarray, color: int, other_than: int) -> int:
    """The first point where a color completes a row, this one left out; -1 when there is none."""
    for cell in range(board[WIDTH] * board[WIDTH]):
        if cell != other_than and class_of(board, color * MOST_CELLS + cell) == MAKES_FIVE:
            return cell
    return -1


@lean_kernel("boolean(int64[::1], int64)")
def is_empty(board: np.ndarray, cell: int) -> bool:
    """True for a point without a stone."""
    row = board[LINES + LINE_WORDS * (cell // board[WIDTH])] >> EDGE + cell % board[WIDTH]
    return (row | row >> HALF) & 1 == 0


@lean_kernel("int64(int64[::1], uint64[::1])")
def futile_reply(board: np.ndarray, state: np.ndarray) -> int:
    """A legal point for the side to move, one where it blocks a five if there is one; -1 when there is no point."""
    attacker, found = (1 - board[TURN]) * MOST_CELLS, -1
    for cell in range(board[WIDTH] * board[WIDTH]):
        blocks = class_of(board, attacker + cell) == MAKES_FIVE
        if (found < 0 or blocks) and is_empty(board, cell) and not is_forbidden(board, state, cell):
            if blocks:
                return cell
            found = cell
    return found


@lean_kernel(f"int64({WORK}, int64)")
def _conclude(work: Work, ply: int) -> int:
    """Note the reply that does not help and the five after it; without any legal point black in renju has a draw."""
    board, state, notes = work[0], work[1], work[2]
    reply = futile_reply(board, state)
    if reply < 0:
        return NONE
    notes[ply + 1], notes[ply + 2] = reply, find_five(board, 1 - board[TURN], reply)
    notes[ply + 3] = -1
    return 3


@lean_kernel(f"int64({WORK}, int64, int64)")
def _threaten(work: Work, cell: int, ply: int) -> int:
    """Make a four and have it answered, or say what comes of it; then nothing is played."""
    board, state, notes = work[0], work[1], work[2]
    if is_forbidden(board, state, cell):
        return NONE
    attacker = board[TURN]
    notes[ply] = cell
    _play(work, cell)
    reply = board[FIVES + attacker]
    if num_fives(board, attacker) == 1 and not is_forbidden(board, state, reply):
        notes[ply + 1] = reply
        _play(work, reply)
        return _GO_ON
    length = _conclude(work, ply)
    undo(work[0], work[1])
    return length


@lean_kernel(f"boolean({WORK}, int64, int64)")
def _is_refuted(work: Work, begin: int, end: int) -> bool:
    """True when the hash table knows of no win; the point that won before is put first."""
    board, _, notes, table, _ = work
    slot = board[KEY] & len(table) - 1
    if table[slot, 0] != np.uint64(board[KEY]):
        return False
    entry = np.int64(table[slot, 1])
    for place in range(begin, end):
        if entry & _WIN and notes[place] & (1 << CELL_BITS) - 1 == entry >> _KIND_BITS:
            notes[place] += FAVORITE << CELL_BITS
    return entry == _NO_WIN


@lean_kernel("void(int64[::1], uint64[:,::1], int64)")
def _store(board: np.ndarray, table: np.ndarray, entry: int) -> None:
    slot = board[KEY] & len(table) - 1
    table[slot, 0], table[slot, 1] = np.uint64(board[KEY]), np.uint64(entry)


@lean_kernel(f"int64({WORK}, int64, int64, int64)")
def _attack(work: Work, begin: int, end: int, ply: int) -> int:
    """The length of a win by the listed fours of the side to move, which cannot complete a row."""
    board, _, notes, table, control = work
    threats = num_fives(board, 1 - board[TURN])
    if begin == end or threats > 1:
        return NONE
    if control[STOP] or 0 < control[NODE_LIMIT] <= control[NODES]:
        return UNKNOWN
    if _is_refuted(work, begin, end):
        return NONE
    for index in range(begin, end):
        cell = pick_four(notes, index, end)
        if threats and cell != board[FIVES + 1 - board[TURN]]:
            continue
        length = _threaten(work, cell, ply)
        if length == _GO_ON:
            last = list_fours(board, notes, cell, begin, end)
            length = _attack(work, end, last, ply + 2)
            undo(work[0], work[1])
            undo(work[0], work[1])
            length += 2 if length > 0 else 0
        if length != NONE:
            if length > 0:
                _store(board, table, cell << _KIND_BITS | _WIN)
            return length
    _store(board, table, _NO_WIN)
    return NONE


@lean_kernel(f"int64({WORK})")
def solve_board(work: Work) -> int:
    """As solve, on a board that is set up, whose state belongs to it; the line is at the beginning of the notes."""
    board, _, notes, _, control = work
    control[NODES] += 1
    notes[0], notes[1] = -1, -1
    if num_fives(board, board[TURN]):
        notes[0] = find_five(board, board[TURN], -1)
        return 1
    if not _has_fours(board):
        return NONE
    salt = scramble(2000 + board[TURN])
    board[KEY] ^= salt
    length = _attack(work, LISTS, list_all_fours(board, notes), 0)
    board[KEY] ^= salt
    return length


@lean_kernel(f"int64(uint64[::1], int64, {WORK}, int64)")
def leaf_vcf_of(state: np.ndarray, side: int, work: Work, max_nodes: int) -> int:
    """As leaf_vcf for either side: for the one not to move it is what he threatens, as if the other passed."""
    board, copy, _, _, control = work
    control[STOP], control[NODES], control[NODE_LIMIT] = 0, 0, max_nodes
    if state[RESULT] != np.uint64(GOING_ON):
        return NONE
    refresh(board, state)
    board[TURN] = side
    if not (num_fives(board, side) or _has_fours(board)):
        return NONE
    for word in range(len(copy)):
        copy[word] = state[word]
    return solve_board(work)


@lean_kernel(f"int64(uint64[::1], {WORK}, int64)")
def leaf_vcf(state: np.ndarray, work: Work, max_nodes: int) -> int:
    """The plies of a win of the side to move by fours; 0 when there is none, -1 when the nodes were too few.

    The work is made once and kept from call to call, each thread its own: a position much like the one before is cheap.
    After a win its notes begin with the line.
    """
    return leaf_vcf_of(state, np.int64(state[SIDE]), work, max_nodes)


@kernel("int64(uint64[::1], uint64[:,::1], int16[::1], int64[::1])")
def solve(state: np.ndarray, table: np.ndarray, line: np.ndarray, control: np.ndarray) -> int:
    """The plies of a win of the side to move by fours, told in the line; 0 when there is none, -1 when stopped.

    The table is zeros at first and may be kept from one position and color to the next; its length is a power of two.
    """
    line[:] = -1
    if state[RESULT] != np.uint64(GOING_ON):
        return NONE
    board, notes = np.empty(BOARD_WORDS, np.int64), np.empty(NOTES_WORDS, np.int64)
    set_up(board, state, 1)
    length = solve_board((board, state.copy(), notes, table, control))
    for place in range(min(len(line), length)):
        line[place] = notes[place]
    return length
