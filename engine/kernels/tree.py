"""The tree as a structure of arrays: a node is an index, its children stand side by side.

A node holds what is known of one move: the edge and the position behind it are one. Values and bounds are for the side
to move at the node, so every step between parent and child flips the sign; Othello's pass is a move like any other.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from .jit import lean_kernel, type_of


class Tree(NamedTuple):
    """Parallel arrays of nodes; the arrays are made at full length and their memory is taken as nodes are made."""

    move: np.ndarray  # int16, the move that leads here
    prior: np.ndarray  # float32
    visits: np.ndarray  # int32
    value: np.ndarray  # float32, the mean of the visits, within the bounds
    square: np.ndarray  # float32, the mean of their squares
    low: np.ndarray  # int8, what the side to move can certainly reach: -1, 0 or +1
    high: np.ndarray  # int8, what it can certainly not exceed; equal to low once the result is proven
    distance: np.ndarray  # int16, plies to the proven end
    first: np.ndarray  # int32, the first child; -1 before the node is expanded
    num_children: np.ndarray  # int16
    used: np.ndarray  # int64 [1], how many nodes are made


_DTYPES = ("int16", "float32", "int32", "float32", "float32", "int8", "int8", "int16", "int32", "int16")
NODE_BYTES = sum(np.dtype(dtype).itemsize for dtype in _DTYPES)
ROOT = 0  # of a new tree


def make_tree(capacity: int) -> Tree:
    """A tree of one node, the root, with room for this many."""
    tree = _arrays(capacity)
    clear(tree)
    return tree


def _arrays(capacity: int) -> Tree:
    arrays: list[np.ndarray] = [np.empty(capacity, dtype) for dtype in _DTYPES]
    return Tree(*arrays, *[np.zeros(1, np.int64)])


TREE = type_of(_arrays(1))


@lean_kernel(types.void(TREE, types.int64, types.int64, types.float64))
def make_node(tree: Tree, node: int, move: int, prior: float) -> None:
    """Begin a node of which nothing is known."""
    tree.move[node] = move
    tree.prior[node] = prior
    tree.visits[node] = 0
    tree.value[node] = 0.0
    tree.square[node] = 0.0
    tree.low[node] = -1
    tree.high[node] = 1
    tree.distance[node] = 0
    tree.first[node] = -1
    tree.num_children[node] = 0


@lean_kernel(types.void(TREE))
def clear(tree: Tree) -> None:
    """Forget every node but a new root."""
    tree.used[0] = 1
    make_node(tree, ROOT, -1, 1.0)


@lean_kernel(types.boolean(TREE, types.int64, types.int16[::1], types.int64))
def add_children(tree: Tree, node: int, moves: np.ndarray, count: int) -> bool:
    """Expand a node by these moves with equal priors; False and nothing done when the tree is full."""
    first = tree.used[0]
    if first + count > len(tree.move):
        return False
    for child in range(count):
        make_node(tree, first + child, moves[child], 1.0 / count)
    tree.used[0] += count
    tree.first[node] = first
    tree.num_children[node] = count
    return True


@lean_kernel(types.int64(TREE, types.int64, types.float64, types.float64))
def select_puct(tree: Tree, node: int, exploration: float, first_play: float) -> int:
    """The child with the best value plus exploration by its prior; `first_play` is the value of one never visited."""
    scale = exploration * math.sqrt(tree.visits[node])
    best, chosen = -math.inf, -1
    for child in range(tree.first[node], tree.first[node] + tree.num_children[node]):
        if -tree.low[child] <= tree.low[node]:
            continue  # it cannot exceed what is certain already
        visits = tree.visits[child]
        value = -tree.value[child] if visits > 0 else first_play
        score = value + scale * tree.prior[child] / (1 + visits)
        if score > best:
            best, chosen = score, child
    return chosen


@lean_kernel(types.int64(TREE, types.int64, types.float64, types.float64))
def select_uct(tree: Tree, node: int, exploration: float, first_play: float) -> int:
    """The child with the best upper confidence bound; one never visited has the parent's value plus `first_play`."""
    scale = exploration * math.sqrt(math.log(max(tree.visits[node], 1)))
    best, chosen = -math.inf, -1
    for child in range(tree.first[node], tree.first[node] + tree.num_children[node]):
        if -tree.low[child] <= tree.low[node]:
            continue
        visits = tree.visits[child]
        score = tree.value[node] + first_play if visits == 0 else scale / math.sqrt(visits) - tree.value[child]
        if score > best:
            best, chosen = score, child
    return chosen


@lean_kernel(types.void(TREE, types.int64, types.int64, types.int64))
def settle(tree: Tree, node: int, result: int, distance: int) -> None:
    """Note a proven result, -1, 0 or +1."""
    tree.low[node] = result
    tree.high[node] = result
    tree.distance[node] = distance


@lean_kernel(types.int64(TREE, types.int64))
def _proven_distance(tree: Tree, node: int) -> int:
    """Plies to the end by the shortest way to win, the longest to lose or draw."""
    shortest, longest = 32000, 0
    for child in range(tree.first[node], tree.first[node] + tree.num_children[node]):
        if -tree.high[child] == tree.high[node]:
            shortest = min(shortest, int(tree.distance[child]))
            longest = max(longest, int(tree.distance[child]))
    return 1 + (shortest if tree.high[node] > 0 else longest)


@lean_kernel(types.boolean(TREE, types.int64))
def refresh(tree: Tree, node: int) -> bool:
    """Derive an expanded node's bounds from its children; True when they changed."""
    low, high = -1, -1
    for child in range(tree.first[node], tree.first[node] + tree.num_children[node]):
        low = max(low, -tree.high[child])
        high = max(high, -tree.low[child])
    changed = low != tree.low[node] or high != tree.high[node]
    tree.low[node] = low
    tree.high[node] = high
    if low == high:
        tree.distance[node] = _proven_distance(tree, node)
    return changed


@lean_kernel(types.void(TREE, types.int32[::1], types.int64, types.float64, types.boolean))
def backup(tree: Tree, path: np.ndarray, depth: int, value: float, proven: bool) -> None:
    """Count a visit of this value, for the last node of the path, along the path up to the root.

    With `proven` the last node has been settled, and what follows from it is noted on the way.
    """
    for index in range(depth, -1, -1):
        node = np.int64(path[index])
        if proven and index < depth:
            proven = refresh(tree, node)
        low, high = np.float64(tree.low[node]), np.float64(tree.high[node])
        value = min(max(value, low), high)
        tree.visits[node] += 1
        step = 1.0 / tree.visits[node]
        mean = tree.value[node] + (value - tree.value[node]) * step
        tree.value[node] = min(max(mean, low), high)
        tree.square[node] += (value * value - tree.square[node]) * step
        value = -value


@lean_kernel(types.float64(TREE, types.int64, types.int64))
def rank(tree: Tree, node: int, child: int) -> float:
    """How good a choice the child is: a quick win first, then by visits, a slow loss last.

    A child that promises no more than what another has for certain comes after that one.
    """
    if tree.high[child] == -1:
        return 3e10 - tree.distance[child]
    if tree.low[child] == 1:
        return tree.distance[child] - 3e10
    visits = np.float64(tree.visits[child])
    not_certain = -tree.high[child] < tree.low[node]
    return visits - 1e10 if not_certain and -tree.value[child] <= tree.low[node] else visits


@lean_kernel(types.int64(TREE, types.int64, types.float64[::1]))
def rank_children(tree: Tree, node: int, ranks: np.ndarray) -> int:
    """Write the ranks of an expanded node's children and return how many."""
    for index in range(tree.num_children[node]):
        ranks[index] = rank(tree, node, tree.first[node] + index)
    return int(tree.num_children[node])


@lean_kernel(types.int64(TREE, types.int64))
def best_child(tree: Tree, node: int) -> int:
    """The child to choose, -1 before the node is expanded."""
    best, chosen = -math.inf, -1
    if tree.first[node] < 0:
        return chosen
    for child in range(tree.first[node], tree.first[node] + tree.num_children[node]):
        if rank(tree, node, child) > best:
            best, chosen = rank(tree, node, child), child
    return chosen


@lean_kernel(types.int64(TREE, types.int64, types.int16[:, ::1]))
def principal_lines(tree: Tree, node: int, lines: np.ndarray) -> int:
    """Write for each child the moves from it on that were thought best, -1 after the last; returns how many rows."""
    for index in range(tree.num_children[node]):
        child, length = np.int64(tree.first[node] + index), 0
        while child >= 0 and length + 1 < lines.shape[1] and (length == 0 or tree.visits[child] > 0):
            lines[index, length] = tree.move[child]
            child = best_child(tree, child)
            length += 1
        lines[index, length] = -1
    return int(tree.num_children[node])


@lean_kernel(types.void(TREE, types.int64, TREE, types.int64))
def _copy_node(source: Tree, node: int, target: Tree, place: int) -> None:
    target.move[place] = source.move[node]
    target.prior[place] = source.prior[node]
    target.visits[place] = source.visits[node]
    target.value[place] = source.value[node]
    target.square[place] = source.square[node]
    target.low[place] = source.low[node]
    target.high[place] = source.high[node]
    target.distance[place] = source.distance[node]
    target.first[place] = source.first[node]
    target.num_children[place] = source.num_children[node]


@lean_kernel(types.void(TREE, types.int64, TREE))
def copy_subtree(source: Tree, node: int, target: Tree) -> None:
    """Make the target tree of what is below a node, level by level; it must have room for that."""
    _copy_node(source, node, target, ROOT)
    made, place = 1, 0
    while place < made:
        old = target.first[place]
        if old >= 0:
            target.first[place] = made
            for child in range(target.num_children[place]):
                _copy_node(source, old + child, target, made + child)
            made += target.num_children[place]
        place += 1
    target.used[0] = made
