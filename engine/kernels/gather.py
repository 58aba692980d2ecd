"""Batched descents on a graph of positions: leaves are gathered, evaluated elsewhere, and backed up.

Visits under way count in the exploration term only, never in values (WU-UCT). A descent that meets a leaf that waits
already ends the gathering; with a budget of such collisions it counts as under way until the gathering ends. With
tactics a leaf whose result small searches prove is settled at once and never evaluated.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from .board import copy, legal_moves, play, play_on
from .graph import EDGES, GRAPH, NUM_MOVES, PENDING, RESERVED, Graph, count_visit, open_next, refresh, settle
from .graph_expand import expand_most, show_hidden
from .jit import inlined_kernel, lean_kernel, type_of
from .layout import EMPTIES
from .leaf import DISTANCE, LEAF_WORK, UNKNOWN, LeafWork, leaf_moves, result_below_root, stand_at_root
from .puct import BATCH, PUCT, Batch, Puct, node_of, select_edge

LEAF, KNOWN, COLLISION, FULL = 0, 1, 2, 3  # how a descent ended
_LARGEST = np.float32(3.4e38)  # number, nearly


class Bounds(NamedTuple):
    """What a gathering may do at most."""

    leaves: int
    visits: int


BOUNDS = type_of(Bounds(1, 1))


@inlined_kernel(types.boolean(GRAPH, types.uint64[::1]))
def _has_room(graph: Graph, state: np.ndarray) -> bool:
    """True when all moves of a state can have an edge, whatever the leaves that wait will need for a moment."""
    promised = graph.used[EDGES] + graph.used[RESERVED] + np.int64(state[EMPTIES]) + 1
    return promised + NUM_MOVES <= len(graph.edges)


@lean_kernel(types.boolean(GRAPH, types.int64, types.uint64[::1], types.int16[::1]))
def show_all(graph: Graph, node: int, state: np.ndarray, moves: np.ndarray) -> bool:
    """Give every move of an expanded node its edge; False when there is no room."""
    if graph.nodes[node].num_hidden == 0:
        return True
    if not _has_room(graph, state):
        return False
    show_hidden(graph, node, moves, legal_moves(state, moves))
    return True


@inlined_kernel(types.int64(GRAPH, types.int64, PUCT, BATCH, types.int64, LEAF_WORK, types.int64))
def _look(graph: Graph, node: int, puct: Puct, batch: Batch, row: int, work: LeafWork, depth: int) -> int:
    """Say what is to be done about a node without edges, and list its moves; a root is never settled."""
    state, moves, result = batch.states[row], batch.lists[row], UNKNOWN
    if graph.nodes[node].is_pending:
        return COLLISION
    if not _has_room(graph, state):
        return FULL
    if puct.tactics:
        result = result_below_root(state, work, depth)
    if result != UNKNOWN and depth > 0:
        settle(graph, node, result)
        graph.nodes[node].distance = work.limits[DISTANCE]
        return KNOWN
    is_sifted = puct.tactics and result == UNKNOWN
    batch.counts[row] = leaf_moves(state, work, moves) if is_sifted else legal_moves(state, moves)
    batch.widths[row] = min(np.int64(batch.counts[row]), puct.width)
    return LEAF


@inlined_kernel(types.int64(GRAPH, types.int64, types.int64, types.uint64[::1], PUCT))
def _follow(graph: Graph, node: int, edge: int, state: np.ndarray, puct: Puct) -> int:
    """Play an edge's move and return its child, -1 when there is no room for it."""
    taken = graph.edges[edge]
    move = np.int64(taken.move)
    if taken.child >= 0:
        play_on(state, move)
        return int(taken.child)
    play(state, move)
    child = node_of(graph, state, puct.objective)
    if child >= 0:
        open_next(graph, node, child)
    return child


@inlined_kernel(types.int64(GRAPH, types.int64, PUCT, BATCH, types.int64, types.boolean))
def _choose_edge(graph: Graph, node: int, puct: Puct, batch: Batch, row: int, is_root: bool) -> int:
    """As select_edge, for a node whose state is in the row; moves without an edge are given theirs, -2 without room."""
    edge = select_edge(graph, node, puct, is_root)
    if edge == np.int64(graph.nodes[node].first) + graph.nodes[node].num_edges:
        if not show_all(graph, node, batch.states[row], batch.moves):
            return -2
        edge = select_edge(graph, node, puct, is_root)
    return edge


@inlined_kernel(types.int64(GRAPH, types.int64, PUCT, BATCH, types.int64, LEAF_WORK))
def _descend(graph: Graph, root: int, puct: Puct, batch: Batch, row: int, work: LeafWork) -> int:
    """Go down from the root, whose state is in the row, to where something new can be learned; says how it ended."""
    node, depth, status = root, 0, -1
    while status < 0:
        if graph.nodes[node].low == graph.nodes[node].high:
            status = KNOWN
        elif graph.nodes[node].first < 0:
            status = _look(graph, node, puct, batch, row, work, depth)
        else:
            edge = _choose_edge(graph, node, puct, batch, row, depth == 0)
            if edge < 0:
                status = KNOWN if edge == -1 else FULL
                break
            child = _follow(graph, node, edge, batch.states[row], puct)
            if child < 0:
                return FULL
            batch.path[row, depth], batch.edges[row, depth] = node, edge - graph.nodes[node].first
            work.line[depth] = graph.edges[edge].move
            depth += 1
            node = child
            if graph.nodes[node].visits > graph.edges[edge].visits and graph.nodes[node].visits >= puct.enough:
                status = KNOWN
    batch.nodes[row], batch.depths[row] = node, depth
    return status


@inlined_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _mark_path(graph: Graph, batch: Batch, row: int, step: int) -> None:
    for index in range(batch.depths[row]):
        node = batch.path[row, index]
        graph.nodes[node].in_flight += step
        graph.edges[graph.nodes[node].first + batch.edges[row, index]].in_flight += step


@inlined_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _set_aside(graph: Graph, batch: Batch, row: int, spare: int) -> None:
    """Keep the path of a collision in a spare row and count it as under way."""
    batch.depths[spare] = batch.depths[row]
    for index in range(batch.depths[row]):
        batch.path[spare, index] = batch.path[row, index]
        batch.edges[spare, index] = batch.edges[row, index]
    _mark_path(graph, batch, spare, 1)


@inlined_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _mark(graph: Graph, batch: Batch, row: int, step: int) -> None:
    """Note that a leaf waits for its evaluation (+1), or that it does no longer (-1)."""
    graph.nodes[batch.nodes[row]].is_pending = step > 0
    graph.used[PENDING] += step
    graph.used[RESERVED] += step * np.int64(batch.widths[row])
    _mark_path(graph, batch, row, step)


@inlined_kernel(types.void(GRAPH, BATCH, types.int64))
def _back_up(graph: Graph, batch: Batch, row: int) -> None:
    """Count a visit along the path; the node where the descent stopped may be out of date as well."""
    node = np.int64(batch.nodes[row])
    value, square = np.float64(graph.nodes[node].value), np.float64(graph.nodes[node].square)
    refresh(graph, node)
    for index in range(np.int64(batch.depths[row]) - 1, -1, -1):
        node = np.int64(batch.path[row, index])
        above, square_above = np.float64(graph.nodes[node].value), np.float64(graph.nodes[node].square)
        count_visit(graph, node, np.int64(graph.nodes[node].first) + batch.edges[row, index], value, square)
        value, square = above, square_above


@lean_kernel(types.int64(GRAPH, types.int64, types.uint64[::1], BOUNDS, PUCT, BATCH, LEAF_WORK))
def gather(graph: Graph, root: int, state: np.ndarray, bounds: Bounds, puct: Puct, batch: Batch, work: LeafWork) -> int:
    """Write leaves that want evaluation, as many as there may be; returns how many.

    Visits that end in something known are backed up at once.
    """
    batch.ends[:] = 0
    leaves, visits = 0, bounds.visits
    if puct.tactics:
        stand_at_root(state, work)
    spare = len(batch.nodes)  # leaves fill the rows from the front, collisions from the back
    while leaves < min(bounds.leaves, spare) and visits > 0 and graph.nodes[root].low < graph.nodes[root].high:
        copy(state, batch.states[leaves])
        status = _descend(graph, root, puct, batch, leaves, work)
        batch.ends[status] += 1
        if status == FULL or batch.ends[COLLISION] > puct.collisions:
            break
        if status == COLLISION:
            spare -= 1
            _set_aside(graph, batch, leaves, spare)
            continue
        visits -= 1
        if status == KNOWN:
            _back_up(graph, batch, leaves)
        else:
            _mark(graph, batch, leaves, 1)
            leaves += 1
    for row in range(spare, len(batch.nodes)):
        _mark_path(graph, batch, row, -1)
    return leaves


@lean_kernel("boolean(float32[:, ::1], float32[::1])")
def are_numbers(logits: np.ndarray, values: np.ndarray) -> bool:
    """True when an evaluation has neither infinities nor what is no number; what is no number equals nothing."""
    bad = 0
    for row in range(len(values)):
        bad += not abs(values[row]) <= _LARGEST
        for move in range(logits.shape[1]):
            bad += not abs(logits[row, move]) <= _LARGEST
    return bad == 0


@lean_kernel(types.boolean(GRAPH, BATCH, types.int64, types.float32[:, ::1], types.float32[::1]))
def update(graph: Graph, batch: Batch, count: int, logits: np.ndarray, values: np.ndarray) -> bool:
    """Expand the first leaves of a batch by their evaluation and back it up; False, and nothing done, if it is none."""
    if not are_numbers(logits, values):
        return False
    for row in range(count):
        _mark(graph, batch, row, -1)
        node = np.int64(batch.nodes[row])
        value = min(max(values[row], np.float32(-1.0)), np.float32(1.0))
        graph.nodes[node].raw = value
        num_moves, width = np.int64(batch.counts[row]), np.int64(batch.widths[row])
        expand_most(graph, node, batch.lists[row], logits[row], num_moves, width)
        _back_up(graph, batch, row)
    return True


@lean_kernel(types.void(GRAPH, BATCH, types.int64))
def release(graph: Graph, batch: Batch, count: int) -> None:
    """Give the first leaves of a batch back without an evaluation."""
    for row in range(count):
        _mark(graph, batch, row, -1)
