"""The search of Othello's root with the learned tables, on the 8x8 board.

Up to depth `empties` it is Multi-ProbCut's, at that depth to the end of the game; one deeper the position is solved:
first who wins, then by how many discs, and a stop in between keeps what is proven.
"""

import numpy as np

from .bits import popcount, signed
from .jit import kernel, lean_kernel
from .layout import BLACK_DISCS, SIDE, WHITE_DISCS
from .othello_endgame import INFINITE_MARGIN
from .othello_midgame import BENCH, DISC, FAR, MIDGAME_WORDS, SALT, Bench, enter, explore, prepare, static_value
from .othello_patterns import count_numbers, turn
from .othello_rows import NUM_LANES
from .othello_search import RESULTS, Results, write_line
from .othello_solver import solve_far
from .othello_table import find, position_key, salt_of, score_in
from .othello_value import proven_score
from .othello_work import HALTED, NODES, OBJECTIVE, report

PASS = 64
ASPIRATION = 300  # hundredths of a disc around what the search before found
CLOSE = 3  # discs around what it estimated, when the margin is searched


@lean_kernel(f"int64(uint64, uint64, int64, int64, {BENCH})")
def _first_score(own: np.uint64, opp: np.uint64, depth: int, guess: int, bench: Bench) -> int:
    """The score of the side to move, by a window around the guess that opens where it is wrong."""
    alpha, beta = (guess - ASPIRATION, guess + ASPIRATION) if abs(guess) < FAR else (-FAR, FAR)
    score = explore(own, opp, depth, alpha, beta, bench)
    if score <= alpha and alpha > -FAR:
        return explore(own, opp, depth, -FAR, score + 1, bench)
    if score >= beta and beta < FAR:
        return explore(own, opp, depth, score - 1, FAR, bench)
    return score


@lean_kernel(f"int64(uint64, uint64, int64, int64, {BENCH})")
def _estimated(own: np.uint64, opp: np.uint64, depth: int, best: int, bench: Bench) -> int:
    """The score after a root move for the side that made it; a bound when it is no better than the best."""
    table, work = bench[0], bench[1]
    if depth == 0:
        return -static_value(opp, own, popcount(~(own | opp)), bench)
    if best == -FAR:
        guess = score_in(find(table, position_key(opp, own, np.uint64(work[SALT]))))
        return -_first_score(opp, own, depth, guess, bench)
    score = -explore(opp, own, depth, -best - 1, -best, bench)
    return -explore(opp, own, depth, -FAR, -score + 1, bench) if score > best and not work[HALTED] else score


@lean_kernel(f"UniTuple(uint64, 2)(uint64, uint64, int64, {BENCH})")
def _play(own: np.uint64, opp: np.uint64, move: int, bench: Bench) -> tuple[np.uint64, np.uint64]:
    """The discs of both sides after a root move, the mover's first, with their numbers written."""
    numbers, empties = bench[3], popcount(~(own | opp))
    count_numbers(own, opp, numbers[empties])
    if move == PASS:
        turn(numbers[empties], numbers[empties])
        return own, opp
    return enter(own, opp, move, bench)


@lean_kernel(f"int64(uint64, uint64, int64, {BENCH}, int16[::1], {RESULTS})")
def _estimate_moves(
    own: np.uint64, opp: np.uint64, depth: int, bench: Bench, moves: np.ndarray, results: Results
) -> int:
    """Search the root moves in their order, note the best one as the line's first, and count the completed ones."""
    work, (scores, nodes, line) = bench[1], results
    best, completed = -FAR, 0
    for move in moves:
        before = work[NODES]
        mine, yours = _play(own, opp, np.int64(move), bench)
        score = _estimated(mine, yours, depth if move == PASS else depth - 1, best, bench)
        nodes[completed] = work[NODES] - before
        if work[HALTED]:
            break
        scores[completed] = score
        completed += 1
        if score > best:
            best, line[0] = score, move
    return completed


@lean_kernel(f"int64(uint64, uint64, {BENCH}, int16[::1], {RESULTS})")
def _decide_moves(own: np.uint64, opp: np.uint64, bench: Bench, moves: np.ndarray, results: Results) -> int:
    """Find a root move that wins, or else draws, and count the completed ones; none is looked at after a win."""
    work, (scores, nodes, line) = bench[1], results
    best, completed = -INFINITE_MARGIN, 0
    for move in moves:
        before = work[NODES]
        mine, yours = _play(own, opp, np.int64(move), bench)
        score = 1 if best == 1 else max(-1, min(1, -solve_far(yours, mine, -1, -max(best, -1), bench)))
        nodes[completed] = work[NODES] - before
        if work[HALTED]:
            break
        scores[completed] = proven_score(score)
        completed += 1
        if score > best:
            best, line[0] = score, move
    return completed


@lean_kernel(f"int64(uint64, uint64, int64, int64, {BENCH})")
def _first_margin(own: np.uint64, opp: np.uint64, low: int, high: int, bench: Bench) -> int:
    """The margin of the side to move, known to lie between two bounds, by a window around what was estimated."""
    guess = score_in(find(bench[0], position_key(own, opp, np.uint64(bench[1][SALT])))) // DISC
    alpha, beta = max(low, guess - CLOSE), min(high, guess + CLOSE)
    if alpha >= beta:
        alpha, beta = low, high
    margin = solve_far(own, opp, alpha, beta, bench)
    if margin <= alpha and alpha > low:
        return solve_far(own, opp, low, margin + 1, bench)
    if margin >= beta and beta < high:
        return solve_far(own, opp, margin - 1, high, bench)
    return margin


@lean_kernel(f"int64(uint64, uint64, int64, boolean, {BENCH})")
def _margin(own: np.uint64, opp: np.uint64, best: int, wins: bool, bench: Bench) -> int:
    """The margin after a root move for the side that made it, if it is better than the best, else a bound."""
    if best == -INFINITE_MARGIN:
        low, high = (-INFINITE_MARGIN, 0) if wins else (0, INFINITE_MARGIN)
        return -_first_margin(opp, own, low, high, bench)
    margin = -solve_far(opp, own, -best - 1, -best, bench)
    return -solve_far(opp, own, -INFINITE_MARGIN, -margin + 1, bench) if margin > best else margin


@lean_kernel(f"void(uint64, uint64, {BENCH}, int16[::1], {RESULTS})")
def _measure_moves(own: np.uint64, opp: np.uint64, bench: Bench, moves: np.ndarray, results: Results) -> None:
    """Find the greatest margin among the moves that share the best result, as far as time allows.

    The first of them is the one that was chosen; those that were not reached count as no better.
    """
    work, (scores, nodes, line) = bench[1], results
    decided, best = -proven_score(INFINITE_MARGIN), -INFINITE_MARGIN
    for score in scores:
        decided = max(decided, np.int64(score))
    for place in range(len(moves)):
        if scores[place] != decided or decided == 0:
            continue
        before = work[NODES]
        mine, yours = _play(own, opp, np.int64(moves[place]), bench)
        margin = best if work[HALTED] else _margin(mine, yours, best, decided > 0, bench)
        nodes[place] += work[NODES] - before
        if work[HALTED]:
            margin = best
        if margin > best:
            best, line[0] = margin, moves[place]
        if margin > -INFINITE_MARGIN:
            scores[place] = proven_score(margin)


@lean_kernel(f"int64(uint64, uint64, int64, {BENCH}, int16[::1], {RESULTS})")
def _search_moves(own: np.uint64, opp: np.uint64, depth: int, bench: Bench, moves: np.ndarray, results: Results) -> int:
    """Estimate or solve, write the line and count the completed moves."""
    work, solves = bench[1], depth > popcount(~(own | opp))
    if solves:
        completed = _decide_moves(own, opp, bench, moves, results)
        if completed == len(moves):
            _measure_moves(own, opp, bench, moves, results)
    else:
        completed = _estimate_moves(own, opp, depth, bench, moves, results)
    if completed:
        salt = salt_of(work[OBJECTIVE], True) if solves else np.uint64(work[SALT])
        write_line(own, opp, 8, salt, bench[0], results[2])
    return completed


@kernel(
    "int64(uint64[::1], int64, int64, boolean, uint64[:, ::1], "
    "int16[::1], int32[::1], int64[::1], int16[::1], int64[::1], int16[:, ::1], int64[:, ::1], int64, uint64[::1])"
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
    weights: np.ndarray,
    errors: np.ndarray,
    caution: int,
    claims: np.ndarray,
) -> int:
    """Search the root moves in their order and return how many were completed; it always prunes.

    Threads with one table and one array of claims share the work of a root.
    Scores are for the side to move: the best one is exact, the others are bounds.
    """
    mover = signed(state[SIDE])
    own, opp = state[BLACK_DISCS + mover], state[WHITE_DISCS - mover]
    work, numbers = np.zeros(MIDGAME_WORDS, np.int64), np.empty((65, NUM_LANES), np.uint16)
    prepare(objective, caution, errors, work)
    bench, results = (table, work, control, numbers, weights, claims), (scores, nodes, line)
    completed = _search_moves(own, opp, depth, bench, moves, results)
    report(work, control)
    return completed
