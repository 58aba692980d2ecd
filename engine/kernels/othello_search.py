"""Alpha-beta and plain minimax for Othello and its misère.

A pass costs no depth; searched as deep as there are empty squares, a position is solved. The score of a decided game is
PROVEN and its margin, so that among wins more discs are better.
"""

from typing import TypeAlias

import numpy as np

from .bits import first, popcount, signed, square_bit
from .jit import kernel, lean_kernel
from .layout import BLACK_DISCS, EMPTIES, SIDE, SIZE, WHITE_DISCS
from .othello import WHOLE_BOARD, mobility, move_of, playable_squares, square_of
from .othello_endgame import INFINITE_MARGIN, solve
from .othello_table import EXACT, NO_SQUARE, UNKNOWN, bound_of, find, keep, position_key, recall, salt_of, square_in
from .othello_value import final_score, proven_score, value
from .othello_work import (
    DESK,
    HALTED,
    NODES,
    OBJECTIVE,
    PLAYABLE,
    WORDS,
    Desk,
    corner_squares,
    playable_in,
    put,
    rank,
    report,
    spend,
)
from .scores import PROVEN

INFINITE = 2_000_000

Results: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]  # scores and nodes of the root moves, line
RESULTS = "Tuple((int32[::1], int64[::1], int16[::1]))"

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@lean_kernel("int64(uint64, uint64, uint64, int64, int64[::1])")
def _last_ply(own: np.uint64, opp: np.uint64, moves: np.uint64, beta: int, work: np.ndarray) -> int:
    """The best child by its static value, the corners first; the result of the game when there is no move."""
    playable, objective = playable_in(work), work[OBJECTIVE]
    if moves == _ZERO:
        return final_score(own, opp, objective)
    best, corners = -INFINITE, corner_squares(playable)
    while moves and best < beta:
        square = first(moves & corners if moves & corners else moves)
        moves ^= square_bit(square)
        mine, yours = put(own, opp, square)
        best = max(best, -value(yours, mine, playable, objective))
        work[NODES] += 1
    return best


@lean_kernel(f"int64(uint64, uint64, int64, int64, int64, {DESK})")
def _search(own: np.uint64, opp: np.uint64, depth: int, alpha: int, beta: int, desk: Desk) -> int:
    """The score if it lies between alpha and beta, else a bound; without meaning once the work is halted."""
    table, work, control = desk
    empty = playable_in(work) & ~(own | opp)
    moves = mobility(own, opp, empty)
    if moves == _ZERO and mobility(opp, own, empty) != _ZERO:
        return -_search(opp, own, depth, -beta, -alpha, desk)
    if spend(work, control) or moves == _ZERO or depth == 1:
        return _last_ply(own, opp, moves, beta, work)
    key = position_key(own, opp, salt_of(work[OBJECTIVE], True))
    known, squares = recall(table, key, depth, alpha, beta)
    if known != UNKNOWN:
        return known
    row = rank(own, opp, moves, squares, work)
    best, best_square = -INFINITE, NO_SQUARE
    for place in range(row, row + popcount(moves)):
        floor = max(alpha, best)
        ceiling = beta if place == row else floor + 1
        mine, yours = put(own, opp, work[place] & 63)
        score = -_search(yours, mine, depth - 1, -ceiling, -floor, desk)
        if ceiling <= score < beta:
            score = -_search(yours, mine, depth - 1, -beta, -floor, desk)
        if score > best:
            best, best_square = score, work[place] & 63
        if best >= beta or work[HALTED]:
            break
    if not work[HALTED]:
        keep(table, key, popcount(empty) - depth, depth, bound_of(best, alpha, beta), best, best_square)
    return best


@lean_kernel(f"int64(uint64, uint64, int64, {DESK})")
def _minimax(own: np.uint64, opp: np.uint64, depth: int, desk: Desk) -> int:
    """The score by looking at every move; without meaning once the work is halted."""
    table, work, control = desk
    empty = playable_in(work) & ~(own | opp)
    moves = mobility(own, opp, empty)
    if moves == _ZERO and mobility(opp, own, empty) != _ZERO and depth > 0:
        return -_minimax(opp, own, depth, desk)
    if spend(work, control) or moves == _ZERO or depth == 0:
        return value(own, opp, playable_in(work), work[OBJECTIVE])
    key = position_key(own, opp, salt_of(work[OBJECTIVE], False))
    known, _ = recall(table, key, depth, -INFINITE, INFINITE)
    if known != UNKNOWN:
        return known
    best, best_square = -INFINITE, NO_SQUARE
    while moves:
        square = first(moves)
        moves &= moves - _ONE
        mine, yours = put(own, opp, square)
        score = -_minimax(yours, mine, depth - 1, desk)
        if score > best:
            best, best_square = score, square
    if not work[HALTED]:
        keep(table, key, popcount(empty) - depth, depth, EXACT, best, best_square)
    return best


@lean_kernel("int64(int64)")
def _margin_of(score: int) -> int:
    """The greatest margin whose score is not above this one."""
    if score >= PROVEN:
        return min(score - PROVEN, INFINITE_MARGIN)
    if score > -PROVEN:
        return 0 if score >= 0 else -1
    return max(min(score + PROVEN, -1), -INFINITE_MARGIN)


@lean_kernel("UniTuple(uint64, 2)(uint64, uint64, int64, int64)")
def after_move(own: np.uint64, opp: np.uint64, move: int, size: int) -> tuple[np.uint64, np.uint64]:
    """The discs of both sides after a move or a pass, the mover's first."""
    if move == size * size:
        return own, opp
    return put(own, opp, square_of(move, size))


@lean_kernel(f"int64(uint64, uint64, int64, int64, boolean, {DESK})")
def _root_score(own: np.uint64, opp: np.uint64, depth: int, best: int, prune: bool, desk: Desk) -> int:
    """The score after a root move for the side that made it; a bound when it is no better than the best.

    A later move is first asked only whether it is better; a position is solved when the depth reaches its end.
    """
    if depth == 0 or not prune:
        return -_minimax(opp, own, depth, desk)
    is_exact = depth >= popcount(playable_in(desk[1]) & ~(own | opp))
    ceiling = best + 1 if best > -INFINITE else INFINITE
    while True:
        if is_exact:
            score = -proven_score(solve(opp, own, _margin_of(-ceiling), -_margin_of(best), desk))
        else:
            score = -_search(opp, own, depth, -ceiling, -best, desk)
        if score < ceiling or ceiling == INFINITE:
            return score
        ceiling = INFINITE


@lean_kernel("int64(uint64, uint64, int64, uint64, uint64[:, ::1])")
def _known_reply(own: np.uint64, opp: np.uint64, size: int, salt: np.uint64, table: np.ndarray) -> int:
    """The best move by the hash table, or the pass when there is no other; -1 when neither is known."""
    playable = playable_squares(size)
    moves = mobility(own, opp, playable)
    if moves == _ZERO:
        return size * size if mobility(opp, own, playable) else -1
    square = square_in(find(table, position_key(own, opp, salt)))
    return move_of(square, size) if square < 64 and moves & square_bit(square) else -1


@lean_kernel("void(uint64, uint64, int64, uint64, uint64[:, ::1], int16[::1])")
def write_line(own: np.uint64, opp: np.uint64, size: int, salt: np.uint64, table: np.ndarray, line: np.ndarray) -> None:
    """Continue the line after its first move as far as the hash table knows it."""
    last = len(line) - 1
    for place in range(last):
        opp, own = after_move(own, opp, np.int64(line[place]), size)
        line[place + 1] = _known_reply(own, opp, size, salt, table) if place + 1 < last else -1
        if line[place + 1] < 0:
            return


@lean_kernel(f"int64(uint64, uint64, int64, boolean, {DESK}, int16[::1], {RESULTS})")
def _search_moves(
    own: np.uint64, opp: np.uint64, depth: int, prune: bool, desk: Desk, moves: np.ndarray, results: Results
) -> int:
    """Search the root moves in their order, note the best one as the line's first, and count the completed ones."""
    _, work, control = desk
    scores, nodes, line = results
    size = 8 if playable_in(work) == WHOLE_BOARD else 6
    best, completed = -INFINITE, 0
    for move in moves:
        before = work[NODES]
        mine, yours = after_move(own, opp, np.int64(move), size)
        score = _root_score(mine, yours, depth if move == size * size else depth - 1, best, prune, desk)
        nodes[completed] = work[NODES] - before
        if work[HALTED]:
            break
        scores[completed] = score
        completed += 1
        if score > best:
            best, line[0] = score, move
    report(work, control)
    return completed


@kernel(
    "int64(uint64[::1], int64, int64, boolean, uint64[:, ::1], "
    "int16[::1], int32[::1], int64[::1], int16[::1], int64[::1])"
)
def search(
    state: np.ndarray,
    depth: int,
    objective: int,
    prune: bool,
    table: np.ndarray,
    moves: np.ndarray,
    scores: np.ndarray,
    nodes: np.ndarray,
    line: np.ndarray,
    control: np.ndarray,
) -> int:
    """Search the root moves in their order and return how many were completed.

    Scores are for the side to move: the best one is exact, the others are bounds; without pruning all are exact.
    """
    size, mover = signed(state[SIZE]), signed(state[SIDE])
    own, opp = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover]
    depth = min(depth, signed(state[EMPTIES]))
    work = np.zeros(WORDS, np.int64)
    work[OBJECTIVE], work[PLAYABLE] = objective, signed(playable_squares(size))
    desk, results = (table, work, control), (scores, nodes, line)
    completed = _search_moves(own, opp, depth, prune, desk, moves, results)
    if completed:
        write_line(own, opp, size, salt_of(objective, prune), table, line)
    return completed
