"""What stands on one line of a Gomoku board, read off for both colors at once.

A line is a word: black's stones at bit EDGE + place, white's HALF bits higher. A window is a run of cells without an
enemy stone; windows are named by their lowest cell and sorted by how many stones they miss. Where a side needs
exactly k in a row (`exact` covers its half), a window beside one more own stone is worth nothing.
"""

from .bits import popcount
from .jit import lean_kernel

EDGE = 1
HALF = 32
LOW_HALF = (1 << HALF) - 1

# A point's code is the best that a stone there makes on the line, in the game and in its misère.
NOTHING, WEAK, THREE, FOUR, OPEN_FOUR, FIVE = range(6)
DEAD, LIVE, MISSING_FOUR, MISSING_THREE, MISSING_TWO, COMPLETING = range(6)

# The counted shapes, fields of a word of counts; a shape's name tells its stones at k = 5, other k shift them.
SHAPE_BITS = 9
SHAPES = ("five", "open four", "four", "open three", "sleeping three", "open two", "sleeping two")
# The counted windows of the misère: those that miss one, two, three and four stones.
WINDOW_BITS = 12


@lean_kernel("int64(int64)")
def whole_line(length: int) -> int:
    """All cells of a line of this length, in both halves."""
    cells = ((1 << length) - 1) << EDGE
    return cells | cells << HALF


@lean_kernel("int64(int64, int64)")
def spread(windows: int, length: int) -> int:
    """The cells of these windows."""
    cells = windows
    for place in range(1, length):
        cells |= windows << place
    return cells


@lean_kernel("UniTuple(int64, 10)(int64, int64, int64, int64)")
def _windows(stones: int, empty: int, k: int, exact: int) -> tuple[int, ...]:
    """Windows of k cells missing 0..4, then windows of k - 1 cells between empty ends missing 0..3, then live ones."""
    none, one, two, three, four, live = stones, empty, 0, 0, 0, stones | empty
    for place in range(1, k - 1):
        own, free = stones >> place, empty >> place
        four, three, two = four & own | three & free, three & own | two & free, two & own | one & free
        none, one, live = none & own, one & own | none & free, live & (own | free)
    own, free = stones >> (k - 1), empty >> (k - 1)
    alone = ~(exact & (stones << 1 | stones >> k))
    ends = empty << 1 & free & ~(exact & (stones << 2 | stones >> k))
    return (
        none & own & alone,
        (one & own | none & free) & alone,
        (two & own | one & free) & alone,
        (three & own | two & free) & alone,
        (four & own | three & free) & alone,
        none & ends,
        one & ends,
        two & ends,
        three & ends,
        live & (own | free) & alone,
    )


@lean_kernel("UniTuple(int64, 2)(int64, int64, int64, int64)")
def _count(black: int, white: int, cells: int, shape: int) -> tuple[int, int]:
    """Add one of this shape for each cell."""
    black += popcount(cells & LOW_HALF) << (SHAPE_BITS * shape)
    white += popcount(cells >> HALF) << (SHAPE_BITS * shape)
    return black, white


@lean_kernel("UniTuple(int64, 3)(int64, int64, int64, int64, int64)")
def _count_runs(black: int, white: int, counted: int, cells: int, shape: int) -> tuple[int, int, int]:
    """Add one of this shape for each run of cells apart from what is counted; returns that with the new cells."""
    if cells & ~counted == 0:
        return black, white, counted
    union = counted | cells
    before, after = counted & ~(counted << 1), union & ~(union << 1)
    black += max(popcount(after & LOW_HALF) - popcount(before & LOW_HALF), 0) << (SHAPE_BITS * shape)
    white += max(popcount(after >> HALF) - popcount(before >> HALF), 0) << (SHAPE_BITS * shape)
    return black, white, union


@lean_kernel("UniTuple(int64, 5)(int64, int64, int64, int64)")
def shapes_of_line(stones: int, length: int, k: int, exact: int) -> tuple[int, int, int, int, int]:
    """The three bits of every empty cell's code, then black's and white's counted shapes."""
    empty = whole_line(length) & ~(stones | stones >> HALF | stones << HALF)
    made, one, two, three, _, straight, open_one, open_two, open_three, _ = _windows(stones, empty, k, exact)
    # A shape has a stone: with small k there are no twos and no threes.
    open_three = open_three if k > 4 else 0
    open_two, three = (open_two, three) if k > 3 else (0, 0)

    fives, fours, sleeping = spread(one, k), spread(two, k), spread(three, k)
    open_fours, threes, twos = spread(open_one, k - 1), spread(open_two, k - 1), spread(open_three, k - 1)
    high = (fives | open_fours) & empty
    middle = (fours | threes) & empty & ~high
    low = (fives | ~high & (fours | (sleeping | twos) & ~threes)) & empty

    row = spread(made, k)
    ends = straight >> 1 | straight << (k - 1) | row >> 1 | row << 1
    black, white = _count(0, 0, row & ~(row << 1), 0)
    black, white = _count(black, white, straight, 1)
    black, white = _count(black, white, fives & empty & ~ends, 2)
    black, white, row = _count_runs(black, white, row | fives, open_fours, 3)
    black, white, row = _count_runs(black, white, row, fours, 4)
    black, white, row = _count_runs(black, white, row, threes, 5)
    black, white, row = _count_runs(black, white, row, sleeping, 6)
    return low, middle, high, black, white


@lean_kernel("UniTuple(int64, 5)(int64, int64, int64, int64)")
def windows_of_line(stones: int, length: int, k: int, exact: int) -> tuple[int, int, int, int, int]:
    """The three bits of every empty cell's code in the misère, then black's and white's counted windows."""
    empty = whole_line(length) & ~(stones | stones >> HALF | stones << HALF)
    _, one, two, three, four, _, _, _, _, live = _windows(stones, empty, k, exact)
    completing, missing_two = spread(one, k), spread(two, k)
    missing_three, missing_four = spread(three, k), spread(four, k)
    high = (completing | missing_two) & empty
    middle = (missing_three | missing_four) & empty & ~high
    low = (completing | ~high & (missing_three | spread(live, k) & ~missing_four)) & empty

    black, white = 0, 0
    for windows in (four, three, two, one):
        black = black << WINDOW_BITS | popcount(windows & LOW_HALF)
        white = white << WINDOW_BITS | popcount(windows >> HALF)
    return low, middle, high, black, white
