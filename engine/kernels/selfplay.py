"""Self-play without Python: games are searched, recorded and played on until each has a leaf that wants evaluation."""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from .board import copy, play
from .gomoku_play import Work
from .gomoku_vcf import leaf_vcf, make_vcf_work
from .graph import GRAPH, Graph, refresh
from .gumbel import PLANS, ROOTS, Plans, Roots, chosen_edge, forget, improve, make_roots, surprise
from .jit import lean_kernel, type_of
from .layout import EMPTIES, GOING_ON, GOMOKU, KIND, OBJECTIVE, OTHELLO, RESULT, SIDE, STATE, STATE_WORDS
from .leaf import LEAF_WORK, UNKNOWN, LeafWork, leaf_result
from .lockstep import DONE, FULL, LEAF, MANNER, ROWS, Manner, Rows, advance, has_room
from .puct import node_of
from .rng import below

PLAYING, ENDED = 10, 11  # how a game stands, beside what is said of its search
FULL_PLAN, SMALL_PLAN = 0, 1
_FINE = 1 << 24  # steps from 0 to 1


class Games(NamedTuple):
    """Games that are played side by side, one a row, with what is recorded of their plies."""

    roots: Roots
    starts: np.ndarray  # uint64 [games, STATE_WORDS]
    status: np.ndarray  # int32 [games]
    plays_on: np.ndarray  # bool [games] the game goes on when its result is proven
    streak: np.ndarray  # int32 [games, 2] how often in turn each side thought the game decided
    plies: np.ndarray  # int32 [games]
    moves: np.ndarray  # int16 [games, plies] -1 where the game was cut
    policies: np.ndarray  # float32 [games, plies, num_moves]
    values: np.ndarray  # float32 [games, plies]
    surprises: np.ndarray  # float32 [games, plies]
    proofs: np.ndarray  # int8 [games, plies + 1] what was proven for the side to move, UNKNOWN if nothing
    weights: np.ndarray  # float32 [games, plies]


class Course(NamedTuple):
    """What makes games shorter, or less perfect."""

    exact: int = 12  # Othello is solved and ended with so many empty squares
    fours: int = 1000  # nodes of the search for a win by fours before each move
    decided: float = 0.9  # a value beyond this, ...
    patience: int = 3  # ... so often in turn, decides a game
    weight: float = 0.1  # of the plies of a decided game
    careless: float = 0.0  # share of the moves that are played without a look at what the search found


def make_games(count: int, num_moves: int, most_plies: int) -> Games:
    """Room for this many games."""
    return Games(
        make_roots(count, num_moves),
        np.zeros((count, STATE_WORDS), STATE),
        np.full(count, ENDED, np.int32),
        np.zeros(count, np.bool_),
        np.zeros((count, 2), np.int32),
        np.zeros(count, np.int32),
        np.zeros((count, most_plies), np.int16),
        np.zeros((count, most_plies, num_moves), np.float32),
        np.zeros((count, most_plies), np.float32),
        np.zeros((count, most_plies), np.float32),
        np.full((count, most_plies + 1), UNKNOWN, np.int8),
        np.zeros((count, most_plies), np.float32),
    )


GAMES = type_of(make_games(1, 1, 1))
COURSE = type_of(Course())
WORK = type_of(make_vcf_work())


@lean_kernel(types.void(GAMES, types.int64, types.uint64[::1], types.boolean))
def begin_game(games: Games, game: int, state: np.ndarray, plays_on: bool) -> None:
    """Put a new game into a row."""
    copy(state, games.starts[game])
    copy(state, games.roots.states[game])
    games.plays_on[game] = plays_on
    games.streak[game, :] = 0
    games.plies[game] = 0
    games.proofs[game, :] = UNKNOWN
    games.status[game] = PLAYING
    forget(games.roots, game)


@lean_kernel(types.void(GAMES, types.int64, types.int64))
def _play(games: Games, game: int, move: int) -> None:
    games.moves[game, games.plies[game]] = move
    games.plies[game] += 1
    play(games.roots.states[game], move)
    forget(games.roots, game)


@lean_kernel(types.boolean(GAMES, types.int64, COURSE, WORK))
def _wins_by_fours(games: Games, game: int, course: Course, fours: Work) -> bool:
    """True when the side to move has a win by fours; it is recorded and its first move played."""
    state, ply = games.roots.states[game], games.plies[game]
    if np.int64(state[KIND]) != GOMOKU or state[OBJECTIVE] or course.fours == 0:
        return False
    if leaf_vcf(state, fours, course.fours) <= 0:
        return False
    move = fours[2][0]
    games.policies[game, ply, :] = 0.0
    games.policies[game, ply, move] = 1.0
    games.values[game, ply] = games.weights[game, ply] = 1.0
    games.surprises[game, ply] = 0.0
    games.proofs[game, ply] = 1
    _play(games, game, move)
    return True


@lean_kernel(types.boolean(GAMES, types.int64))
def _may_cut(games: Games, game: int) -> bool:
    """True when a proof ends the game; Othello wants to know its last discs."""
    return not games.plays_on[game] and np.int64(games.starts[game, KIND]) == GOMOKU


@lean_kernel(types.int64(GRAPH, types.int64, types.uint64[::1], LEAF_WORK))
def _certain(graph: Graph, node: int, state: np.ndarray, work: LeafWork) -> int:
    """What is proven of a root that was not expanded, which is searched nevertheless if the game goes on."""
    here = graph.nodes[node]
    if here.first >= 0:
        return UNKNOWN
    result = int(here.low)
    if here.low < here.high:
        return leaf_result(state, work)
    here.low, here.high, here.visits, here.distance = -1, 1, 0, 0
    return result


@lean_kernel(types.int64(GRAPH, GAMES, types.int64, COURSE, LEAF_WORK))
def _begin_search(graph: Graph, games: Games, game: int, course: Course, work: LeafWork) -> int:
    """Prepare the search of the position at hand, unless the game ends here or there is no room."""
    roots, ply = games.roots, games.plies[game]
    state = roots.states[game]
    solved = np.int64(state[KIND]) == OTHELLO and np.int64(state[EMPTIES]) <= course.exact
    if np.int64(state[RESULT]) != GOING_ON or (solved and not games.plays_on[game]):
        return ENDED
    node = node_of(graph, state, 1 - 2 * np.int64(state[OBJECTIVE]))
    if node < 0:
        return FULL
    result = _certain(graph, node, state, work)
    games.proofs[game, ply] = result
    if result != UNKNOWN and _may_cut(games, game):
        return ENDED
    roots.nodes[game] = node
    decided = games.streak[game, np.int64(state[SIDE])] >= course.patience
    roots.plan[game] = SMALL_PLAN if decided else FULL_PLAN
    games.weights[game, ply] = course.weight if decided else 1.0
    return PLAYING


@lean_kernel(types.int64(GRAPH, types.int64, types.uint64[::1]))
def _careless_edge(graph: Graph, node: int, rng: np.ndarray) -> int:
    """An edge by chance, each as likely as its prior's square root: what is played by somebody who does not look."""
    first, count = np.int64(graph.nodes[node].first), np.int64(graph.nodes[node].num_edges)
    total = 0.0
    for edge in range(first, first + count):
        total += math.sqrt(graph.edges[edge].prior)
    left = total * below(rng, _FINE) / _FINE
    for edge in range(first, first + count):
        left -= math.sqrt(graph.edges[edge].prior)
        if left < 0.0:
            return edge
    return int(first)


@lean_kernel(types.boolean(GRAPH, GAMES, types.int64, MANNER, COURSE, types.uint64[::1]))
def _conclude(graph: Graph, games: Games, game: int, manner: Manner, course: Course, rng: np.ndarray) -> bool:
    """Record a finished search and play its move; True when the game's result is proven by it."""
    roots, ply, node = games.roots, games.plies[game], np.int64(games.roots.nodes[game])
    policy, side = games.policies[game, ply], np.int64(games.roots.states[game, SIDE])
    refresh(graph, node)  # other games may have proven its children since its last visit
    value = improve(graph, roots, game, manner.gumbel, policy)
    games.values[game, ply] = value
    games.surprises[game, ply] = surprise(graph, node, policy)
    games.streak[game, side] = games.streak[game, side] + 1 if abs(value) > course.decided else 0
    is_proven = graph.nodes[node].low == graph.nodes[node].high
    if is_proven:
        games.proofs[game, ply] = graph.nodes[node].low
    edge = chosen_edge(graph, roots, game, manner.gumbel)
    if course.careless > 0.0 and not is_proven and below(rng, _FINE) < course.careless * _FINE:
        edge = _careless_edge(graph, node, rng)
    _play(games, game, np.int64(graph.edges[edge].move))
    return is_proven


@lean_kernel(types.int64(GRAPH, GAMES, types.int64, PLANS, MANNER, COURSE, ROWS, LEAF_WORK, WORK, types.uint64[::1]))
def _play_on(
    graph: Graph,
    games: Games,
    game: int,
    plans: Plans,
    manner: Manner,
    course: Course,
    rows: Rows,
    work: LeafWork,
    fours: Work,
    rng: np.ndarray,
) -> int:
    """Play until a leaf wants evaluation, the game has ended or there is no room."""
    while True:
        if games.roots.nodes[game] < 0:
            if not has_room(rows):
                return LEAF
            if _wins_by_fours(games, game, course, fours):
                if _may_cut(games, game):
                    return ENDED
                continue
            status = _begin_search(graph, games, game, course, work)
            if status != PLAYING:
                return status
        status = advance(graph, games.roots, game, plans, manner, rows, work, rng)
        if status != DONE:
            return status
        if _conclude(graph, games, game, manner, course, rng) and _may_cut(games, game):
            return ENDED


@lean_kernel(types.boolean(GRAPH, GAMES, PLANS, MANNER, COURSE, ROWS, LEAF_WORK, WORK, types.uint64[::1]))
def gather(
    graph: Graph,
    games: Games,
    plans: Plans,
    manner: Manner,
    course: Course,
    rows: Rows,
    work: LeafWork,
    fours: Work,
    rng: np.ndarray,
) -> bool:
    """Bring every game to a leaf or to its end; False when the graph had no room for all."""
    for game in range(len(games.status)):
        if games.status[game] == ENDED:
            continue
        status = _play_on(graph, games, game, plans, manner, course, rows, work, fours, rng)
        if status == FULL:
            return False
        if status == ENDED:
            games.status[game] = ENDED
    return True


@lean_kernel(types.void(ROOTS))
def restart(roots: Roots) -> None:
    """Begin every search anew, as the graph forgot what they found."""
    for root in range(len(roots.nodes)):
        forget(roots, root)
