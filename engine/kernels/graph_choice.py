"""Which edge of a node to play: proofs first, then visits, corrected by confidence bounds."""

import math

import numpy as np
from numba import types

from .graph import GRAPH, Graph
from .jit import lean_kernel

CONFIDENCE = 5.0  # standard errors under the mean
_SHARE = 0.15  # of the most visits, for a bound to count
_PROVEN, _BOUND, _NEVER = 4e10, 2e10, -2e10  # ranks of different kinds are far apart
_BOUND_SCALE = 1e6


@lean_kernel(types.float64(GRAPH, types.int64))
def lower_bound(graph: Graph, edge: int) -> float:
    """A lower confidence bound of an opened edge's value; one more visit, of which nothing is known, counts."""
    child, visits = graph.nodes[graph.edges[edge].child], np.float64(graph.edges[edge].visits)
    mean = 0.0 - np.float64(child.value)
    if child.low == child.high:
        return mean
    variance = (max(np.float64(child.square) - mean * mean, 0.0) * visits + 1.0) / (visits + 1.0)
    return mean - CONFIDENCE * math.sqrt(variance / max(visits, 1.0))


@lean_kernel(types.int64(GRAPH, types.int64))
def _most_visits(graph: Graph, node: int) -> int:
    """The most visits of an edge that is not certainly lost."""
    here = graph.nodes[node]
    most = 0
    for edge in range(here.first, here.first + here.num_opened):
        if graph.nodes[graph.edges[edge].child].low < 1:
            most = max(most, int(graph.edges[edge].visits))
    return most


@lean_kernel(types.float64(GRAPH, types.int64, types.int64))
def _rank(graph: Graph, edge: int, most: int) -> float:
    """How good a choice an edge is: a quick win first, then by bounds and visits, a slow loss last."""
    taken = graph.edges[edge]
    if taken.child < 0 or graph.nodes[taken.child].visits == 0:
        return _NEVER + taken.prior
    child = graph.nodes[taken.child]
    if child.high == -1:
        return _PROVEN - child.distance
    if child.low == 1:
        return child.distance + np.float64(taken.prior) - _PROVEN
    if taken.visits < _SHARE * most:
        return np.float64(taken.visits)
    return _BOUND + _BOUND_SCALE * lower_bound(graph, edge)


@lean_kernel(types.int64(GRAPH, types.int64))
def _certain_edge(graph: Graph, node: int) -> int:
    """The most visited edge that reaches what the node is certain of."""
    here = graph.nodes[node]
    best, chosen = -1, -1
    for edge in range(here.first, here.first + here.num_opened):
        visits = int(graph.edges[edge].visits)
        if -graph.nodes[graph.edges[edge].child].high >= here.low and visits > best:
            best, chosen = visits, edge
    return chosen


@lean_kernel(types.int64(GRAPH, types.int64))
def best_edge(graph: Graph, node: int) -> int:
    """The edge to play, -1 before the node is expanded.

    A certain draw is taken when what looks best without it promises no more.
    """
    here = graph.nodes[node]
    if here.first < 0:
        return -1
    most = _most_visits(graph, node)
    chosen = int(here.first)
    for edge in range(here.first + 1, here.first + here.num_edges):
        if _rank(graph, edge, most) > _rank(graph, chosen, most):
            chosen = edge
    child = np.int64(graph.edges[chosen].child)
    if here.low == 0 and child >= 0 and graph.nodes[child].high > 0 and graph.nodes[child].value >= 0.0:
        certain = _certain_edge(graph, node)
        return certain if certain >= 0 else chosen  # the child that it was certain by may have been forgotten
    return chosen


@lean_kernel(types.int64(GRAPH, types.int64, types.float64[::1]))
def rank_edges(graph: Graph, node: int, ranks: np.ndarray) -> int:
    """Write the ranks of an expanded node's edges, the highest for the one to play; returns how many."""
    here = graph.nodes[node]
    most, first = _most_visits(graph, node), np.int64(here.first)
    for index in range(here.num_edges):
        ranks[index] = _rank(graph, first + index, most)
    ranks[best_edge(graph, node) - first] = math.inf
    return int(here.num_edges)


@lean_kernel(types.int64(GRAPH, types.int64, types.int16[::1]))
def principal_line(graph: Graph, edge: int, line: np.ndarray) -> int:
    """Write the moves from an edge on that are thought best; returns how many."""
    length = 0
    while edge >= 0 and length < len(line):
        line[length] = graph.edges[edge].move
        length += 1
        child = np.int64(graph.edges[edge].child)
        edge = best_edge(graph, child) if child >= 0 else -1
        if edge >= 0 and graph.edges[edge].visits == 0:
            edge = -1
    return length


@lean_kernel(types.void(GRAPH, types.int64, types.int64[::1]))
def stand(graph: Graph, node: int, out: np.ndarray) -> None:
    """Write how the moves of an expanded node stand.

    These are the number of those that do not certainly lose, the most and second most visits that one of them has, and
    whether the most visited one would be played.
    """
    here = graph.nodes[node]
    alive, chosen, most, second = int(here.num_hidden), -1, -1, -1
    for edge in range(here.first, here.first + here.num_edges):
        child, visits = graph.edges[edge].child, int(graph.edges[edge].visits)
        if child >= 0 and graph.nodes[child].low == 1:
            continue
        alive += 1
        if visits > most:
            most, second, chosen = visits, most, edge
        elif visits > second:
            second = visits
    out[0], out[1], out[2] = alive, most, second
    out[3] = 1 if chosen == best_edge(graph, node) else 0
