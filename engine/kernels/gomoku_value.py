"""What a Gomoku position is worth to the side to move, by rules where they decide and by counted shapes elsewhere.

The nine immediate decisions, in their order:

1. I can complete a row: won in 1.
2. The opponent can complete a row on two points: lost in 2.
3. He can on one point: I must take it (lost in 2 if it is forbidden to me); the search looks at nothing else.
4. I can make an open four: won in 3.
5. I can make two fours at once: won in 3.
6. I can make a four and an open three at once, and he can make no four: won in 5.
7. I can make two open threes at once, and he can make no four: won in 5.
8. He could do 4 or 5: I must parry, by a four or on a point where he makes a four; the search looks at nothing else.
9. He could do 6 or 7: a danger, which the score counts.

1 to 7 are proofs: he cannot answer on two lines at once and has no four to gain time with. Black in renju may be
forbidden to do 4, which is looked up, and 5 to 7, which are left out for him.
"""

import numpy as np

from .gomoku_lines import SHAPE_BITS
from .gomoku_shapes import (
    BLACK_EXACT,
    CLASS,
    CLASS_COUNTS,
    COUNTS,
    FIVES,
    FREE,
    MAKES_FIVE,
    MAKES_FOUR,
    MAKES_FOUR_AND_THREE,
    MAKES_FOURS,
    MAKES_OPEN_FOUR,
    MAKES_THREES,
    MISERE,
    NUM_CLASSES,
    POINTS,
    TURN,
    WIDTH,
)
from .jit import lean_kernel
from .misere_value import misere_value
from .renju import forbidden
from .scores import WIN

# In hundredths of a logit, fitted to the results of 700 games by the search itself on 15x15, freestyle: what a shape
# is worth to its owner, and to its owner if he is also to move; shapes in the order of SHAPES.
WORTH = np.array([0, 0, 200, 145, 51, 31, 4])
WORTH_TO_MOVE = np.array([0, 0, 300, 200, 64, 40, 6])
TO_MOVE = 33
CHANCE = 30  # I could do 6 or 7, but for his fours
MUST_PARRY, TWICE_MUST_PARRY, DANGER = 0, 150, 41  # rules 8 and 9


@lean_kernel("boolean(int64[::1], uint64[::1])")
def _has_legal_open_four(board: np.ndarray, state: np.ndarray) -> bool:
    for cell in range(board[WIDTH] * board[WIDTH]):
        if CLASS[board[POINTS + cell]] == MAKES_OPEN_FOUR and not forbidden(state, cell):
            return True
    return False


@lean_kernel("int64(int64[::1], uint64[::1])")
def _decided_by_fours(board: np.ndarray, state: np.ndarray) -> int:
    """Rules 4 to 7, for a side that faces no five."""
    own = CLASS_COUNTS + board[TURN] * NUM_CLASSES
    other = CLASS_COUNTS + (1 - board[TURN]) * NUM_CLASSES
    if board[BLACK_EXACT] and board[TURN] == 0:
        return WIN - 3 if board[own + MAKES_OPEN_FOUR] and _has_legal_open_four(board, state) else 0
    if board[own + MAKES_OPEN_FOUR] or board[own + MAKES_FOURS]:
        return WIN - 3
    if not (board[own + MAKES_FOUR_AND_THREE] or board[own + MAKES_THREES]):
        return 0
    for makes in range(MAKES_FOUR, MAKES_FIVE):
        if board[other + makes]:
            return 0
    return WIN - 5


@lean_kernel("int64(int64[::1], uint64[::1])")
def decided(board: np.ndarray, state: np.ndarray) -> int:
    """The proven score of the rules 1 to 7, or of the misère's one rule; 0 when none applies."""
    own = board[CLASS_COUNTS + board[TURN] * NUM_CLASSES + MAKES_FIVE]
    if board[MISERE]:
        return 1 - WIN if own == board[FREE] else 0
    if own:
        return WIN - 1
    other = board[CLASS_COUNTS + (1 - board[TURN]) * NUM_CLASSES + MAKES_FIVE]
    if other == 0:
        return _decided_by_fours(board, state)
    if other > 1:
        return 2 - WIN
    bound = board[BLACK_EXACT] and board[TURN] == 0 and forbidden(state, board[FIVES + 1])
    return 2 - WIN if bound else 0


@lean_kernel("int64(int64[::1])")
def forced(board: np.ndarray) -> int:
    """The only point that keeps the opponent from his row, by rule 3; -1 when he threatens none."""
    other = 1 - board[TURN]
    if board[MISERE] or board[CLASS_COUNTS + other * NUM_CLASSES + MAKES_FIVE] == 0:
        return -1
    return board[FIVES + other]


@lean_kernel("boolean(int64[::1])")
def must_parry(board: np.ndarray) -> bool:
    """True when rule 8 applies."""
    other = CLASS_COUNTS + (1 - board[TURN]) * NUM_CLASSES
    return board[MISERE] == 0 and board[other + MAKES_OPEN_FOUR] + board[other + MAKES_FOURS] > 0


@lean_kernel("int64(int64[::1])")
def _value_of_threats(board: np.ndarray) -> int:
    """Rules 8 and 9, and what is left of 6 and 7 when he can make a four."""
    own, other = CLASS_COUNTS + board[TURN] * NUM_CLASSES, CLASS_COUNTS + (1 - board[TURN]) * NUM_CLASSES
    chance = CHANCE if board[own + MAKES_FOUR_AND_THREE] or board[own + MAKES_THREES] else 0
    if must_parry(board):
        open_threes = board[COUNTS + 1 - board[TURN]] >> SHAPE_BITS * 3 & (1 << SHAPE_BITS) - 1
        return chance - (TWICE_MUST_PARRY if open_threes > 1 else MUST_PARRY)
    return chance - (DANGER if board[other + MAKES_FOUR_AND_THREE] or board[other + MAKES_THREES] else 0)


@lean_kernel("int64(int64[::1])")
def _value_of_shapes(board: np.ndarray) -> int:
    own, other = board[COUNTS + board[TURN]], board[COUNTS + 1 - board[TURN]]
    value = TO_MOVE + _value_of_threats(board)
    for shape in range(2, 7):
        shift, field = SHAPE_BITS * shape, (1 << SHAPE_BITS) - 1
        value += WORTH_TO_MOVE[shape] * (own >> shift & field) - WORTH[shape] * (other >> shift & field)
    return value


@lean_kernel("int64(int64[::1])")
def value(board: np.ndarray) -> int:
    """The score of a position that no rule decides."""
    return misere_value(board) if board[MISERE] else _value_of_shapes(board)
