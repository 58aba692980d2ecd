"""Alpha-beta over Othello's learned tables, with Multi-ProbCut: what a shallow search makes all but certain is cut.

Scores are hundredths of a disc and never proofs, not even where a game ends: a cut may have hidden the refutation. A
node's numbers lie in the row of its number of empty squares.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, popcount, signed, square_bit
from .claims import give_back
from .jit import inlined_kernel, lean_kernel
from .othello import WHOLE_BOARD, flips, mobility
from .othello_claims import claim_next
from .othello_endgame import solve
from .othello_patterns import NUM_STAGES, estimate, follow, stage_of, turn
from .othello_table import (
    NO_SQUARE,
    NO_SQUARES,
    UNKNOWN,
    bound_of,
    keep,
    position_key,
    rank_in,
    recall_between,
    salt_of,
)
from .othello_work import (
    HALTED,
    NODES,
    OBJECTIVE,
    PLAYABLE,
    ROW,
    WORDS,
    corner_squares,
    insert,
    playable_in,
    spend,
)

DISC = 100  # the score of one disc
FAR = 100_000  # beyond every score
CAUTION, SALT = 6, 7  # places in the work array: hundredths of a deviation that a cut asks for (0: no cuts), hash salt
MOST_DEPTH = 32  # deeper searches err as much as this one
ERRORS = WORDS  # where the standard deviations begin, [stage, depth] in hundredths of a disc
MIDGAME_WORDS = WORDS + NUM_STAGES * MOST_DEPTH
SOLVED_FROM = 9  # empty squares, where a search to the end asks the solver

CLAIMED_FROM = 5  # plies: what is searched less deep is not worth sharing

# A desk, numbers, weights, claims.
Bench: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
BENCH = "Tuple((uint64[:, ::1], int64[::1], int64[::1], uint16[:, ::1], int16[:, ::1], uint64[::1]))"

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_FIRST_CUT = 3  # the least depth that a shallower search may cut
_MOBILE = 25  # what a reply of the opponent's counts in the order of moves


@lean_kernel("void(int64, int64, int64[:, ::1], int64[::1])")
def prepare(objective: int, caution: int, errors: np.ndarray, work: np.ndarray) -> None:
    """Write down the rules in force; searches with different cuts do not share what they store."""
    work[OBJECTIVE], work[PLAYABLE], work[CAUTION] = objective, signed(WHOLE_BOARD), caution
    work[SALT] = signed(salt_of(objective, False) ^ np.uint64(0x5851F42D4C957F2D) * np.uint64(1 + caution))
    for stage in range(errors.shape[0]):
        for depth in range(errors.shape[1]):
            work[ERRORS + stage * errors.shape[1] + depth] = errors[stage, depth]


@lean_kernel("int64(int64)")
def shallow_depth(depth: int) -> int:
    """The depth of the search that may cut one of this depth, of the same parity."""
    half = depth // 2
    return half if (depth - half) % 2 == 0 else half - 1 if half > 1 else half + 1


@lean_kernel(f"int64(uint64, uint64, int64, {BENCH})")
def static_value(own: np.uint64, opp: np.uint64, empties: int, bench: Bench) -> int:
    """The value of a node whose numbers are written, for the side with `own`, which is to move."""
    _, work, _, numbers, weights, _ = bench
    own_moves, opp_moves = mobility(own, opp, ~(own | opp)), mobility(opp, own, ~(own | opp))
    if (own_moves | opp_moves) == _ZERO:
        return DISC * work[OBJECTIVE] * (popcount(own) - popcount(opp))
    return estimate(numbers[empties], empties, popcount(own_moves), popcount(opp_moves), weights)


@lean_kernel(f"int64(uint64, uint64, uint64, int64, {BENCH})")
def _last_ply(own: np.uint64, opp: np.uint64, moves: np.uint64, beta: int, bench: Bench) -> int:
    """The best child by its static value, the corners first."""
    _, work, _, numbers, _, _ = bench
    best, corners = -FAR, corner_squares(playable_in(work))
    empties = popcount(~(own | opp))
    while moves and best < beta:
        square = first(moves & corners if moves & corners else moves)
        bit = square_bit(square)
        moves ^= bit
        flipped = flips(own, opp, square)
        follow(numbers[empties], square, flipped, numbers[empties - 1])
        best = max(best, -static_value(opp ^ flipped, own | flipped | bit, empties - 1, bench))
        work[NODES] += 1
    return best


@lean_kernel(f"int64(uint64, uint64, uint64, int64, int64, {BENCH})")
def _rank(own: np.uint64, opp: np.uint64, moves: np.uint64, known: int, depth: int, bench: Bench) -> int:
    """Put the moves into this node's row, the likely best first, and return where the row begins.

    The squares from the hash table lead; then the few replies that are left count, and further from the leaves the
    static value too.
    """
    _, work, _, numbers, _, _ = bench
    empties = popcount(~(own | opp))
    row = end = ROW * (1 + empties)
    while moves:
        square = first(moves)
        bit = square_bit(square)
        moves ^= bit
        flipped = flips(own, opp, square)
        mine, yours = own | flipped | bit, opp ^ flipped
        weight = -_MOBILE * popcount(mobility(yours, mine, ~(mine | yours)))
        place = rank_in(known, square)
        if place > 0:
            weight = FAR * place
        elif depth > 2:
            follow(numbers[empties], square, flipped, numbers[empties - 1])
            weight -= static_value(yours, mine, empties - 1, bench)
        insert(work, row, end, (weight << 6) | square)
        end += 1
    return row


@lean_kernel(f"UniTuple(int64, 2)(uint64, uint64, int64, int64, int64, {BENCH})")
def _wager(own: np.uint64, opp: np.uint64, depth: int, alpha: int, beta: int, bench: Bench) -> tuple[int, int]:
    """Beta and what a shallow search must exceed to stand for it, or alpha and what it must not exceed, or UNKNOWN."""
    work = bench[1]
    if work[CAUTION] == 0 or depth < _FIRST_CUT or beta != alpha + 1:
        return UNKNOWN, 0
    empties = popcount(~(own | opp))
    deviation = work[ERRORS + stage_of(empties) * MOST_DEPTH + min(depth, MOST_DEPTH - 1)]
    doubt = work[CAUTION] * deviation // 100
    return (beta, alpha + doubt) if static_value(own, opp, empties, bench) >= beta else (alpha, alpha - doubt)


@lean_kernel(f"Tuple((int64, int64, uint64))(uint64, uint64, uint64, int64, int64, int64, {BENCH})")
def _begin(
    own: np.uint64, opp: np.uint64, moves: np.uint64, depth: int, alpha: int, beta: int, bench: Bench
) -> tuple[int, int, np.uint64]:
    """Count a node; its score if that is known or found out at once, else UNKNOWN, its likely best squares, its key."""
    table, work, control, _, _, _ = bench
    empties = popcount(~(own | opp))
    if spend(work, control) or moves == _ZERO:
        return DISC * work[OBJECTIVE] * (popcount(own) - popcount(opp)), NO_SQUARES, _ZERO
    if depth >= empties and empties <= SOLVED_FROM:
        margin = solve(own, opp, alpha // DISC, -(-beta // DISC), (table, work, control))
        return DISC * margin, NO_SQUARES, _ZERO
    if depth == 1:
        return _last_ply(own, opp, moves, beta, bench), NO_SQUARES, _ZERO
    key = position_key(own, opp, np.uint64(work[SALT]))
    deepest = depth if work[CAUTION] == 0 else empties
    score, squares = recall_between(table, key, depth, deepest, alpha, beta)
    return score, squares, key


@lean_kernel(f"UniTuple(uint64, 2)(uint64, uint64, int64, {BENCH})")
def enter(own: np.uint64, opp: np.uint64, square: int, bench: Bench) -> tuple[np.uint64, np.uint64]:
    """The discs of both sides after a move, the mover's first; the numbers are written for the other one."""
    flipped, empties = flips(own, opp, square), popcount(~(own | opp))
    follow(bench[3][empties], square, flipped, bench[3][empties - 1])
    return own | flipped | square_bit(square), opp ^ flipped


@lean_kernel(f"UniTuple(uint64, 3)(uint64, uint64, uint64, int64, int64, uint64, {BENCH})")
def enter_next(
    own: np.uint64, opp: np.uint64, moves: np.uint64, row: int, place: int, key: np.uint64, bench: Bench
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Enter the move at a place of a node's row, and claim it; behind the first one, one that no other thread is at.

    Without a key nothing is claimed.
    """
    work, claim = bench[1], _ZERO
    if key != _ZERO and place > row:
        claim = claim_next(bench[5], key, work, place, row + popcount(moves))
    mine, yours = enter(own, opp, work[place] & 63, bench)
    return mine, yours, claim


@inlined_kernel("UniTuple(int64, 2)(int64, int64, int64, int64)")
def window(alpha: int, best: int, beta: int, index: int) -> tuple[int, int]:
    """Between what scores a move is searched: the first one as its node, the others to see that they are no better."""
    floor = max(alpha, best)
    return floor, beta if index == 0 else floor + 1


@lean_kernel(f"int64(uint64, uint64, int64, int64, int64, {BENCH})")
def explore(own: np.uint64, opp: np.uint64, depth: int, alpha: int, beta: int, bench: Bench) -> int:
    """The score if it lies between alpha and beta, else a bound; without meaning once the work is halted."""
    table, work, _, numbers, _, claims = bench
    moves, empties = mobility(own, opp, ~(own | opp)), popcount(~(own | opp))
    if moves == _ZERO and mobility(opp, own, ~(own | opp)) != _ZERO:
        turn(numbers[empties], numbers[empties])
        score = -explore(opp, own, depth, -beta, -alpha, bench)
        turn(numbers[empties], numbers[empties])
        return score
    score, squares, key = _begin(own, opp, moves, depth, alpha, beta, bench)
    if score != UNKNOWN:
        return score
    guess, bar = _wager(own, opp, depth, alpha, beta, bench)
    if guess != UNKNOWN and (explore(own, opp, shallow_depth(depth), bar, bar + 1, bench) > bar) == (guess == beta):
        return guess
    row, best, best_square = _rank(own, opp, moves, squares, depth, bench), -FAR, NO_SQUARE
    for place in range(row, row + popcount(moves)):
        floor, ceiling = window(alpha, best, beta, place - row)
        mine, yours, claim = enter_next(own, opp, moves, row, place, key if depth >= CLAIMED_FROM else _ZERO, bench)
        score = -explore(yours, mine, depth - 1, -ceiling, -floor, bench)
        if ceiling <= score < beta:
            score = -explore(yours, mine, depth - 1, -beta, -floor, bench)
        give_back(claims, claim)
        if score > best:
            best, best_square = score, work[place] & 63
        if best >= beta or work[HALTED]:
            break
    if not work[HALTED]:
        keep(table, key, empties - depth, depth, bound_of(best, alpha, beta), best, best_square)
    return best
