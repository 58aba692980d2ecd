"""Many Gumbel searches side by side on one graph: each gives the leaves of one round to the next batch.

A round visits each move that is left once, so its visits do not depend on each other. Searches of one game share what
they learn of equal positions; visits that come to the same leaf wait for one evaluation.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from .board import copy, legal_moves, play
from .graph import EDGES, GRAPH, PENDING, RESERVED, Graph, open_next, refresh, settle, swap_edges
from .graph_expand import expand
from .gumbel import PLANS, ROOTS, Gumbel, Plans, Roots, draw_numbers, required_visits, root_edge
from .jit import lean_kernel, type_of
from .layout import EMPTIES
from .leaf import DISTANCE, LEAF_WORK, UNKNOWN, LeafWork, leaf_result
from .puct import BATCH, PUCT, Batch, Puct, make_batch, node_of, select_edge

LEAF, WAITING, FULL, DONE, KNOWN = 0, 1, 2, 3, 4  # how a search stands
LEAVES, WAITERS = 0, 1  # `filled`


class Rows(NamedTuple):
    """The leaves of a batch from its front on, those who wait for one of them from its back on."""

    batch: Batch
    filled: np.ndarray  # int64 [2] how many leaves and how many who wait


class Manner(NamedTuple):
    """How the searches go about it."""

    puct: Puct
    gumbel: Gumbel


def make_rows(most: int) -> Rows:
    """Room for this many visits under way, and for one more while it is not known how it ends."""
    return Rows(make_batch(most + 1), np.zeros(2, np.int64))


ROWS = type_of(make_rows(1))
MANNER = type_of(Manner(Puct(), Gumbel()))


@lean_kernel(types.int64(GRAPH, types.int64, types.int64))
def _bring_forward(graph: Graph, node: int, edge: int) -> int:
    """Make an edge that was not opened the next one to be; returns where it is now."""
    front = np.int64(graph.nodes[node].first) + graph.nodes[node].num_opened
    if edge <= front:
        return edge
    swap_edges(graph, edge, front)
    return front


@lean_kernel(types.int64(GRAPH, types.int64, types.int64, types.uint64[::1], types.int64))
def _follow(graph: Graph, node: int, edge: int, state: np.ndarray, objective: int) -> int:
    """Play an edge's move and return its child, -1 when there is no room for it."""
    taken = graph.edges[edge]
    play(state, np.int64(taken.move))
    if taken.child >= 0:
        return int(taken.child)
    child = node_of(graph, state, objective)
    if child >= 0:
        open_next(graph, node, child)
    return child


@lean_kernel(types.int64(GRAPH, types.int64, types.uint64[::1], LEAF_WORK, types.int64))
def _look(graph: Graph, node: int, state: np.ndarray, work: LeafWork, depth: int) -> int:
    """What is to be done about a node that was never evaluated; what is certain of it is noted, but not of a root."""
    if graph.nodes[node].is_pending:
        return WAITING
    if graph.used[EDGES] + graph.used[RESERVED] + np.int64(state[EMPTIES]) + 1 > len(graph.edges):
        return FULL
    result = leaf_result(state, work) if depth > 0 else UNKNOWN
    if result == UNKNOWN:
        return LEAF
    settle(graph, node, result)
    graph.nodes[node].distance = work.limits[DISTANCE]
    return KNOWN


@lean_kernel(types.int64(GRAPH, types.int64, types.int64, PUCT, BATCH, types.int64, LEAF_WORK))
def _descend(graph: Graph, node: int, edge: int, puct: Puct, batch: Batch, row: int, work: LeafWork) -> int:
    """Go down from a root, by this edge if it is expanded, to where something can be learned; says how it ended."""
    depth, status, state = 0, -1, batch.states[row]
    while status < 0:
        if graph.nodes[node].first < 0 and graph.nodes[node].low < graph.nodes[node].high:
            status = _look(graph, node, state, work, depth)
            break
        if depth > 0:
            edge = -1 if graph.nodes[node].low == graph.nodes[node].high else select_edge(graph, node, puct, False)
        if edge < 0:
            status = KNOWN
            break
        child = _follow(graph, node, edge, state, puct.objective)
        if child < 0:
            return FULL
        batch.path[row, depth], batch.edges[row, depth] = node, edge
        depth += 1
        node = child
        if graph.nodes[node].visits > graph.edges[edge].visits and graph.nodes[node].visits >= puct.enough:
            status = KNOWN
    batch.nodes[row], batch.depths[row] = node, depth
    return status


@lean_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _mark(graph: Graph, batch: Batch, row: int, step: int) -> None:
    for index in range(batch.depths[row]):
        graph.nodes[batch.path[row, index]].in_flight += step
        graph.edges[batch.edges[row, index]].in_flight += step


@lean_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _mark_leaf(graph: Graph, batch: Batch, row: int, step: int) -> None:
    graph.nodes[batch.nodes[row]].is_pending = step > 0
    graph.used[PENDING] += step
    graph.used[RESERVED] += step * (np.int64(batch.states[row, EMPTIES]) + 1)


@lean_kernel(types.void(GRAPH, BATCH, types.int64))
def _back_up(graph: Graph, batch: Batch, row: int) -> None:
    """Count a visit along the path."""
    refresh(graph, np.int64(batch.nodes[row]))
    for index in range(np.int64(batch.depths[row]) - 1, -1, -1):
        graph.edges[batch.edges[row, index]].visits += 1
        refresh(graph, np.int64(batch.path[row, index]))


@lean_kernel(types.void(GRAPH, ROWS, types.int64))
def _enter(graph: Graph, rows: Rows, status: int) -> None:
    """Keep the descent that stands behind the leaves, as a leaf or, at the other end, as one that waits."""
    batch, row = rows.batch, rows.filled[LEAVES]
    if status == LEAF:
        rows.filled[LEAVES] += 1
        _mark_leaf(graph, batch, row, 1)
    else:
        rows.filled[WAITERS] += 1
        spare = len(batch.nodes) - rows.filled[WAITERS]
        batch.nodes[spare], batch.depths[spare] = batch.nodes[row], batch.depths[row]
        for index in range(batch.depths[row]):
            batch.path[spare, index], batch.edges[spare, index] = batch.path[row, index], batch.edges[row, index]
        row = spare
    _mark(graph, batch, row, 1)


@lean_kernel(types.boolean(ROWS))
def has_room(rows: Rows) -> bool:
    """True when one more visit may be under way."""
    return rows.filled[LEAVES] + rows.filled[WAITERS] + 1 < len(rows.batch.nodes)


@lean_kernel(types.boolean(GRAPH, ROOTS, types.int64, PLANS))
def _is_done(graph: Graph, roots: Roots, root: int, plans: Plans) -> bool:
    node = roots.nodes[root]
    if graph.nodes[node].first < 0:
        return False
    if graph.nodes[node].low == graph.nodes[node].high or graph.nodes[node].num_edges == 1:
        return True
    return roots.made[root] >= plans.visits[roots.plan[root]]


@lean_kernel(types.int64(GRAPH, ROOTS, types.int64, types.int64, PUCT, ROWS, LEAF_WORK))
def _visit(graph: Graph, roots: Roots, root: int, edge: int, puct: Puct, rows: Rows, work: LeafWork) -> int:
    """Make a visit by this edge, or to the root itself by none; says how it ended."""
    row = rows.filled[LEAVES]
    copy(roots.states[root], rows.batch.states[row])
    status = _descend(graph, np.int64(roots.nodes[root]), edge, puct, rows.batch, row, work)
    if status == FULL:
        return FULL
    if edge >= 0:
        roots.counts[root, graph.edges[edge].move] += 1
        roots.made[root] += 1
    if status == KNOWN:
        _back_up(graph, rows.batch, row)
    else:
        _enter(graph, rows, status)
    return status


@lean_kernel(types.int64(GRAPH, ROOTS, types.int64, PLANS, MANNER, ROWS, LEAF_WORK, types.uint64[::1]))
def advance(
    graph: Graph, roots: Roots, root: int, plans: Plans, manner: Manner, rows: Rows, work: LeafWork, rng: np.ndarray
) -> int:
    """Search on until a round with leaves is entered, the visits are made or the root is proven; says which.

    With no room for another visit it is as with leaves entered: the search goes on after the next evaluation.
    """
    node, entered, current = np.int64(roots.nodes[root]), False, -1
    if graph.nodes[node].first < 0:
        return _visit(graph, roots, root, -1, manner.puct, rows, work) if has_room(rows) else LEAF
    if roots.made[root] < 0:
        draw_numbers(graph, roots, root, manner.gumbel, rng)
    while True:
        is_done = _is_done(graph, roots, root, plans)
        if is_done and not entered:
            return DONE
        if is_done or not has_room(rows):
            return LEAF
        required = required_visits(graph, roots, root, plans)
        if entered and required != current:
            return LEAF
        edge, current = _bring_forward(graph, node, root_edge(graph, roots, root, plans, manner.gumbel)), required
        status = _visit(graph, roots, root, edge, manner.puct, rows, work)
        if status == FULL:
            return FULL
        entered |= status != KNOWN


@lean_kernel(types.void(GRAPH, ROWS, types.float32[:, ::1], types.float32[::1]))
def update(graph: Graph, rows: Rows, logits: np.ndarray, values: np.ndarray) -> None:
    """Expand the leaves by their evaluation, back it up for all who wait, and empty the rows."""
    batch = rows.batch
    for row in range(rows.filled[LEAVES]):
        node = np.int64(batch.nodes[row])
        _mark_leaf(graph, batch, row, -1)
        graph.nodes[node].raw = min(max(values[row], np.float32(-1.0)), np.float32(1.0))
        expand(graph, node, batch.moves, logits[row], legal_moves(batch.states[row], batch.moves))
    for row in range(len(batch.nodes)):
        if row < rows.filled[LEAVES] or row >= len(batch.nodes) - rows.filled[WAITERS]:
            _mark(graph, batch, row, -1)
            _back_up(graph, batch, row)
    rows.filled[:] = 0


@lean_kernel(types.void(GRAPH, ROWS))
def release(graph: Graph, rows: Rows) -> None:
    """Empty the rows without an evaluation; the searches that entered them must begin anew."""
    batch = rows.batch
    for row in range(len(batch.nodes)):
        if row < rows.filled[LEAVES]:
            _mark_leaf(graph, batch, row, -1)
        if row < rows.filled[LEAVES] or row >= len(batch.nodes) - rows.filled[WAITERS]:
            _mark(graph, batch, row, -1)
    rows.filled[:] = 0
