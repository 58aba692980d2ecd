"""Rollouts: games played on at random to their end, in one tight loop for each game and manner."""

import numpy as np

from .bits import first, popcount, square_bit
from .gomoku import (
    CELL_MASK,
    CELL_SHIFT,
    completes,
    completing,
    empty_list,
    is_empty,
    needs_exactly,
    place,
    place_completing,
)
from .jit import lean_kernel
from .layout import (
    BLACK_DISCS,
    BLACK_WON,
    DRAWN,
    GOMOKU,
    IN_A_ROW,
    KIND,
    RENJU,
    RULE,
    SIDE,
    SIZE,
    WHITE_DISCS,
    WHITE_WON,
)
from .othello import flips, mobility, playable_squares
from .renju import forbidden
from .rng import below

NUM_CELLS = 400  # of the largest board
MOST_THREATS = 4 * NUM_CELLS  # a cell may complete a row on each of its lines

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@lean_kernel("boolean(uint64[::1], int64, int64)")
def _may_play(state: np.ndarray, side: int, cell: int) -> bool:
    """False on the points that renju forbids to black."""
    if side == 1 or np.int64(state[RULE]) != RENJU:
        return True
    return not forbidden(state, (cell >> CELL_SHIFT) * np.int64(state[SIZE]) + (cell & CELL_MASK))


@lean_kernel("UniTuple(int64, 2)(uint64[::1], int16[::1], uint64[::1])")
def _uniform(state: np.ndarray, cells: np.ndarray, rng: np.ndarray) -> tuple[int, int]:
    """Gomoku where every empty cell may be played."""
    count, side, in_a_row = empty_list(state, cells), int(np.int64(state[SIDE])), np.int64(state[IN_A_ROW])
    exactly = (needs_exactly(state, 0), needs_exactly(state, 1))
    for ply in range(1, count + 1):
        pick = below(rng, count)
        cell = int(cells[pick])
        count -= 1
        cells[pick] = cells[count]
        row, column = cell >> CELL_SHIFT, cell & CELL_MASK
        if completes(state, side, row, column, in_a_row, exactly[side]):
            return BLACK_WON + side, ply
        place(state, side, row, column)
        side = 1 - side
    return DRAWN, ply


@lean_kernel("boolean(uint64[::1], int64, int64)")
def _wins(state: np.ndarray, side: int, cell: int) -> bool:
    row, column = cell >> CELL_SHIFT, cell & CELL_MASK
    return completes(state, side, row, column, np.int64(state[IN_A_ROW]), needs_exactly(state, side))


@lean_kernel("UniTuple(int64, 2)(uint64[::1], int64, int16[::1], int64, boolean, uint64[::1])")
def _draw(state: np.ndarray, side: int, cells: np.ndarray, count: int, avoid: bool, rng: np.ndarray) -> tuple[int, int]:
    """Take a random cell that the side may play, and with `avoid` does not win by; -1 when there is none."""
    untried = count
    while untried > 0:
        pick = below(rng, untried)
        untried -= 1
        cell = int(cells[pick])
        cells[pick] = cells[untried]
        if not is_empty(state, cell):
            count -= 1
            cells[untried] = cells[count]
        elif _may_play(state, side, cell) and not (avoid and _wins(state, side, cell)):
            count -= 1
            cells[untried] = cells[count]
            return cell, count
        else:
            cells[untried] = cell
    return -1, count


@lean_kernel("UniTuple(int64, 2)(uint64[::1], boolean, int16[::1], uint64[::1])")
def _picky(state: np.ndarray, avoid: bool, cells: np.ndarray, rng: np.ndarray) -> tuple[int, int]:
    """Gomoku with forbidden points or, with `avoid`, without wins that can be helped."""
    count, side, ply = empty_list(state, cells), int(np.int64(state[SIDE])), 0
    while True:
        ply += 1
        cell, count = _draw(state, side, cells, count, avoid, rng)
        if cell < 0 and avoid:
            cell, count = _draw(state, side, cells, count, False, rng)
        if cell < 0:
            return DRAWN, ply
        if _wins(state, side, cell):
            return BLACK_WON + side, ply
        place(state, side, cell >> CELL_SHIFT, cell & CELL_MASK)
        side = 1 - side


@lean_kernel("int64(uint64[::1], int64, boolean, int16[::1], int64)")
def _without_stale(state: np.ndarray, side: int, exactly: bool, threats: np.ndarray, count: int) -> int:
    """Drop threats that have been answered or spoilt until the last one is real; returns how many are left."""
    while count > 0:
        cell = np.int64(threats[count - 1])
        if is_empty(state, cell) and (not exactly or _wins(state, side, cell)):
            break
        count -= 1
    return count


@lean_kernel("UniTuple(int64, 2)(uint64[::1], int16[::1], int16[:, ::1], uint64[::1])")
def _decisive(state: np.ndarray, cells: np.ndarray, threats: np.ndarray, rng: np.ndarray) -> tuple[int, int]:
    """Gomoku where a side wins at once when it can, else stops the other from doing so."""
    count, side, ply = empty_list(state, cells), int(np.int64(state[SIDE])), 0
    in_a_row, exactly, other_exactly = (
        np.int64(state[IN_A_ROW]),
        needs_exactly(state, side),
        needs_exactly(state, 1 - side),
    )
    mine, theirs = threats[side], threats[1 - side]
    own = completing(state, side, mine)
    other = completing(state, 1 - side, theirs)
    while True:
        ply += 1
        own = _without_stale(state, side, exactly, mine, own)
        if own > 0:
            return BLACK_WON + side, ply
        other = _without_stale(state, 1 - side, other_exactly, theirs, other)
        cell = np.int64(theirs[other - 1]) if other > 0 else -1
        if cell < 0 or not _may_play(state, side, cell):
            cell, count = _draw(state, side, cells, count, False, rng)
        if cell < 0:
            return DRAWN, ply
        own = place_completing(state, side, cell, in_a_row, exactly, mine, own)
        own, other = other, own
        mine, theirs = theirs, mine
        exactly, other_exactly = other_exactly, exactly
        side = 1 - side


@lean_kernel("int64(uint64, uint64[::1])")
def _any_square(squares: np.uint64, rng: np.ndarray) -> int:
    for _ in range(below(rng, popcount(squares))):
        squares &= squares - _ONE
    return first(squares)


@lean_kernel("UniTuple(int64, 2)(uint64[::1], uint64[::1])")
def _othello(state: np.ndarray, rng: np.ndarray) -> tuple[int, int]:
    playable, mover = playable_squares(np.int64(state[SIZE])), int(np.int64(state[SIDE]))
    own, opp = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover]
    ply, passes = 0, 0
    while passes < 2:
        moves = mobility(own, opp, playable)
        if moves:
            square = _any_square(moves, rng)
            turned = flips(own, opp, square)
            own |= turned | square_bit(square)
            opp &= ~turned
            ply += passes + 1
            passes = 0
        else:
            passes += 1
        own, opp, mover = opp, own, 1 - mover
    margin = popcount(own) - popcount(opp)
    return DRAWN if margin == 0 else BLACK_WON + mover if margin > 0 else WHITE_WON - mover, ply


@lean_kernel("UniTuple(int64, 2)(uint64[::1], int64, boolean, int16[::1], int16[:, ::1], uint64[::1])")
def rollout(
    state: np.ndarray, objective: int, decisive: bool, cells: np.ndarray, threats: np.ndarray, rng: np.ndarray
) -> tuple[int, int]:
    """Play a game that is not over to its end; returns the RESULT and the plies it took, and leaves the state spoilt.

    Moves are uniformly random among the legal ones. With `decisive` a side at Gomoku does not overlook what one move
    decides: it wins or stops a win, and in the misère game completes no row while there is another move.
    """
    if np.int64(state[KIND]) != GOMOKU:
        return _othello(state, rng)
    if decisive and objective > 0:
        return _decisive(state, cells, threats, rng)
    if decisive or np.int64(state[RULE]) == RENJU:
        return _picky(state, decisive, cells, rng)
    return _uniform(state, cells, rng)
