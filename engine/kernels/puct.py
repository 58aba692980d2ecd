"""Batched PUCT on a graph of positions: leaves are gathered, evaluated elsewhere, and backed up.

Visits under way count in the exploration term only, never in values (WU-UCT). A descent that meets a leaf that waits
already ends the gathering; with a budget of such collisions it counts as under way until the gathering ends.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from .board import copy, key, legal_moves, play
from .graph import EDGES, GRAPH, PENDING, RESERVED, Graph, add_node, expand, find_node, open_next, refresh, settle
from .jit import lean_kernel, type_of
from .layout import EMPTIES, GOING_ON, RESULT, SIDE, STATE, STATE_WORDS
from .uct import MOST_PLIES, terminal_value

LEAF, KNOWN, COLLISION, FULL = 0, 1, 2, 3  # how a descent ended
_NUM_MOVES = 512  # more than any board has


class Puct(NamedTuple):
    """How a search weighs what it knows against what it does not."""

    objective: int = 1  # -1 for the misère game
    exploration: float = 1.0
    growth: float = 0.45  # of the exploration, with the logarithm of the visits
    base: float = 500.0  # visits after which it begins to grow
    deviation: float = 0.4  # of values, where nothing is known
    deviation_weight: float = 2.0  # visits that this is worth
    deviation_scale: float = 0.85  # how far the exploration follows the deviation
    reduction: float = 0.2  # a move never visited is thought this much worse than its parent
    root_reduction: float = 0.1
    collisions: int = 0  # that the gathering of a batch survives
    enough: int = 11  # visits of a transposition that make a further visit needless, if they are more than the edge's


class Batch(NamedTuple):
    """The leaves that wait for their evaluation, one a row, and how they were reached."""

    states: np.ndarray  # uint64 [batch, STATE_WORDS]
    nodes: np.ndarray  # int32 [batch]
    depths: np.ndarray  # int32 [batch]
    path: np.ndarray  # int32 [batch, MOST_PLIES], the nodes above the leaf
    edges: np.ndarray  # int32 [batch, MOST_PLIES], the edge taken at each
    moves: np.ndarray  # int16, to write on


def make_batch(most: int) -> Batch:
    """Room for this many leaves and collisions together."""
    return Batch(
        np.zeros((most, STATE_WORDS), STATE),
        np.zeros(most, np.int32),
        np.zeros(most, np.int32),
        np.zeros((most, MOST_PLIES), np.int32),
        np.zeros((most, MOST_PLIES), np.int32),
        np.zeros(_NUM_MOVES, np.int16),
    )


PUCT = type_of(Puct())
BATCH = type_of(make_batch(1))


@lean_kernel(types.int64(GRAPH, types.uint64[::1], types.int64))
def node_of(graph: Graph, state: np.ndarray, objective: int) -> int:
    """The node of a state, made and settled if need be; -1 when there is no room."""
    hashed = key(state)
    node = find_node(graph, hashed)
    if node >= 0:
        return node
    node = add_node(graph, hashed)
    result = np.int64(state[RESULT])
    if node >= 0 and result != GOING_ON:
        settle(graph, node, terminal_value(result, np.int64(state[SIDE]), objective))
    return node


@lean_kernel(types.float64(GRAPH, types.int64, PUCT))
def _exploration(graph: Graph, node: int, puct: Puct) -> float:
    """The weight of priors at a node, more where values differ and visits are many."""
    visits, mean = np.float64(graph.visits[node]), np.float64(graph.value[node])
    seen = max(np.float64(graph.square[node]) - mean * mean, 0.0) * visits
    guess = puct.deviation * puct.deviation * puct.deviation_weight
    deviation = math.sqrt((seen + guess) / (visits + puct.deviation_weight))
    factor = 1.0 + puct.deviation_scale * (deviation / puct.deviation - 1.0)
    under_way = visits + graph.in_flight[node]
    grown = puct.exploration + puct.growth * math.log(1.0 + under_way / puct.base)
    return grown * factor * math.sqrt(under_way)


@lean_kernel(types.int64(GRAPH, types.int64, PUCT, types.boolean))
def select_edge(graph: Graph, node: int, puct: Puct, is_root: bool) -> int:
    """The edge to follow; -1 when none can exceed what is certain, so that the node's bounds are out of date."""
    low, first, opened = graph.low[node], int(graph.first[node]), int(graph.num_opened[node])
    scale = _exploration(graph, node, puct)
    reduction = puct.root_reduction if is_root else puct.reduction
    first_play = graph.value[node] - reduction * math.sqrt(max(np.float64(graph.mass[node]), 0.0))
    best, chosen = -math.inf, -1
    for edge in range(first, first + opened):
        child = graph.child[edge]
        if -graph.low[child] <= low:
            continue  # by the child's bounds as they are now, whoever proved them
        value = -graph.value[child] if graph.visits[child] > 0 else first_play
        score = value + scale * graph.prior[edge] / (1 + graph.edge_visits[edge] + graph.edge_in_flight[edge])
        if score > best:
            best, chosen = score, edge
    if opened < graph.num_edges[node] and first_play + scale * graph.prior[first + opened] > best:
        chosen = first + opened
    return chosen


@lean_kernel(types.int64(GRAPH, types.int64, types.uint64[::1]))
def _leaf_status(graph: Graph, node: int, state: np.ndarray) -> int:
    if graph.is_pending[node]:
        return COLLISION
    promised = graph.used[EDGES] + graph.used[RESERVED] + np.int64(state[EMPTIES]) + 1
    return LEAF if promised <= len(graph.move) else FULL


@lean_kernel(types.int64(GRAPH, types.int64, types.int64, types.uint64[::1], PUCT))
def _follow(graph: Graph, node: int, edge: int, state: np.ndarray, puct: Puct) -> int:
    """Play an edge's move and return its child, -1 when there is no room for it."""
    play(state, np.int64(graph.move[edge]))
    if graph.child[edge] >= 0:
        return int(graph.child[edge])
    child = node_of(graph, state, puct.objective)
    if child >= 0:
        open_next(graph, node, child)
    return child


@lean_kernel(types.int64(GRAPH, types.int64, PUCT, BATCH, types.int64))
def _descend(graph: Graph, root: int, puct: Puct, batch: Batch, row: int) -> int:
    """Go down from the root, whose state is in the row, to where something new can be learned; says how it ended."""
    node, depth, status = root, 0, -1
    while status < 0:
        if graph.low[node] == graph.high[node]:
            status = KNOWN
        elif graph.first[node] < 0:
            status = _leaf_status(graph, node, batch.states[row])
        else:
            edge = select_edge(graph, node, puct, depth == 0)
            if edge < 0:
                status = KNOWN
                break
            child = _follow(graph, node, edge, batch.states[row], puct)
            if child < 0:
                return FULL
            batch.path[row, depth], batch.edges[row, depth] = node, edge
            depth += 1
            node = child
            if graph.visits[node] > graph.edge_visits[edge] and graph.visits[node] >= puct.enough:
                status = KNOWN
    batch.nodes[row], batch.depths[row] = node, depth
    return status


@lean_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _mark_path(graph: Graph, batch: Batch, row: int, step: int) -> None:
    for index in range(batch.depths[row]):
        graph.in_flight[batch.path[row, index]] += step
        graph.edge_in_flight[batch.edges[row, index]] += step


@lean_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _set_aside(graph: Graph, batch: Batch, row: int, spare: int) -> None:
    """Keep the path of a collision in a spare row and count it as under way."""
    batch.depths[spare] = batch.depths[row]
    for index in range(batch.depths[row]):
        batch.path[spare, index] = batch.path[row, index]
        batch.edges[spare, index] = batch.edges[row, index]
    _mark_path(graph, batch, spare, 1)


@lean_kernel(types.void(GRAPH, BATCH, types.int64, types.int64))
def _mark(graph: Graph, batch: Batch, row: int, step: int) -> None:
    """Note that a leaf waits for its evaluation (+1), or that it does no longer (-1)."""
    graph.is_pending[batch.nodes[row]] = step > 0
    graph.used[PENDING] += step
    graph.used[RESERVED] += step * (np.int64(batch.states[row, EMPTIES]) + 1)
    _mark_path(graph, batch, row, step)


@lean_kernel(types.void(GRAPH, BATCH, types.int64))
def _back_up(graph: Graph, batch: Batch, row: int) -> None:
    """Count a visit along the path; the node where the descent stopped may be out of date as well."""
    refresh(graph, np.int64(batch.nodes[row]))
    for index in range(np.int64(batch.depths[row]) - 1, -1, -1):
        graph.edge_visits[batch.edges[row, index]] += 1
        refresh(graph, np.int64(batch.path[row, index]))


@lean_kernel(
    types.int64(GRAPH, types.int64, types.uint64[::1], types.int64, types.int64, PUCT, BATCH, types.int64[::1])
)
def gather(
    graph: Graph, root: int, state: np.ndarray, most: int, visits: int, puct: Puct, batch: Batch, ends: np.ndarray
) -> int:
    """Write at most `most` leaves that want evaluation, by at most this many visits; returns how many.

    Visits that end in something known are backed up at once. `ends` counts how the descents ended.
    """
    leaves, spare = 0, len(batch.nodes)  # leaves fill the rows from the front, collisions from the back
    while leaves < min(most, spare) and visits > 0 and graph.low[root] < graph.high[root]:
        copy(state, batch.states[leaves])
        status = _descend(graph, root, puct, batch, leaves)
        ends[status] += 1
        if status == FULL or ends[COLLISION] > puct.collisions:
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


@lean_kernel(types.void(GRAPH, BATCH, types.int64, types.float32[:, ::1], types.float32[::1]))
def update(graph: Graph, batch: Batch, count: int, logits: np.ndarray, values: np.ndarray) -> None:
    """Expand the first leaves of a batch by their evaluation and back it up."""
    for row in range(count):
        _mark(graph, batch, row, -1)
        node = np.int64(batch.nodes[row])
        value = min(max(values[row], np.float32(-1.0)), np.float32(1.0))
        graph.raw[node] = value
        expand(graph, node, batch.moves, logits[row], legal_moves(batch.states[row], batch.moves))
        _back_up(graph, batch, row)


@lean_kernel(types.void(GRAPH, BATCH, types.int64))
def release(graph: Graph, batch: Batch, count: int) -> None:
    """Give the first leaves of a batch back without an evaluation."""
    for row in range(count):
        _mark(graph, batch, row, -1)


@lean_kernel("boolean(float32[:, ::1], float32[::1])")
def are_numbers(logits: np.ndarray, values: np.ndarray) -> bool:
    """True when an evaluation has neither infinities nor what is no number; a sum has them if one of its terms has."""
    total = np.float64(0.0)
    for row in range(len(values)):
        total += values[row]
        for move in range(logits.shape[1]):
            total += logits[row, move]
    return math.isfinite(total)
