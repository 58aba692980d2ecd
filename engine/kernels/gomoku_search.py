"""Alpha-beta and plain minimax for Gomoku and its misère: principal variation search on counted shapes.

Replies that a rule forces cost no depth. A position searched at least as deep as it has empty points is exact.
"""

import numpy as np

from .claims import NO_CLAIM, give_back
from .gomoku_claims import claim_next
from .gomoku_moves import (
    FAVORITE,
    LIST_WORDS,
    LISTS,
    NOTES_WORDS,
    PRUNE,
    SELECTIVE,
    VARIATION_WORDS,
    VARIATIONS,
    class_of,
    is_quiet,
    list_moves,
    pick,
    point_at,
    remember_cutoff,
)
from .gomoku_play import NODE_LIMIT, NODES, STOP, WORK, Work, play, undo
from .gomoku_shapes import (
    BLACK_EXACT,
    BOARD_WORDS,
    CLASS_COUNTS,
    FREE,
    KEY,
    MAKES_FIVE,
    MAKES_FOUR_AND_THREE,
    MISERE,
    MOST_CELLS,
    NUM_CLASSES,
    TURN,
    scramble,
    set_up,
)
from .gomoku_table import AT_LEAST, AT_MOST, EQUAL, NO_CELL, answers, cell_of, equals, find, score_of, store
from .gomoku_value import decided, forced, value
from .jit import kernel, lean_kernel
from .renju import forbidden
from .scores import WIN

INFINITE = 2_000_000
LOSING = 450_000  # the most that is said of a loss when some moves were left out
HOPE = 80  # what a quiet move may add to a score in a ply
MOST_FOURS = 4  # tried one after another beyond the horizon
SELECTIVE_DEPTH = 4  # iterations from here on reduce late quiet moves
CLAIMED_FROM = 4  # depth of the nodes whose moves threads share


@lean_kernel("boolean(int64[::1])")
def _is_stopped(control: np.ndarray) -> bool:
    """Count a node, unless the search is to end: then True."""
    if control[NODE_LIMIT] and control[NODES] >= control[NODE_LIMIT]:
        control[STOP] = 1
    if control[STOP]:
        return True
    control[NODES] += 1
    return False


@lean_kernel("void(int64[::1], int64, int64)")
def _note_variation(notes: np.ndarray, ply: int, cell: int) -> None:
    here = VARIATIONS + VARIATION_WORDS * ply
    notes[here], notes[here + VARIATION_WORDS - 1] = cell, -1
    for place in range(1, VARIATION_WORDS - 1):
        notes[here + place] = notes[here + VARIATION_WORDS + place - 1]
        if notes[here + place] < 0:
            return


@lean_kernel("boolean(int64[::1], int64)")
def is_quiescent(board: np.ndarray, depth: int) -> bool:
    """True when a position at the horizon is valued as it stands: no five is threatened, no more fours are tried."""
    own = CLASS_COUNTS + board[TURN] * NUM_CLASSES
    no_fours = board[MISERE] or board[own + MAKES_FOUR_AND_THREE] == 0
    return forced(board) < 0 and (no_fours or depth <= -MOST_FOURS)


@lean_kernel(f"Tuple((boolean, int64))({WORK}, int64, int64, int64, int64)")
def _known(work: Work, depth: int, alpha: int, beta: int, ply: int) -> tuple[bool, int]:
    """Whether a position's score is known without looking at its moves, and the score, or else a lower bound."""
    board, state, notes, table, control = work
    notes[VARIATIONS + VARIATION_WORDS * ply] = -1
    if _is_stopped(control) or board[FREE] == 0:
        return True, 0
    score = decided(board, state)
    if score:
        return True, score - ply if score > 0 else score + ply
    if depth <= 0:
        standing = value(board) if forced(board) < 0 else -INFINITE
        notes[FAVORITE] = NO_CELL
        return is_quiescent(board, depth) or (standing >= beta and notes[PRUNE] != 0), standing
    entry = find(table, board[KEY])
    notes[FAVORITE] = cell_of(entry)
    score = score_of(entry, ply)
    if answers(entry, depth, alpha, beta, ply) if notes[PRUNE] else equals(entry, depth):
        return True, score
    return False, -INFINITE


@lean_kernel(f"int64({WORK}, int64, int64, int64, int64, int64)")
def _reduction(work: Work, depth: int, alpha: int, ply: int, index: int, cell: int) -> int:
    """By how much less deep a late quiet move is searched at first; -1 when it is not to be played at all."""
    board, state, notes, _, _ = work
    if board[BLACK_EXACT] and board[TURN] == 0 and forbidden(state, cell):
        return -1
    if notes[SELECTIVE] == 0 or index < 4 or notes[LISTS + LIST_WORDS * ply] or not is_quiet(board, cell):
        return 0
    if depth <= 2:
        return -1 if index >= 4 + 4 * depth or value(board) + HOPE * depth <= alpha else 0
    return 1 if index < 12 or depth < 5 else 2


@lean_kernel(f"Tuple((int64, int64, uint64))({WORK}, uint64[::1], int64, int64, int64, int64, int64)")
def _next(
    work: Work, claims: np.ndarray, depth: int, alpha: int, ply: int, index: int, end: int
) -> tuple[int, int, np.uint64]:
    """The next point, by how much less deep it is searched at first, -1 when it is not to be played, and its claim."""
    notes, claim = work[2], NO_CLAIM
    if index > 0 and depth >= CLAIMED_FROM and notes[PRUNE]:
        claim = claim_next(claims, np.uint64(work[0][KEY]), notes, ply, index, end)
    cell = pick(notes, ply, index) if claim == NO_CLAIM else point_at(notes, ply, index)
    less = _reduction(work, depth, alpha, ply, index, cell)
    if less < 0:
        give_back(claims, claim)
    return cell, less, claim


@lean_kernel("int64(int64[::1], int64[::1], int64, int64)")
def _modest(board: np.ndarray, notes: np.ndarray, best: int, ply: int) -> int:
    """The best score as far as it is sure: moves may have been left out, or none may have been legal."""
    complete = notes[LISTS + LIST_WORDS * ply] != 0
    if best > -INFINITE:
        return best if complete else max(best, -LOSING)
    if not complete:
        return value(board)
    must_complete = board[MISERE] and board[CLASS_COUNTS + board[TURN] * NUM_CLASSES + MAKES_FIVE] > 0
    return 1 + ply - WIN if must_complete else 0


@lean_kernel(f"int64({WORK}, int64, int64, int64, int64, int64, int64)")
def _conclude(work: Work, best: int, cell: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """Keep what was found in the hash table and return it."""
    board, _, notes, table, _ = work
    best = _modest(board, notes, best, ply)
    bound = AT_LEAST if best >= beta else EQUAL if best > alpha or not notes[PRUNE] else AT_MOST
    if depth > 0:
        store(table, board[KEY], best, bound, depth, cell, ply)
    return best


@lean_kernel(f"int64({WORK}, uint64[::1], int64, int64, int64, int64)")
def _visit(work: Work, claims: np.ndarray, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The score of a position for its side to move."""
    known, best = _known(work, depth, alpha, beta, ply)
    if known:
        return best
    board, state, notes, _, control = work
    best_cell, floor, alpha = NO_CELL, alpha, max(alpha, best)
    left, end = depth if forced(board) >= 0 else depth - 1, list_moves(board, notes, depth, ply)
    for index in range(end):
        cell, less, claim = _next(work, claims, depth, alpha, ply, index, end)
        if less < 0:
            continue
        low, scout = (alpha, best > -INFINITE and beta - alpha > 1) if notes[PRUNE] else (-INFINITE, False)
        play(board, state, cell)
        score = -_visit(work, claims, left - less, -low - 1, -low, ply + 1) if scout or less else low + 1
        if score > low and (score < beta or less or not scout):
            score = -_visit(work, claims, left, -beta, -low, ply + 1)
        undo(board, state)
        give_back(claims, claim)
        if control[STOP]:
            return 0
        if score > best:
            best, best_cell = score, cell
        if score > alpha:
            alpha = score
            _note_variation(notes, ply, cell)
        if alpha >= beta:
            remember_cutoff(board, notes, cell, depth, ply)
            break
    return _conclude(work, best, best_cell, depth, floor, beta, ply)


@lean_kernel(f"int64({WORK}, uint64[::1], int64, int64, int64)")
def _root_score(work: Work, claims: np.ndarray, cell: int, depth: int, best: int) -> int:
    """The score of a move at the root: exact when it is better than the best so far."""
    board, state, notes, _, control = work
    notes[VARIATIONS + VARIATION_WORDS] = -1
    if class_of(board, board[TURN] * MOST_CELLS + cell) == MAKES_FIVE:
        control[NODES] += 1
        return 1 - WIN if board[MISERE] else WIN - 1
    wide = best == -INFINITE or depth <= 1 or not notes[PRUNE]
    less = 0 if wide or notes[SELECTIVE] == 0 or depth >= board[FREE] or not is_quiet(board, cell) else 2
    play(board, state, cell)
    score = best + 1
    if not wide:
        score = -_visit(work, claims, depth - 1 - less, -best - 1, -best, 1)
    if score > best:
        score = -_visit(work, claims, depth - 1, -INFINITE, INFINITE if wide else -best, 1)
    undo(board, state)
    return score


@lean_kernel("void(int64[::1], int64, int16[::1])")
def _tell_variation(notes: np.ndarray, cell: int, line: np.ndarray) -> None:
    line[0] = cell
    for place in range(1, len(line)):
        line[place] = notes[VARIATIONS + VARIATION_WORDS + place - 1] if place < VARIATION_WORDS else -1
        if line[place] < 0:
            return


@lean_kernel("void(int64[::1], int64[::1], uint64[::1], int64, int64, boolean)")
def _prepare(board: np.ndarray, notes: np.ndarray, state: np.ndarray, depth: int, objective: int, prune: bool) -> None:
    set_up(board, state, objective)
    board[KEY] ^= 0 if prune else scramble(-1)
    notes[:LISTS] = 0
    notes[PRUNE], notes[SELECTIVE] = prune, prune and depth >= SELECTIVE_DEPTH


_OUT = "int16[::1], int32[::1], int64[::1], int16[::1], int64[::1]"


@kernel(f"int64(uint64[::1], int64, int64, boolean, uint64[:,::1], {_OUT}, uint64[::1])")
def search_together(
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
    claims: np.ndarray,
) -> int:
    """Score the root moves at this depth, in their order, and return how many were completed before the stop.

    Threads with one table and one array of claims share the work of a root.
    """
    board, notes = np.empty(BOARD_WORDS, np.int64), np.empty(NOTES_WORDS, np.int64)
    _prepare(board, notes, state, depth, objective, prune)
    work, best = (board, state.copy(), notes, table, control), -INFINITE
    for index in range(len(moves)):
        cell, before = np.int64(moves[index]), control[NODES]
        score = _root_score(work, claims, cell, depth, best)
        if control[STOP]:
            return index
        scores[index], nodes[index] = score, control[NODES] - before
        if score > best:
            best = score
            _tell_variation(notes, cell, line)
    return len(moves)


@kernel(f"int64(uint64[::1], int64, int64, boolean, uint64[:,::1], {_OUT})")
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
    """The same for a thread that is alone."""
    nobody = np.zeros(1, np.uint64)
    return search_together(state, depth, objective, prune, table, moves, scores, nodes, line, control, nobody)
