"""Tree search by rollouts: whole playouts (descend, expand, roll out, back up) without Python."""

from typing import NamedTuple

import numpy as np
from numba import types

from .board import copy, is_played, is_same, legal_moves, play
from .gomoku import CELL_MASK, CELL_SHIFT, completing
from .jit import lean_kernel, type_of
from .layout import BLACK_WON, DRAWN, EMPTIES, GOING_ON, GOMOKU, KIND, RESULT, SIDE, SIZE, STATE, STATE_WORDS
from .rng import below
from .rollout import MOST_THREATS, NUM_CELLS, rollout
from .tree import TREE, Tree, add_children, backup, select_puct, select_uct, settle

MOST_PLIES = 512  # longer than any game


class Workspace(NamedTuple):
    """What a playout needs to write on."""

    state: np.ndarray  # uint64 [STATE_WORDS]
    path: np.ndarray  # int32, the nodes from the root down
    moves: np.ndarray  # int16
    cells: np.ndarray  # int16, the empty cells of a rollout
    threats: np.ndarray  # int16 [2, MOST_THREATS], the cells where each side completes a row


class Manner(NamedTuple):
    """How a search goes about it."""

    objective: int  # +1, or -1 for the misère game
    textbook: bool  # PUCT with equal priors and uniform rollouts; no proofs, nothing decisive
    exploration: float
    first_play: float  # what a move never visited is thought to be better than its parent; not in the textbook
    patience: float  # visits of a node, beside the first, before it is expanded, for each empty point


def make_workspace() -> Workspace:
    """Fresh memory for playouts on any board."""
    return Workspace(
        np.zeros(STATE_WORDS, STATE),
        np.zeros(MOST_PLIES, np.int32),
        np.zeros(NUM_CELLS, np.int16),
        np.zeros(NUM_CELLS, np.int16),
        np.zeros((2, MOST_THREATS), np.int16),
    )


WORKSPACE = type_of(make_workspace())
MANNER = type_of(Manner(1, False, 1.0, 1.0, 1.0))


@lean_kernel("int64(int64, int64, int64)")
def terminal_value(result: int, side: int, objective: int) -> int:
    """What a finished game is worth to a side; the one place where the misère game differs."""
    if result == DRAWN:
        return 0
    return objective if result == BLACK_WON + side else -objective


@lean_kernel("boolean(int64, int16[::1], int64)")
def _is_among(move: int, moves: np.ndarray, count: int) -> bool:
    for index in range(count):  # noqa: SIM110, a generator makes an object
        if moves[index] == move:
            return True
    return False


@lean_kernel("int64(uint64[::1], int64, int16[::1], int16[::1])")
def _moves_completing(state: np.ndarray, side: int, cells: np.ndarray, moves: np.ndarray) -> int:
    """Write the moves where a row of this side is completed, each once, and return how many."""
    size, count = np.int64(state[SIZE]), 0
    for index in range(completing(state, side, cells)):
        move = (cells[index] >> CELL_SHIFT) * size + (cells[index] & CELL_MASK)
        if not _is_among(move, moves, count):
            moves[count] = move
            count += 1
    return count


@lean_kernel("int64(int16[::1], int64, int16[::1], int64, boolean)")
def _filter(moves: np.ndarray, count: int, others: np.ndarray, num_others: int, wanted: bool) -> int:
    """Keep the moves that are among the others, or those that are not; returns how many."""
    kept = 0
    for index in range(count):
        if _is_among(moves[index], others, num_others) == wanted:
            moves[kept] = moves[index]
            kept += 1
    return kept


@lean_kernel(types.int64(types.uint64[::1], types.int64, WORKSPACE))
def _sensible_moves(state: np.ndarray, objective: int, work: Workspace) -> int:
    """Write the legal moves of Gomoku without those that are lost at once, if there are any; returns how many.

    A side that can win at once has only these moves, and one that must stop a win only those; nobody completes a row
    in the misère game.
    """
    side = np.int64(state[SIDE])
    own = _moves_completing(state, side, work.threats[side], work.cells)
    count = legal_moves(state, work.moves)
    if objective < 0:
        kept = _filter(work.moves, count, work.cells, own, False)
    elif own > 0:
        kept = _filter(work.moves, count, work.cells, own, True)
    else:
        stops = _moves_completing(state, 1 - side, work.threats[1 - side], work.cells)
        kept = _filter(work.moves, count, work.cells, stops, True)
    return kept if kept > 0 else legal_moves(state, work.moves)


@lean_kernel("void(int16[::1], int64, uint64[::1])")
def _shuffle(moves: np.ndarray, count: int, rng: np.ndarray) -> None:
    for index in range(count - 1, 0, -1):
        other = below(rng, index + 1)
        moves[index], moves[other] = moves[other], moves[index]


@lean_kernel(types.boolean(TREE, types.int64, types.uint64[::1], MANNER, WORKSPACE, types.uint64[::1]))
def expand(tree: Tree, node: int, state: np.ndarray, manner: Manner, work: Workspace, rng: np.ndarray) -> bool:
    """Give a node its children, the legal moves that are not lost at once; False when the tree is full."""
    if tree.used[0] + np.int64(state[EMPTIES]) > len(tree.move):
        return False
    if manner.textbook:
        return add_children(tree, node, work.moves, legal_moves(state, work.moves))
    if np.int64(state[KIND]) == GOMOKU:
        count = _sensible_moves(state, manner.objective, work)
    else:
        count = legal_moves(state, work.moves)
    _shuffle(work.moves, count, rng)
    return add_children(tree, node, work.moves, count)


@lean_kernel(types.boolean(TREE, types.int64, MANNER, WORKSPACE, types.uint64[::1]))
def _grow(tree: Tree, node: int, manner: Manner, work: Workspace, rng: np.ndarray) -> bool:
    """Expand a node when its time has come and there is room."""
    if tree.visits[node] < 1 + int(manner.patience * np.int64(work.state[EMPTIES])):
        return False
    return expand(tree, node, work.state, manner, work, rng)


@lean_kernel(types.int64(TREE, types.int64, MANNER, WORKSPACE, types.uint64[::1]))
def _descend(tree: Tree, root: int, manner: Manner, work: Workspace, rng: np.ndarray) -> int:
    """Go down to a node that was never visited, or ends the game, or cannot be expanded; returns its depth."""
    node, depth = root, 0
    work.path[0] = root
    while work.state[RESULT] == np.uint64(GOING_ON):
        if tree.first[node] < 0 and not _grow(tree, node, manner, work, rng):
            break
        if manner.textbook:
            node = select_puct(tree, node, manner.exploration, 0.0)
        else:
            node = select_uct(tree, node, manner.exploration, manner.first_play)
        play(work.state, np.int64(tree.move[node]))
        depth += 1
        work.path[depth] = node
    return depth


@lean_kernel(types.int64(TREE, types.int64, MANNER, WORKSPACE, types.uint64[::1]))
def _evaluate(tree: Tree, node: int, manner: Manner, work: Workspace, rng: np.ndarray) -> int:
    """The value of a leaf: its result, or that of a rollout; whatever is certain is noted."""
    state, side = work.state, np.int64(work.state[SIDE])
    result, plies = np.int64(state[RESULT]), 0
    if result == GOING_ON:
        result, plies = rollout(state, manner.objective, not manner.textbook, work.cells, work.threats, rng)
    value = terminal_value(result, side, manner.objective)
    # Decisive rollouts lose with their first move only when every move loses.
    certain = plies == 0 or (plies == 1 and (value > 0 or np.int64(state[KIND]) == GOMOKU))
    if certain and not manner.textbook:
        settle(tree, node, value, plies)
    return value


@lean_kernel(types.int64(TREE, types.int64, types.uint64[::1], types.int64, MANNER, WORKSPACE, types.uint64[::1]))
def search(
    tree: Tree, root: int, state: np.ndarray, count: int, manner: Manner, work: Workspace, rng: np.ndarray
) -> int:
    """Make this many playouts from the root, fewer when it is proven before; returns how many."""
    for playout in range(count):
        if tree.low[root] == tree.high[root]:
            return playout
        copy(state, work.state)
        depth = _descend(tree, root, manner, work, rng)
        leaf = np.int64(work.path[depth])
        value = _evaluate(tree, leaf, manner, work, rng)
        backup(tree, work.path, depth, np.float64(value), tree.low[leaf] == tree.high[leaf])
    return count


@lean_kernel(types.int64(TREE, types.int64, types.uint64[:, ::1], types.int64, types.uint64[::1]))
def find(tree: Tree, node: int, states: np.ndarray, depth: int, target: np.ndarray) -> int:
    """The node below this one, whose state is `states[depth]`, that has the target's state; -1 when there is none.

    The further states are memory to work on, and limit how deep the search goes.
    """
    if is_same(states[depth], target):
        return node
    if tree.first[node] < 0 or depth + 1 == len(states):
        return -1
    for child in range(tree.first[node], tree.first[node] + tree.num_children[node]):
        if not is_played(target, np.int64(tree.move[child])):
            continue
        copy(states[depth], states[depth + 1])
        play(states[depth + 1], np.int64(tree.move[child]))
        found = find(tree, child, states, depth + 1, target)
        if found >= 0:
            return found
    return -1
