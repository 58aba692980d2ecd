"""Compaction: what can be reached from one node of a graph, moved into another graph."""

import numpy as np
from numba import types

from .graph import EDGES, GRAPH, NODES, Graph, add_node, clear
from .jit import lean_kernel


@lean_kernel(types.void(GRAPH, types.int64, GRAPH, types.int64))
def _copy_node(source: Graph, node: int, target: Graph, place: int) -> None:
    target.visits[place] = source.visits[node]
    target.value[place] = source.value[node]
    target.raw[place] = source.raw[node]
    target.square[place] = source.square[node]
    target.mass[place] = source.mass[node]
    target.low[place] = source.low[node]
    target.high[place] = source.high[node]
    target.distance[place] = source.distance[node]
    target.first[place] = source.first[node]
    target.num_edges[place] = source.num_edges[node]
    target.num_opened[place] = source.num_opened[node]
    target.num_hidden[place] = source.num_hidden[node]
    target.tail[place] = source.tail[node]


@lean_kernel(types.int64(GRAPH, types.int64, GRAPH, types.int32[::1]))
def _moved(source: Graph, node: int, target: Graph, places: np.ndarray) -> int:
    """The node in the target, copied there when it is met first; its edges are still the source's."""
    if places[node] < 0:
        places[node] = add_node(target, source.key[node])
        _copy_node(source, node, target, np.int64(places[node]))
    return int(places[node])


@lean_kernel(types.void(GRAPH, GRAPH, types.int64, types.int32[::1]))
def _move_edges(source: Graph, target: Graph, place: int, places: np.ndarray) -> None:
    begin, end = np.int64(target.first[place]), target.used[EDGES]
    count, opened = np.int64(target.num_edges[place]), np.int64(target.num_opened[place])
    for index in range(count):
        target.move[end + index] = source.move[begin + index]
        target.prior[end + index] = source.prior[begin + index]
        target.edge_visits[end + index] = source.edge_visits[begin + index]
        target.edge_in_flight[end + index] = 0
        target.child[end + index] = -1
        if index < opened:
            target.child[end + index] = _moved(source, np.int64(source.child[begin + index]), target, places)
    target.first[place] = end
    target.used[EDGES] = end + count


@lean_kernel(types.void(GRAPH, types.int64, GRAPH, types.int32[::1]))
def copy_reachable(source: Graph, node: int, target: Graph, places: np.ndarray) -> None:
    """Make the target of what is below a node, which becomes its node 0; nothing may be pending.

    `places` is memory to work on, as long as the source has nodes.
    """
    clear(target)
    places[:] = -1
    _moved(source, node, target, places)
    place = 0
    while place < target.used[NODES]:
        if target.first[place] >= 0:
            _move_edges(source, target, place, places)
        place += 1
