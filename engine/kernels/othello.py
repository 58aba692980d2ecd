"""Othello on bitboards: eight squares a row on every size, bit `8 * row + column`, row 0 on top.

The 6x6 board lies in the top left corner; only the set of playable squares differs. A kernel is
compiled where it stands, so the helpers come before their callers.
"""

import numpy as np

from .bits import first, popcount, square_bit
from .jit import kernel
from .lanes import reached, turned
from .layout import BLACK_DISCS, BLACK_WON, DRAWN, EMPTIES, GOING_ON, PASSED, RESULT, SIDE, SIZE, WHITE_DISCS, WHITE_WON

WHOLE_BOARD = np.uint64(0xFFFFFFFFFFFFFFFF)
SMALL_BOARD = np.uint64(0x00003F3F3F3F3F3F)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_NOT_LEFT, _NOT_RIGHT = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)


def _rays() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """The squares seen from each square: right, down left, down, down right, then the four opposites."""
    steps = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)]
    rays = np.zeros((64, 8), dtype=np.uint64)
    for square in range(64):
        for direction, (down, right) in enumerate(steps):
            row, column = square // 8 + down, square % 8 + right
            while 0 <= row < 8 and 0 <= column < 8:
                rays[square, direction] |= np.uint64(1 << (8 * row + column))
                row, column = row + down, column + right
    return rays


_RAYS = _rays()  # [square, direction]


@kernel("uint64(int64)")
def playable_squares(size: int) -> np.uint64:
    """All squares of a board, 8x8 or 6x6."""
    return WHOLE_BOARD if size == 8 else SMALL_BOARD


@kernel("int64(int64, int64)")
def square_of(move: int, size: int) -> int:
    """The bit of a move that is no pass."""
    return move if size == 8 else move // size * 8 + move % size


@kernel("int64(int64, int64)")
def move_of(square: int, size: int) -> int:
    """The move that plays on this bit."""
    return square if size == 8 else square // 8 * size + square % 8


@kernel("uint64(uint64)")
def spread(squares: np.uint64) -> np.uint64:
    """A set with all its neighbors."""
    wide = squares | ((squares & _NOT_RIGHT) << _ONE) | ((squares & _NOT_LEFT) >> _ONE)
    return wide | (wide << np.uint64(8)) | (wide >> np.uint64(8))


@kernel("uint64(uint64, uint64, uint64)")
def mobility(own: np.uint64, opp: np.uint64, playable: np.uint64) -> np.uint64:
    """The squares where the side with `own` may play."""
    return reached(own, opp) & playable & ~(own | opp)


@kernel("uint64(uint64, uint64, int64)")
def flips(own: np.uint64, opp: np.uint64, square: int) -> np.uint64:
    """The discs that a disc of `own` on this empty square turns; none when the move is illegal."""
    ray = _RAYS[square]
    return turned(own, opp, (ray[0], ray[1], ray[2], ray[3], ray[4], ray[5], ray[6], ray[7]))


@kernel("int64(uint64, uint64, uint64)")
def _result(black: np.uint64, white: np.uint64, playable: np.uint64) -> int:
    if mobility(black, white, playable) | mobility(white, black, playable):
        return GOING_ON
    margin = popcount(black) - popcount(white)
    return DRAWN if margin == 0 else BLACK_WON if margin > 0 else WHITE_WON


@kernel("void(uint64[::1], int64)")
def play(state: np.ndarray, move: int) -> None:
    """Play a legal move in place; the pass is the move after the last square."""
    size = np.int64(state[SIZE])
    mover = np.int64(state[SIDE])
    own, opp = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover]
    passes = move == size * size
    if not passes:
        square = square_of(move, size)
        flipped = flips(own, opp, square)
        own |= flipped | square_bit(square)
        opp &= ~flipped
        state[EMPTIES] -= _ONE
    state[BLACK_DISCS + mover], state[WHITE_DISCS - mover] = own, opp
    state[SIDE] = np.uint64(1 - mover)
    state[PASSED] = np.uint64(passes)
    state[RESULT] = np.uint64(_result(state[BLACK_DISCS], state[WHITE_DISCS], playable_squares(size)))


@kernel("int64(uint64[::1], int16[::1])")
def legal_moves(state: np.ndarray, out: np.ndarray) -> int:
    """Write the legal moves in ascending order and return how many: the pass alone when there is no other."""
    size = np.int64(state[SIZE])
    if state[RESULT] != np.uint64(GOING_ON):
        return 0
    mover = np.int64(state[SIDE])
    moves = mobility(state[BLACK_DISCS + mover], state[WHITE_DISCS - mover], playable_squares(size))
    if moves == _ZERO:
        out[0] = size * size
        return 1
    count = 0
    while moves:
        out[count] = move_of(first(moves), size)
        count += 1
        moves &= moves - _ONE
    return count


@kernel("int64(uint64, uint64, uint64, int64)")
def _leaves(own: np.uint64, opp: np.uint64, playable: np.uint64, depth: int) -> int:
    moves = mobility(own, opp, playable)
    if moves == _ZERO:
        if depth == 1 or mobility(opp, own, playable) == _ZERO:
            return 1
        return _leaves(opp, own, playable, depth - 1)
    if depth == 1:
        return popcount(moves)
    count = 0
    while moves:
        square = first(moves)
        flipped = flips(own, opp, square)
        count += _leaves(opp ^ flipped, own | flipped | square_bit(square), playable, depth - 1)
        moves &= moves - _ONE
    return count


@kernel("int64(uint64[::1], int64)")
def perft(state: np.ndarray, depth: int) -> int:
    """Count the leaves of the game tree this many plies deep; a pass is a ply, a game that ends before is a leaf."""
    if depth == 0:
        return 1
    mover = np.int64(state[SIDE])
    playable = playable_squares(np.int64(state[SIZE]))
    return _leaves(state[BLACK_DISCS + mover], state[WHITE_DISCS - mover], playable, depth)
