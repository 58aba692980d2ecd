"""Compaction: what can be reached from one node of a graph, moved into another graph."""

import numpy as np
from numba import types

from .graph import EDGES, GRAPH, NODES, Graph, add_node, clear
from .jit import lean_kernel


@lean_kernel(types.int64(GRAPH, types.int64, GRAPH, types.int32[::1]))
def _moved(source: Graph, node: int, target: Graph, places: np.ndarray) -> int:
    """The node in the target, copied there when it is met first; its edges are still the source's."""
    if places[node] < 0:
        places[node] = add_node(target, source.nodes[node].key)
        target.nodes[places[node]] = source.nodes[node]
    return int(places[node])


@lean_kernel(types.void(GRAPH, GRAPH, types.int64, types.int32[::1]))
def _move_edges(source: Graph, target: Graph, place: int, places: np.ndarray) -> None:
    here = target.nodes[place]
    begin, end = np.int64(here.first), target.used[EDGES]
    count, opened = np.int64(here.num_edges), np.int64(here.num_opened)
    for index in range(count):
        target.edges[end + index] = source.edges[begin + index]
        if index < opened:
            child = np.int64(source.edges[begin + index].child)
            target.edges[end + index].child = _moved(source, child, target, places)
    here.first = end
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
        if target.nodes[place].first >= 0:
            _move_edges(source, target, place, places)
        place += 1
