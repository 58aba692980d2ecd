"""The shapes of a whole Gomoku board, kept up while stones are placed and taken back.

The board is one int64 array. Every line has a record (its stones, its cells' codes, its counts), every point the sum
of its codes over four directions and a class for each color. A move reads its four lines anew, mostly from the memo
of lines met before, and settles the points whose codes changed; taking back does the same with the old codes.
"""

import numpy as np

from .bits import first
from .gomoku_lines import EDGE, HALF, shapes_of_line, windows_of_line
from .jit import inlined_kernel, lean_kernel
from .layout import EMPTIES, FREESTYLE, GUARD, IN_A_ROW, NUM_LINES, RENJU, ROWS, RULE, SIDE, SIZE, STONES

MOST_CELLS = 400

# The head of the board.
WIDTH, NEEDED, EXACT, BLACK_EXACT, MISERE, TURN, FREE, KEY, NUM_PLACED = range(9)
COUNTS = 9  # black's and white's counted shapes, or windows in the misère
FIVES = 11  # per color: all points of class MAKES_FIVE, joined by exclusive or
CLASS_COUNTS = 13  # per color and class: how many points
BOTH_FIVES = 29  # how many points are of class MAKES_FIVE for both colors

# A point's class for a color: what a stone there makes over all four directions.
NUM_CLASSES = 8
(
    MAKES_NOTHING,
    MAKES_THREE,
    MAKES_THREES,
    MAKES_FOUR,
    MAKES_FOUR_AND_THREE,
    MAKES_FOURS,
    MAKES_OPEN_FOUR,
    MAKES_FIVE,
) = range(NUM_CLASSES)

# A line's record.
LINES = BOTH_FIVES + 1
LINE_WORDS = 8
STONES_OF_LINE, LOW, MIDDLE, HIGH, BLACK_COUNTS, WHITE_COUNTS, ORIGIN, STEP = range(LINE_WORDS)
LENGTH_SHIFT = 24  # the line's length stands between the two halves of its stones

POINTS = LINES + LINE_WORDS * NUM_LINES  # per color and point: the sum of its codes, CODE_BITS to each code
CODE_BITS = 3
PLACES = POINTS + 2 * MOST_CELLS  # per point and direction: its line's record and its bit there
PLACE_BITS = 5
KEYS = PLACES + 4 * MOST_CELLS  # per color and point
MEMO = KEYS + 2 * MOST_CELLS  # lines met before
MEMO_BITS, MEMO_WORDS = 12, 8
UNDO = MEMO + (MEMO_WORDS << MEMO_BITS)  # per stone placed: its point, what the totals, its lines and points were
UNDO_TOTALS = 2
UNDO_LINES = UNDO_TOTALS + LINES - COUNTS
UNDO_POINTS = UNDO_LINES + 4 * 5
UNDO_WORDS = UNDO_POINTS + 2 * 2 * 4 * 20
BOARD_WORDS = UNDO + UNDO_WORDS * MOST_CELLS


def _class_table() -> np.ndarray:
    sums = np.arange(1 << 5 * CODE_BITS)
    threes, fours, open_fours, fives = (sums >> CODE_BITS * code & 7 for code in range(1, 5))
    table = np.full(len(sums), MAKES_NOTHING)
    for which, name in (
        (threes > 0, MAKES_THREE),
        (threes > 1, MAKES_THREES),
        (fours > 0, MAKES_FOUR),
        ((fours > 0) & (threes > 0), MAKES_FOUR_AND_THREE),
        (fours > 1, MAKES_FOURS),
        (open_fours > 0, MAKES_OPEN_FOUR),
        (fives > 0, MAKES_FIVE),
    ):
        table = np.where(which, name, table)
    return table.astype(np.uint8)


CLASS = _class_table()


@lean_kernel("int64(int64)")
def scramble(number: int) -> int:
    """A number that looks random; equal for equal numbers."""
    mixed = np.uint64(number) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int(np.int64(mixed ^ (mixed >> np.uint64(31))))


@lean_kernel("void(int64[::1], int64, int64)")
def _read(board: np.ndarray, stones: int, entry: int) -> None:
    """Write what a line shows into the memo."""
    length = stones >> LENGTH_SHIFT & 31
    only = stones ^ length << LENGTH_SHIFT
    if board[MISERE]:
        low, middle, high, black, white = windows_of_line(only, length, board[NEEDED], board[EXACT])
    else:
        low, middle, high, black, white = shapes_of_line(only, length, board[NEEDED], board[EXACT])
    board[entry] = stones
    board[entry + LOW], board[entry + MIDDLE], board[entry + HIGH] = low, middle, high
    board[entry + BLACK_COUNTS], board[entry + WHITE_COUNTS] = black, white


@inlined_kernel("int64(int64[::1], int64)")
def _recall(board: np.ndarray, stones: int) -> int:
    """Where the memo has this line; it is read if it was not there."""
    index = int(np.int64((np.uint64(stones) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - MEMO_BITS)))
    entry = MEMO + MEMO_WORDS * index
    if board[entry] != stones:
        _read(board, stones, entry)
    return entry


@inlined_kernel("void(int64[::1], int64, int64, int64)")
def _reclassify(board: np.ndarray, color: int, cell: int, before: int) -> None:
    """Count a point, whose sum of codes was another, in its new class."""
    was, now = CLASS[before], CLASS[board[POINTS + color * MOST_CELLS + cell]]
    counts = CLASS_COUNTS + color * NUM_CLASSES
    board[counts + was] -= 1
    board[counts + now] += 1
    if (was == MAKES_FIVE) != (now == MAKES_FIVE):
        board[FIVES + color] ^= cell
        if CLASS[board[POINTS + (1 - color) * MOST_CELLS + cell]] == MAKES_FIVE:
            board[BOTH_FIVES] += 1 if now == MAKES_FIVE else -1


@inlined_kernel("int64(int64[::1], int64, int64, int64)")
def _settle_points(board: np.ndarray, line: int, entry: int, undo: int) -> int:
    """Let a line's points have the codes of the memo's entry; what they were goes on the undo stack."""
    low, middle, high = board[entry + LOW], board[entry + MIDDLE], board[entry + HIGH]
    old_low, old_middle, old_high = board[line + LOW], board[line + MIDDLE], board[line + HIGH]
    changed = (low ^ old_low) | (middle ^ old_middle) | (high ^ old_high)
    while changed:
        place = first(changed)
        changed &= changed - 1
        color, cell = place // HALF, board[line + ORIGIN] + board[line + STEP] * (place & HALF - 1)
        before = (old_low >> place & 1) | (old_middle >> place & 1) << 1 | (old_high >> place & 1) << 2
        after = (low >> place & 1) | (middle >> place & 1) << 1 | (high >> place & 1) << 2
        index = POINTS + color * MOST_CELLS + cell
        codes = board[index]
        board[undo], board[undo + 1] = index, codes
        undo += 2
        board[index] = codes + (1 << CODE_BITS * after >> CODE_BITS) - (1 << CODE_BITS * before >> CODE_BITS)
        if before | after > 1:  # the least code makes no class
            _reclassify(board, color, cell, codes)
    return undo


@inlined_kernel("int64(int64[::1], int64, int64, int64)")
def _settle(board: np.ndarray, line: int, entry: int, undo: int) -> int:
    """Make a line's record as the memo's entry, its points and the totals with it; returns the undo stack's end."""
    undo = _settle_points(board, line, entry, undo)
    board[COUNTS] += board[entry + BLACK_COUNTS] - board[line + BLACK_COUNTS]
    board[COUNTS + 1] += board[entry + WHITE_COUNTS] - board[line + WHITE_COUNTS]
    for word in range(LOW, ORIGIN):
        board[line + word] = board[entry + word]
    return undo


@lean_kernel("void(int64[::1], int64)")
def place_stone(board: np.ndarray, cell: int) -> None:
    """Play on an empty point that completes no row."""
    turn = board[TURN]
    undo = UNDO + UNDO_WORDS * board[NUM_PLACED]
    board[undo] = cell
    for word in range(COUNTS, LINES):
        board[undo + UNDO_TOTALS + word - COUNTS] = board[word]
    end = undo + UNDO_POINTS
    for direction in range(4):
        place = board[PLACES + 4 * cell + direction]
        line, bit = place >> PLACE_BITS, place & (1 << PLACE_BITS) - 1
        for word in range(LOW, ORIGIN):
            board[undo + UNDO_LINES + 5 * direction + word - LOW] = board[line + word]
        board[line] |= 1 << bit + HALF * turn
        end = _settle(board, line, _recall(board, board[line]), end)
    board[undo + 1] = end
    board[KEY] ^= board[KEYS + turn * MOST_CELLS + cell]
    board[TURN] = 1 - turn
    board[FREE] -= 1
    board[NUM_PLACED] += 1


@lean_kernel("int64(int64[::1])")
def take_back(board: np.ndarray) -> int:
    """Undo the last placed stone and return its point."""
    turn = 1 - board[TURN]
    board[TURN] = turn
    board[FREE] += 1
    board[NUM_PLACED] -= 1
    undo = UNDO + UNDO_WORDS * board[NUM_PLACED]
    cell = board[undo]
    board[KEY] ^= board[KEYS + turn * MOST_CELLS + cell]
    for word in range(COUNTS, LINES):
        board[word] = board[undo + UNDO_TOTALS + word - COUNTS]
    for direction in range(4):
        place = board[PLACES + 4 * cell + direction]
        line, bit = place >> PLACE_BITS, place & (1 << PLACE_BITS) - 1
        board[line] ^= 1 << bit + HALF * turn
        for word in range(LOW, ORIGIN):
            board[line + word] = board[undo + UNDO_LINES + 5 * direction + word - LOW]
    end = board[undo + 1]
    while end > undo + UNDO_POINTS:
        end -= 2
        board[board[end]] = board[end + 1]
    return cell


@lean_kernel("void(int64[::1], int64, int64, int64, int64, int64)")
def _lay_line(board: np.ndarray, index: int, direction: int, cell: int, step: int, length: int) -> None:
    """Write an empty line's record and where its points are found on it."""
    line = LINES + LINE_WORDS * index
    board[line] = length << LENGTH_SHIFT
    board[line + ORIGIN] = cell - step * EDGE
    board[line + STEP] = step
    for place in range(length):
        board[PLACES + 4 * (cell + step * place) + direction] = line << PLACE_BITS | place + EDGE


@lean_kernel("void(int64[::1])")
def _lay_lines(board: np.ndarray) -> None:
    size = board[WIDTH]
    for number in range(size):
        _lay_line(board, number, 0, number * size, 1, size)
        _lay_line(board, size + number, 1, number, size, size)
    index = 2 * size
    for start in range(1 - size, size):
        length = size - abs(start)
        down = -start * size if start < 0 else start
        up = (size - 1 + start) * size if start < 0 else (size - 1) * size + start
        _lay_line(board, index, 2, down, size + 1, length)
        _lay_line(board, index + 1, 3, up, 1 - size, length)
        index += 2


@lean_kernel("void(int64[::1], uint64[::1])")
def _lay_stones(board: np.ndarray, state: np.ndarray) -> None:
    size = board[WIDTH]
    for color in range(2):
        for row in range(size):
            stones = np.int64(state[STONES + color * NUM_LINES + ROWS + row]) >> GUARD
            for column in range(size):
                cell = row * size + column
                if stones >> column & 1 == 0:
                    continue
                board[KEY] ^= board[KEYS + color * MOST_CELLS + cell]
                for direction in range(4):
                    place = board[PLACES + 4 * cell + direction]
                    board[place >> PLACE_BITS] |= 1 << (place & (1 << PLACE_BITS) - 1) + HALF * color


@lean_kernel("void(int64[::1], uint64[::1], int64)")
def set_up(board: np.ndarray, state: np.ndarray, objective: int) -> None:
    """Read the stones, the side to move and the rules of a state onto a board, which forgets what it was."""
    board[:UNDO] = 0
    rule = np.int64(state[RULE])
    board[WIDTH], board[NEEDED] = np.int64(state[SIZE]), np.int64(state[IN_A_ROW])
    board[TURN], board[FREE] = np.int64(state[SIDE]), np.int64(state[EMPTIES])
    board[MISERE] = 1 if objective < 0 else 0
    if rule != FREESTYLE:
        board[EXACT] = (1 << HALF) - 1 if rule == RENJU else (1 << 2 * HALF - 2) - 1
    board[BLACK_EXACT] = 1 if rule == RENJU else 0
    for index in range(2 * MOST_CELLS):
        board[KEYS + index] = scramble(index)
    board[KEY] = scramble(((rule * 32 + board[NEEDED]) * 32 + board[WIDTH]) * 2 + board[MISERE] + 1000)
    for color in range(2):
        board[CLASS_COUNTS + color * NUM_CLASSES] = MOST_CELLS
    _lay_lines(board)
    _lay_stones(board, state)
    for index in range(6 * board[WIDTH] - 2):
        line = LINES + LINE_WORDS * index
        if board[line] >> LENGTH_SHIFT & 31 >= board[NEEDED]:
            _settle(board, line, _recall(board, board[line]), UNDO)


@lean_kernel("void(int64[::1], int64, int64)")
def lay_line(board: np.ndarray, line: int, stones: int) -> None:
    """Let a line have other stones, its points and the totals with it; the key is the caller's."""
    board[line] = stones
    _settle(board, line, _recall(board, stones), UNDO)
