"""The edges of a graph's nodes: the likeliest moves of a position at first, the others when the search wants them."""

import math

import numpy as np
from numba import types

from .graph import EDGES, GRAPH, Graph, bring_likeliest
from .jit import inlined_kernel, lean_kernel

_ZERO, _TWO = np.float32(0.0), np.float32(2.0)
_LEAST = np.float32(-20.0)  # a logit this far under the highest one is as good as any lower
_TINY = np.float32(1e-9)  # below its power
_PART, _SQUARINGS = np.float32(1 / 16), 4  # e to the power of a logit is that of its 16th part, squared four times
_SERIES = tuple(np.float32(1 / math.factorial(order)) for order in range(7, -1, -1))
_HALVINGS = 24  # of the range in which the least likely move with an edge is looked for


@inlined_kernel("void(int16[::1], float32[::1], int64, float32[::1])")
def _raise(moves: np.ndarray, logits: np.ndarray, count: int, powers: np.ndarray) -> None:
    """Write e to the power of each move's logit, less the highest one; without calls, many at a time."""
    highest = np.float32(-np.inf)
    for index in range(count):
        powers[index] = logits[moves[index]]
        highest = max(highest, powers[index])
    for index in range(count):
        part = max(powers[index] - highest, _LEAST) * _PART
        power = _ZERO
        for term in range(len(_SERIES)):
            power = power * part + _SERIES[term]
        for _ in range(_SQUARINGS):
            power *= power
        powers[index] = power


@inlined_kernel("int64(float32[::1], int64, float32)")
def _num_above(powers: np.ndarray, count: int, bar: np.float32) -> int:
    above = 0
    for index in range(count):
        above += powers[index] >= bar
    return above


@inlined_kernel("Tuple((float32, float32, int64))(float32[::1], int64, int64)")
def _bars(powers: np.ndarray, count: int, most: int) -> tuple[np.float32, np.float32, int]:
    """Two bars close to each other or better: more than `most` reach the lower one, not more the upper; how many do."""
    if count <= most:
        return _ZERO, _ZERO, count
    low, high, above = _TINY, _TWO, 0
    for _ in range(_HALVINGS):
        if above == most:
            break
        bar = np.float32(math.sqrt(low * high))
        reached = _num_above(powers, count, bar)
        if reached > most:
            low = bar
        else:
            high, above = bar, reached
    return low, high, above


@inlined_kernel(types.void(GRAPH, types.int64, types.int64, types.float64))
def _add_edge(graph: Graph, edge: int, move: int, prior: float) -> None:
    new = graph.edges[edge]
    new.move, new.prior, new.child = move, prior, -1
    new.visits = new.in_flight = 0


@inlined_kernel(types.void(GRAPH, types.int64, types.int16[::1], types.float32[::1], types.int64, types.int64))
def expand_most(graph: Graph, node: int, moves: np.ndarray, logits: np.ndarray, count: int, most: int) -> None:
    """Give a node edges for the likeliest moves, with the softmax of all the moves' logits as priors.

    There must be room for them.
    """
    here = graph.nodes[node]
    powers, first, kept, total, hidden = graph.powers, graph.used[EDGES], 0, 0.0, 0.0
    _raise(moves, logits, count, powers)
    for index in range(count):
        total += powers[index]
    low, high, above = _bars(powers, count, most)
    spare, share = min(count, most) - above, 1.0 / total
    for index in range(count):
        power = powers[index]
        if power < high and (power < low or spare == 0):
            hidden += power
            continue
        spare -= power < high
        _add_edge(graph, first + kept, np.int64(moves[index]), power * share)
        kept += 1
    if kept < count:
        here.num_hidden, here.tail = count - kept, hidden * share / (count - kept)
    here.first, here.num_edges = first, kept
    graph.used[EDGES] += kept
    bring_likeliest(graph, node)


@lean_kernel(types.void(GRAPH, types.int64, types.int16[::1], types.float32[::1], types.int64))
def expand(graph: Graph, node: int, moves: np.ndarray, logits: np.ndarray, count: int) -> None:
    """Give a node an edge for each of these moves; there must be room."""
    expand_most(graph, node, moves, logits, count, count)


@lean_kernel(types.boolean(GRAPH, types.int64, types.int16))
def _has_edge(graph: Graph, node: int, move: int) -> bool:
    here = graph.nodes[node]
    for edge in range(here.first, here.first + here.num_edges):  # noqa: SIM110, a generator makes an object
        if graph.edges[edge].move == move:
            return True
    return False


@lean_kernel(types.void(GRAPH, types.int64, types.int16[::1], types.int64))
def show_hidden(graph: Graph, node: int, moves: np.ndarray, count: int) -> None:
    """Give the rest of these legal moves their edges; all edges of the node move, so there must be room for all."""
    here = graph.nodes[node]
    old, first, kept = np.int64(here.first), graph.used[EDGES], np.int64(here.num_edges)
    for index in range(kept):
        source, goal = graph.edges[old + index], graph.edges[first + index]
        goal.move, goal.prior, goal.child = source.move, source.prior, source.child
        goal.visits, goal.in_flight = source.visits, source.in_flight
        source.in_flight = 0
    end = first + kept
    for index in range(count):
        if not _has_edge(graph, node, moves[index]):
            _add_edge(graph, end, np.int64(moves[index]), np.float64(here.tail))
            end += 1
    here.first, here.num_edges, graph.used[EDGES] = first, end - first, end
    here.num_hidden, here.tail = 0, 0.0
    bring_likeliest(graph, node)
