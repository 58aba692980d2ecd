"""Victory by continuous fours: every move of the attacker makes a four, so that the defender has one reply or none.

The search is depth-first on the board of shapes. The fours that a position offers are those of the position before as
far as they are left, and those on the lines of the attacker's last stone, for only there can new ones be. A reply is
never a choice: what was found to offer no win is kept in the hash table, and the first win found ends the search.
"""

import numpy as np

from .bits import first
from .gomoku_lines import EDGE, HALF, LOW_HALF
from .gomoku_moves import class_of
from .gomoku_play import NODE_LIMIT, NODES, STOP, WORK, Work, play, undo
from .gomoku_shapes import (
    BLACK_EXACT,
    BOARD_WORDS,
    CLASS_COUNTS,
    FIVES,
    HIGH,
    KEY,
    LINE_WORDS,
    LINES,
    LOW,
    MAKES_FIVE,
    MAKES_FOUR,
    MIDDLE,
    MOST_CELLS,
    NUM_CLASSES,
    ORIGIN,
    PLACE_BITS,
    PLACES,
    STEP,
    TURN,
    WIDTH,
    scramble,
    set_up,
)
from .jit import kernel, lean_kernel
from .layout import GOING_ON, RESULT
from .renju import forbidden

NONE, UNKNOWN = 0, -1  # what is said instead of a length
_GO_ON = -2  # the four has one reply, which is played

# The notes: the line that is looked at, then the lists of fours, one after another: order << CELL_BITS | point.
LISTS = MOST_CELLS + 2
NOTES_WORDS = LISTS + MOST_CELLS * (MOST_CELLS // 2 + 2)
CELL_BITS = 10
_NEW, _FAVORITE = 1, 1 << 8  # added to the order: on a line of the last stone, or what won before
_CLASS_SHIFT = 2
# The hash table has the key and one of these; a win has its first point above.
_NO_WIN, _WIN, _KIND_BITS = 1, 2, 2


@lean_kernel(f"void({WORK}, int64)")
def _play(work: Work, cell: int) -> None:
    board, state, _, _, control = work
    control[NODES] += 1
    play(board, state, cell)


@lean_kernel("boolean(int64[::1], uint64[::1], int64)")
def _is_forbidden(board: np.ndarray, state: np.ndarray, cell: int) -> bool:
    """True when the side to move may not play on this empty point."""
    return board[BLACK_EXACT] != 0 and board[TURN] == 0 and forbidden(state, cell)


@lean_kernel("int64(int64[::1], int64)")
def _num_fives(board: np.ndarray, color: int) -> int:
    return board[CLASS_COUNTS + color * NUM_CLASSES + MAKES_FIVE]


@lean_kernel("int64(int64[::1], int64, int64)")
def _find_five(board: np.ndarray, color: int, other_than: int) -> int:
    """The first point where a color completes a row, this one left out; -1 when there is none."""
    for cell in range(board[WIDTH] * board[WIDTH]):
        if cell != other_than and class_of(board, color * MOST_CELLS + cell) == MAKES_FIVE:
            return cell
    return -1


@lean_kernel("boolean(int64[::1], int64)")
def _is_empty(board: np.ndarray, cell: int) -> bool:
    row = board[LINES + LINE_WORDS * (cell // board[WIDTH])] >> EDGE + cell % board[WIDTH]
    return (row | row >> HALF) & 1 == 0


@lean_kernel("int64(int64[::1], uint64[::1])")
def _futile_reply(board: np.ndarray, state: np.ndarray) -> int:
    """A legal point for the side to move, one where it blocks a five if there is one; -1 when there is no point."""
    attacker, found = (1 - board[TURN]) * MOST_CELLS, -1
    for cell in range(board[WIDTH] * board[WIDTH]):
        blocks = class_of(board, attacker + cell) == MAKES_FIVE
        if (found < 0 or blocks) and _is_empty(board, cell) and not _is_forbidden(board, state, cell):
            if blocks:
                return cell
            found = cell
    return found


@lean_kernel(f"int64({WORK}, int64)")
def _conclude(work: Work, ply: int) -> int:
    """Note the reply that does not help and the five after it; without any legal point black in renju has a draw."""
    board, state, notes = work[0], work[1], work[2]
    reply = _futile_reply(board, state)
    if reply < 0:
        return NONE
    notes[ply + 1], notes[ply + 2] = reply, _find_five(board, 1 - board[TURN], reply)
    notes[ply + 3] = -1
    return 3


@lean_kernel(f"int64({WORK}, int64, int64)")
def _threaten(work: Work, cell: int, ply: int) -> int:
    """Make a four and have it answered, or say what comes of it; then nothing is played."""
    board, state, notes = work[0], work[1], work[2]
    if _is_forbidden(board, state, cell):
        return NONE
    attacker = board[TURN]
    notes[ply] = cell
    _play(work, cell)
    reply = board[FIVES + attacker]
    if _num_fives(board, attacker) == 1 and not _is_forbidden(board, state, reply):
        notes[ply + 1] = reply
        _play(work, reply)
        return _GO_ON
    length = _conclude(work, ply)
    undo(work[0], work[1])
    return length


@lean_kernel("int64(int64[::1], int64[::1], int64, int64, int64)")
def _list_new(board: np.ndarray, notes: np.ndarray, cell: int, color: int, end: int) -> int:
    """List the points that make a four on a line of this stone, and return the end of the list."""
    for direction in range(4):
        line = board[PLACES + 4 * cell + direction] >> PLACE_BITS
        low, middle, high = board[line + LOW], board[line + MIDDLE], board[line + HIGH]
        fours = (low & middle | high & ~low) >> HALF * color & LOW_HALF
        while fours:
            point = board[line + ORIGIN] + board[line + STEP] * first(fours)
            fours &= fours - 1
            order = class_of(board, color * MOST_CELLS + point) << _CLASS_SHIFT | _NEW
            notes[end] = order << CELL_BITS | point
            end += 1
    return end


@lean_kernel("int64(int64[::1], int64[::1], int64, int64, int64)")
def _list_fours(board: np.ndarray, notes: np.ndarray, cell: int, begin: int, end: int) -> int:
    """List the fours of the side to move, whose last stone and whose fours before it are given, behind those."""
    color = board[TURN]
    old = new = _list_new(board, notes, cell, color, end)
    for place in range(begin, end):
        point = notes[place] & (1 << CELL_BITS) - 1
        makes = class_of(board, color * MOST_CELLS + point)
        if makes < MAKES_FOUR:
            continue
        listed = False
        for other in range(end, old):
            listed |= notes[other] & (1 << CELL_BITS) - 1 == point
        if not listed:
            notes[new] = makes << _CLASS_SHIFT + CELL_BITS | point
            new += 1
    return new


@lean_kernel("int64(int64[::1], int64[::1])")
def _list_all(board: np.ndarray, notes: np.ndarray) -> int:
    """List the fours of the side to move on the whole board."""
    end = LISTS
    for cell in range(board[WIDTH] * board[WIDTH]):
        makes = class_of(board, board[TURN] * MOST_CELLS + cell)
        if makes >= MAKES_FOUR:
            notes[end] = makes << _CLASS_SHIFT + CELL_BITS | cell
            end += 1
    return end


@lean_kernel("int64(int64[::1], int64, int64)")
def _pick(notes: np.ndarray, begin: int, end: int) -> int:
    """The most promising point of a list, which comes to stand at its beginning."""
    best = begin
    for place in range(begin + 1, end):
        if notes[place] > notes[best]:
            best = place
    notes[begin], notes[best] = notes[best], notes[begin]
    return notes[begin] & (1 << CELL_BITS) - 1


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
            notes[place] += _FAVORITE << CELL_BITS
    return entry == _NO_WIN


@lean_kernel("void(int64[::1], uint64[:,::1], int64)")
def _store(board: np.ndarray, table: np.ndarray, entry: int) -> None:
    slot = board[KEY] & len(table) - 1
    table[slot, 0], table[slot, 1] = np.uint64(board[KEY]), np.uint64(entry)


@lean_kernel(f"int64({WORK}, int64, int64, int64)")
def _attack(work: Work, begin: int, end: int, ply: int) -> int:
    """The length of a win by the listed fours of the side to move, which cannot complete a row."""
    board, _, notes, table, control = work
    threats = _num_fives(board, 1 - board[TURN])
    if begin == end or threats > 1:
        return NONE
    if control[STOP] or 0 < control[NODE_LIMIT] <= control[NODES]:
        return UNKNOWN
    if _is_refuted(work, begin, end):
        return NONE
    for index in range(begin, end):
        cell = _pick(notes, index, end)
        if threats and cell != board[FIVES + 1 - board[TURN]]:
            continue
        length = _threaten(work, cell, ply)
        if length == _GO_ON:
            last = _list_fours(board, notes, cell, begin, end)
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


@lean_kernel(f"int64({WORK}, int16[::1])")
def solve_board(work: Work, line: np.ndarray) -> int:
    """Solve the position of a board that is set up, whose state belongs to it; both are put back as they were."""
    board, _, notes, _, control = work
    control[NODES] += 1
    notes[0], notes[1], length = _find_five(board, board[TURN], -1), -1, 1
    if notes[0] < 0:
        salt = scramble(2000 + board[TURN])
        board[KEY] ^= salt
        length = _attack(work, LISTS, _list_all(board, notes), 0)
        board[KEY] ^= salt
    for place in range(len(line)):
        line[place] = notes[place] if place < length else -1
    return length


@kernel("int64(uint64[::1], uint64[:,::1], int16[::1], int64[::1])")
def solve(state: np.ndarray, table: np.ndarray, line: np.ndarray, control: np.ndarray) -> int:
    """The plies of a win of the side to move by fours, told in the line; 0 when there is none, -1 when stopped.

    The table is zeros at first and may be kept from one position and color to the next; its length is a power of two.
    """
    if state[RESULT] != np.uint64(GOING_ON):
        line[:] = -1
        return NONE
    board, notes = np.empty(BOARD_WORDS, np.int64), np.empty(NOTES_WORDS, np.int64)
    set_up(board, state, 1)
    return solve_board((board, state.copy(), notes, table, control), line)
