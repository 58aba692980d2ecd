"""Which points a Gomoku search looks at, the most promising first.

A search keeps its notes in one int64 array: the history of points that cut off, two killers a ply, a list of moves a
ply and the principal variation a ply.
"""

import numpy as np

from .bits import first
from .gomoku_lines import EDGE, HALF
from .gomoku_shapes import (
    BLACK_EXACT,
    CLASS,
    CODE_BITS,
    EXACT,
    FREE,
    LINE_WORDS,
    LINES,
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_FOUR_AND_THREE,
    MAKES_THREE,
    MISERE,
    MOST_CELLS,
    POINTS,
    TURN,
    WIDTH,
)
from .gomoku_value import forced, must_parry
from .jit import lean_kernel

# The head of the notes.
PRUNE, SELECTIVE, FAVORITE = range(3)  # cutoffs? reductions? the point the hash table likes
HISTORY = 8  # per color and point
KILLERS = HISTORY + 2 * MOST_CELLS
# Per ply: whether all that matters is listed, the length of the list, then order << CELL_BITS | point.
LISTS = KILLERS + 2 * (MOST_CELLS + 1)
LIST_HEAD = 2
LIST_WORDS = LIST_HEAD + MOST_CELLS
VARIATIONS = LISTS + LIST_WORDS * (MOST_CELLS + 1)  # per ply, ended by -1
VARIATION_WORDS = 32
NOTES_WORDS = VARIATIONS + VARIATION_WORDS * (MOST_CELLS + 2)
CELL_BITS = 10

ALL, NEAR, FOURS, OWN_FOURS = range(4)  # which points are listed
MOST_MOVES = 24  # looked at in a position where no rule narrows the choice
FEW_EMPTY = 30  # with no more empty points than this, all are looked at

# The order: by class for the side to move and for the opponent.
ATTACK = np.array([0, 220, 900, 200, 1500, 3000, 4000, 9000])
DEFENSE = np.array([0, 120, 500, 130, 700, 1200, 1500, 8000])
TABLE_FIRST, KILLER = 1 << 30, 150
MOST_HISTORY = 1024
# The misère: what each of the point's codes costs the side to move, by its own windows and by spoiling the opponent's.
OWN_COST = np.array([6, 8, 24, 120, 1000])
SPOILING_COST = np.array([1, 6, 12, 36, 100])


@lean_kernel("int64(int64[::1], int64)")
def _occupied(board: np.ndarray, row: int) -> int:
    """The columns with a stone; none off the board."""
    if row < 0 or row >= board[WIDTH]:
        return 0
    stones = board[LINES + LINE_WORDS * row] >> EDGE
    return (stones | stones >> HALF) & (1 << board[WIDTH]) - 1


@lean_kernel("int64(int64[::1], int64)")
def _empty_near(board: np.ndarray, row: int) -> int:
    """The empty columns of a row within two cells of a stone."""
    near = 0
    for other in range(row - 2, row + 3):
        near |= _occupied(board, other)
    near |= near << 1 | near << 2 | near >> 1 | near >> 2
    return near & ~_occupied(board, row) & (1 << board[WIDTH]) - 1


@lean_kernel("int64(int64[::1], int64)")
def class_of(board: np.ndarray, color_and_cell: int) -> int:
    """What a stone makes there."""
    return int(np.int64(CLASS[board[POINTS + color_and_cell]]))


@lean_kernel("int64(int64[::1], int64[::1], int64, int64)")
def _order(board: np.ndarray, notes: np.ndarray, cell: int, ply: int) -> int:
    own, other = board[TURN] * MOST_CELLS + cell, (1 - board[TURN]) * MOST_CELLS + cell
    order = ATTACK[class_of(board, own)] + DEFENSE[class_of(board, other)] + (notes[HISTORY + own] >> 3)
    order += 8 * (board[POINTS + own] & 7) + 5 * (board[POINTS + other] & 7)
    if notes[KILLERS + 2 * ply] == cell + 1 or notes[KILLERS + 2 * ply + 1] == cell + 1:
        order += KILLER
    return order + (TABLE_FIRST if notes[FAVORITE] == cell else 0)


@lean_kernel("int64(int64[::1], int64[::1], int64, int64)")
def _misere_order(board: np.ndarray, notes: np.ndarray, cell: int, ply: int) -> int:
    own, other = board[TURN] * MOST_CELLS + cell, (1 - board[TURN]) * MOST_CELLS + cell
    order = 8192 + (notes[HISTORY + own] >> 5)
    for code in range(5):
        order -= OWN_COST[code] * (board[POINTS + own] >> CODE_BITS * code & 7)
        order -= SPOILING_COST[code] * (board[POINTS + other] >> CODE_BITS * code & 7)
    if notes[KILLERS + 2 * ply] == cell + 1 or notes[KILLERS + 2 * ply + 1] == cell + 1:
        order += 20
    return order + (TABLE_FIRST if notes[FAVORITE] == cell else 0)


@lean_kernel("boolean(int64[::1], int64)")
def _is_dead(board: np.ndarray, cell: int) -> bool:
    """True where no row can ever pass; under exact rules such a point can still spoil its neighbors' rows."""
    return board[POINTS + cell] | board[POINTS + MOST_CELLS + cell] | board[EXACT] == 0


@lean_kernel("int64(int64[::1], int64[::1], int64)")
def _list_misere(board: np.ndarray, notes: np.ndarray, ply: int) -> int:
    """List the points where the side to move completes no row; of the dead ones, which are all alike, only one."""
    base, count, dead = LISTS + LIST_WORDS * ply + LIST_HEAD, 0, 0
    for row in range(board[WIDTH]):
        columns = ~_occupied(board, row) & (1 << board[WIDTH]) - 1
        while columns:
            cell = row * board[WIDTH] + first(columns)
            columns &= columns - 1
            if class_of(board, board[TURN] * MOST_CELLS + cell) == MAKES_FIVE:
                continue
            if _is_dead(board, cell):
                dead += 1
                if dead > 1:
                    continue
            notes[base + count] = _misere_order(board, notes, cell, ply) << CELL_BITS | cell
            count += 1
    return count


@lean_kernel("boolean(int64[::1])")
def _may_be_forbidden(board: np.ndarray) -> bool:
    """True when the opponent's fours may be forbidden to him."""
    return board[BLACK_EXACT] != 0 and board[TURN] == 1


@lean_kernel("int64(int64[::1], int64[::1], int64, int64)")
def _list_points(board: np.ndarray, notes: np.ndarray, ply: int, which: int) -> int:
    """List empty points: all, those near stones, those where someone makes a four or where the side to move does."""
    base, count = LISTS + LIST_WORDS * ply + LIST_HEAD, 0
    own, other = board[TURN] * MOST_CELLS, (1 - board[TURN]) * MOST_CELLS
    for row in range(board[WIDTH]):
        columns = ~_occupied(board, row) & (1 << board[WIDTH]) - 1 if which == ALL else _empty_near(board, row)
        while columns:
            cell = row * board[WIDTH] + first(columns)
            columns &= columns - 1
            makes = class_of(board, own + cell)
            if which == FOURS:
                makes = max(makes, class_of(board, other + cell))
            if which >= FOURS and makes < (MAKES_FOUR if which == FOURS else MAKES_FOUR_AND_THREE):
                continue
            notes[base + count] = _order(board, notes, cell, ply) << CELL_BITS | cell
            count += 1
    return count


@lean_kernel("int64(int64[::1], int64)")
def _which(board: np.ndarray, depth: int) -> int:
    """Which points are to be looked at."""
    if depth <= 0:
        return OWN_FOURS
    everywhere = board[FREE] <= FEW_EMPTY or depth >= board[FREE]
    if must_parry(board) and not (everywhere and _may_be_forbidden(board)):
        return FOURS
    return ALL if everywhere else NEAR


@lean_kernel("int64(int64[::1], int64[::1], int64, int64)")
def list_moves(board: np.ndarray, notes: np.ndarray, depth: int, ply: int) -> int:
    """List the points to look at, none of which completes a row, and return how many of the best to take.

    The list says in its first word whether a loss on all of them is a loss: nothing that matters was left out.
    """
    base, which, only = LISTS + LIST_WORDS * ply, _which(board, depth), forced(board)
    notes[base], notes[base + 1] = 1, 1
    if only >= 0:
        notes[base + LIST_HEAD] = only
        return 1
    count = _list_misere(board, notes, ply) if board[MISERE] else _list_points(board, notes, ply, which)
    notes[base] = which == ALL or (which == FOURS and not _may_be_forbidden(board))
    notes[base + 1] = count
    return min(count, MOST_MOVES) if which == NEAR else count


@lean_kernel("int64(int64[::1], int64, int64)")
def point_at(notes: np.ndarray, ply: int, index: int) -> int:
    """The listed point at this index."""
    return notes[LISTS + LIST_WORDS * ply + LIST_HEAD + index] & (1 << CELL_BITS) - 1


@lean_kernel("int64(int64[::1], int64, int64)")
def pick(notes: np.ndarray, ply: int, index: int) -> int:
    """The best of the listed points from this index on, which comes to stand at the index."""
    base = LISTS + LIST_WORDS * ply
    begin, end = base + LIST_HEAD + index, base + LIST_HEAD + notes[base + 1]
    best = begin
    for place in range(begin + 1, end):
        if notes[place] > notes[best]:
            best = place
    notes[begin], notes[best] = notes[best], notes[begin]
    return point_at(notes, ply, index)


@lean_kernel("boolean(int64[::1], int64)")
def is_quiet(board: np.ndarray, cell: int) -> bool:
    """True for a point where nobody makes a three or more."""
    return max(class_of(board, cell), class_of(board, MOST_CELLS + cell)) < MAKES_THREE


@lean_kernel("void(int64[::1], int64[::1], int64, int64, int64)")
def remember_cutoff(board: np.ndarray, notes: np.ndarray, cell: int, depth: int, ply: int) -> None:
    """Let the point come earlier next time."""
    if notes[KILLERS + 2 * ply] != cell + 1:
        notes[KILLERS + 2 * ply + 1] = notes[KILLERS + 2 * ply]
        notes[KILLERS + 2 * ply] = cell + 1
    index, bonus = HISTORY + board[TURN] * MOST_CELLS + cell, min(depth * depth, 64)
    notes[index] += bonus - notes[index] * bonus // MOST_HISTORY
