"""What an Othello position is worth: stable discs, mobility, disc ratio and a table of squares, by stage of the game.

Both objectives share the features, not the weights: whoever wants few discs still wants many moves, so the misère
weights are no change of sign.
"""

import numpy as np

from .bits import popcount
from .jit import kernel
from .othello import WHOLE_BOARD, mobility, spread
from .othello_stable import border, stable_discs
from .othello_weights import NUM_FEATURES, WEIGHTS
from .scores import PROVEN

_ZERO = np.uint64(0)


def _classes(size: int) -> list[int]:
    """The squares of each class: corner, C, X, other edge, rest of the second ring."""
    sets = {(0, 0): 0, (0, 1): 0, (1, 1): 0, (0, 2): 0, (1, 2): 0}
    for row in range(size):
        for column in range(size):
            near, far = sorted(min(place, size - 1 - place, 2) for place in (row, column))
            if (near, far) in sets:
                sets[near, far] |= 1 << (8 * row + column)
    return list(sets.values())


_CLASSES = np.array([_classes(8), _classes(6)], dtype=np.uint64)  # [board, class]


@kernel("int64(int64)")
def proven_score(margin: int) -> int:
    """The score of a result that is certain: the winner first, then the discs."""
    if margin == 0:
        return 0
    return margin + PROVEN if margin > 0 else margin - PROVEN


@kernel("int64(uint64, uint64, int64)")
def final_score(own: np.uint64, opp: np.uint64, objective: int) -> int:
    """The score of a finished game for the side with `own`."""
    return proven_score(objective * (popcount(own) - popcount(opp)))


@kernel("int64(uint64, uint64, uint64)")
def _balance(own: np.uint64, opp: np.uint64, squares: np.uint64) -> int:
    return popcount(own & squares) - popcount(opp & squares)


@kernel("UniTuple(int64, 5)(uint64, uint64, uint64)")
def _by_class(own: np.uint64, opp: np.uint64, playable: np.uint64) -> tuple[int, int, int, int, int]:
    """The table of squares; C and X squares count as their neighbors once the corner is taken."""
    board = 0 if playable == WHOLE_BOARD else 1
    exposed = spread(_CLASSES[board, 0] & ~(own | opp))
    c_squares, x_squares = _CLASSES[board, 1], _CLASSES[board, 2]
    return (
        _balance(own, opp, _CLASSES[board, 0]),
        _balance(own, opp, c_squares & exposed),
        _balance(own, opp, x_squares & exposed),
        _balance(own, opp, _CLASSES[board, 3] | (c_squares & ~exposed)),
        _balance(own, opp, _CLASSES[board, 4] | (x_squares & ~exposed)),
    )


@kernel("UniTuple(int64, 2)(uint64, uint64, uint64)")
def _by_stability(own: np.uint64, opp: np.uint64, playable: np.uint64) -> tuple[int, int]:
    """Edge-stable and interior-stable discs; next to nothing is stable before a corner is taken."""
    if (own | opp) & _CLASSES[0 if playable == WHOLE_BOARD else 1, 0] == _ZERO:
        return 0, 0
    mine, yours = stable_discs(own, opp, playable)
    edge = border(playable)
    return _balance(mine, yours, edge), _balance(mine, yours, ~edge)


@kernel("UniTuple(int64, 11)(uint64, uint64, uint64, uint64, uint64)")
def features(
    own: np.uint64, opp: np.uint64, playable: np.uint64, own_moves: np.uint64, opp_moves: np.uint64
) -> tuple[int, ...]:
    """What is counted, ours less theirs, in the order of the weights."""
    empty = playable & ~(own | opp)
    moves = popcount(own_moves) - popcount(opp_moves)
    frontier = _balance(spread(opp), spread(own), empty)
    discs = popcount(own) - popcount(opp)
    squares, stable = _by_class(own, opp, playable), _by_stability(own, opp, playable)
    return (*squares, *stable, moves, frontier, discs, 1)


@kernel("int64(uint64, uint64, uint64, int64)")
def value(own: np.uint64, opp: np.uint64, playable: np.uint64, objective: int) -> int:
    """The score of a position for the side with `own`, which is to move; exact when the game is over."""
    own_moves, opp_moves = mobility(own, opp, playable), mobility(opp, own, playable)
    if (own_moves | opp_moves) == _ZERO:
        return final_score(own, opp, objective)
    empties = popcount(playable & ~(own | opp))
    stage = empties if playable == WHOLE_BOARD else empties * 15 // 8  # 6x6 begins with 32 empty squares, 8x8 with 60
    mode = 0 if objective > 0 else 1
    counted = features(own, opp, playable, own_moves, opp_moves)
    total = 0
    for feature in range(NUM_FEATURES):
        total += WEIGHTS[mode, stage, feature] * counted[feature]
    return total
