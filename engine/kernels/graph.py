"""The graph of positions that a batched search grows: nodes and edges in flat arrays, equal positions once.

Values and bounds are for the side to move at the node, so every edge flips the sign. The edges of a node stand side by
side: first those that were opened, which have a child, then the others, of which the likeliest comes first. On wide
boards the least likely moves have no edge until the search wants them: nothing is known of them, but that they are
there. Both games are acyclic, so a node may have many parents and needs to know none of them.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from .jit import lean_kernel, type_of


class Graph(NamedTuple):
    """A column for each thing that is known of nodes and edges.

    The columns are views of rows: a descent looks at many things of a few nodes, so these should lie together.
    """

    key: np.ndarray  # uint64, the hash of the position
    visits: np.ndarray  # int32, one for the evaluation and one for each visit of an edge; 0 before the evaluation
    value: np.ndarray  # float32, the mean over the visits, within the bounds
    raw: np.ndarray  # float32, what the evaluation said
    square: np.ndarray  # float32, the mean of the squares
    mass: np.ndarray  # float32, the priors of the opened edges together
    low: np.ndarray  # int8, what the side to move can certainly reach: -1, 0 or +1
    high: np.ndarray  # int8, what it can certainly not exceed; equal to low once the result is proven
    distance: np.ndarray  # int16, plies to the proven end
    in_flight: np.ndarray  # int16, visits of its edges that wait for an evaluation
    is_pending: np.ndarray  # bool, its own evaluation is under way
    first: np.ndarray  # int32, the first edge; -1 before the node is expanded
    num_edges: np.ndarray  # int16
    num_opened: np.ndarray  # int16
    num_hidden: np.ndarray  # int16, moves that have no edge yet
    tail: np.ndarray  # float32, the prior of each of these
    move: np.ndarray  # int16 [edges]
    prior: np.ndarray  # float32 [edges]
    child: np.ndarray  # int32 [edges], -1 before the edge is opened
    edge_visits: np.ndarray  # int32 [edges]
    edge_in_flight: np.ndarray  # int16 [edges]
    table: np.ndarray  # int32, open addressing by key: node + 1, 0 for a free place
    used: np.ndarray  # int64 [4], see below


NODES, EDGES, RESERVED, PENDING = 0, 1, 2, 3  # `used`: nodes, edges, edges promised to pending nodes, pending nodes

# The widest first, so that nothing lies between them.
_NODE = np.dtype(
    [
        *[(name, "u8") for name in ("key",)],
        *[(name, "i4") for name in ("visits", "first")],
        *[(name, "f4") for name in ("value", "raw", "square", "mass", "tail")],
        *[(name, "i2") for name in ("distance", "in_flight", "num_edges", "num_opened", "num_hidden")],
        *[(name, "i1") for name in ("low", "high")],
        *[(name, "?") for name in ("is_pending",)],
    ],
    align=True,
)
_EDGE = np.dtype(
    [
        *[(name, "f4") for name in ("prior",)],
        *[(name, "i4") for name in ("child", "edge_visits")],
        *[(name, "i2") for name in ("move", "edge_in_flight")],
    ],
    align=True,
)
_PLACES = 4  # of the hash table for each node, at most
NODE_BYTES = _NODE.itemsize + _PLACES * 4
EDGE_BYTES = _EDGE.itemsize


def make_graph(num_nodes: int, num_edges: int) -> Graph:
    """An empty graph with room for this many, two at least; what belongs to one node or edge lies together."""
    nodes, edges = np.empty(num_nodes, _NODE), np.empty(num_edges, _EDGE)
    for array in (nodes, edges):
        array.view(np.uint8).fill(0)  # now, not page by page while a clock runs
    table = np.empty(1 << (2 * num_nodes - 1).bit_length(), np.int32)
    table.fill(0)
    columns = {name: nodes[name] for name in _NODE.names or ()} | {name: edges[name] for name in _EDGE.names or ()}
    return Graph(**columns, table=table, used=np.zeros(4, np.int64))


GRAPH = type_of(make_graph(2, 2))


@lean_kernel(types.void(GRAPH))
def clear(graph: Graph) -> None:
    """Forget every node."""
    graph.table[:] = 0
    graph.used[:] = 0


@lean_kernel(types.int64(GRAPH, types.uint64))
def _place_of(graph: Graph, key: np.uint64) -> int:
    """The place of a key in the table, or the free one where it belongs."""
    mask = len(graph.table) - 1
    place = int(np.int64(key) & mask)
    while graph.table[place] != 0 and graph.key[graph.table[place] - 1] != key:
        place = (place + 1) & mask
    return place


@lean_kernel(types.int64(GRAPH, types.uint64))
def find_node(graph: Graph, key: np.uint64) -> int:
    """The node of a position, -1 when there is none."""
    return int(graph.table[_place_of(graph, key)]) - 1


@lean_kernel(types.int64(GRAPH, types.uint64))
def add_node(graph: Graph, key: np.uint64) -> int:
    """Begin the node of a new position, of which nothing is known; -1 when there is no room."""
    node = graph.used[NODES]
    if node == len(graph.key):
        return -1
    graph.used[NODES] += 1
    graph.table[_place_of(graph, key)] = node + 1
    graph.key[node] = key
    graph.visits[node] = 0
    graph.value[node] = graph.raw[node] = graph.square[node] = graph.mass[node] = 0.0
    graph.low[node] = -1
    graph.high[node] = 1
    graph.distance[node] = graph.in_flight[node] = 0
    graph.is_pending[node] = False
    graph.first[node] = -1
    graph.num_edges[node] = graph.num_opened[node] = graph.num_hidden[node] = 0
    graph.tail[node] = 0.0
    return node


@lean_kernel(types.void(GRAPH, types.int64, types.int64))
def settle(graph: Graph, node: int, result: int) -> None:
    """Note that the game has ended here, or is proven to end, with -1, 0 or +1."""
    graph.low[node] = graph.high[node] = result
    graph.value[node] = graph.raw[node] = result
    graph.square[node] = result * result
    graph.visits[node] = 1


@lean_kernel(types.void(GRAPH, types.int64, types.int64))
def _swap_edges(graph: Graph, edge: int, other: int) -> None:
    """Swap two edges that were not opened."""
    graph.move[edge], graph.move[other] = graph.move[other], graph.move[edge]
    graph.prior[edge], graph.prior[other] = graph.prior[other], graph.prior[edge]


@lean_kernel(types.void(GRAPH, types.int64))
def _bring_likeliest(graph: Graph, node: int) -> None:
    """Put the likeliest edge that was not opened before the others."""
    begin = graph.first[node] + graph.num_opened[node]
    end = graph.first[node] + graph.num_edges[node]
    best = begin
    for edge in range(begin + 1, end):
        if graph.prior[edge] > graph.prior[best]:
            best = edge
    if begin < end:
        _swap_edges(graph, begin, best)


@lean_kernel(types.void(GRAPH, types.int64, types.int16[::1], types.int64))
def _add_edges(graph: Graph, first: int, moves: np.ndarray, count: int) -> None:
    """Write edges, which have no prior yet, from this one on."""
    for index in range(count):
        graph.move[first + index] = moves[index]
        graph.child[first + index] = -1
        graph.edge_visits[first + index] = graph.edge_in_flight[first + index] = 0


@lean_kernel(types.void(GRAPH, types.int64, types.int64, types.int64))
def _part_edges(graph: Graph, first: int, count: int, most: int) -> None:
    """Bring the likeliest of some edges before the others, by Hoare's selection."""
    low, high, last = first, first + count - 1, first + most - 1
    while low < high:
        pivot, left, right = graph.prior[(low + high) // 2], low, high
        while left <= right:
            while graph.prior[left] > pivot:
                left += 1
            while graph.prior[right] < pivot:
                right -= 1
            if left <= right:
                _swap_edges(graph, left, right)
                left += 1
                right -= 1
        if right < last < left:
            return
        low, high = (low, right) if last <= right else (left, high)


@lean_kernel(types.void(GRAPH, types.int64, types.int16[::1], types.float32[::1], types.int64, types.int64))
def expand_most(graph: Graph, node: int, moves: np.ndarray, logits: np.ndarray, count: int, most: int) -> None:
    """Give a node edges for the likeliest moves, with the softmax of all the moves' logits as priors.

    There must be room for all of them for a moment.
    """
    first = graph.used[EDGES]
    _add_edges(graph, first, moves, count)
    highest, total, hidden = np.float32(-np.inf), 0.0, 0.0
    for index in range(count):
        highest = max(highest, logits[moves[index]])
    for index in range(count):
        power = np.exp(logits[moves[index]] - highest)
        total += power
        graph.prior[first + index] = power
    for index in range(count):
        graph.prior[first + index] /= total
    if count > most:
        _part_edges(graph, first, count, most)
        for edge in range(first + most, first + count):
            hidden += graph.prior[edge]
        graph.num_hidden[node], graph.tail[node] = count - most, hidden / (count - most)
    graph.first[node], graph.num_edges[node] = first, min(count, most)
    graph.used[EDGES] += min(count, most)
    _bring_likeliest(graph, node)


@lean_kernel(types.void(GRAPH, types.int64, types.int16[::1], types.float32[::1], types.int64))
def expand(graph: Graph, node: int, moves: np.ndarray, logits: np.ndarray, count: int) -> None:
    """Give a node an edge for each of these moves; there must be room."""
    expand_most(graph, node, moves, logits, count, count)


@lean_kernel(types.boolean(GRAPH, types.int64, types.int16))
def _has_edge(graph: Graph, node: int, move: int) -> bool:
    for edge in range(graph.first[node], graph.first[node] + graph.num_edges[node]):  # noqa: SIM110, a generator makes an object
        if graph.move[edge] == move:
            return True
    return False


@lean_kernel(types.void(GRAPH, types.int64, types.int16[::1], types.int64))
def show_hidden(graph: Graph, node: int, moves: np.ndarray, count: int) -> None:
    """Give the rest of these legal moves their edges; all edges of the node move, so there must be room for all."""
    old, first, kept = np.int64(graph.first[node]), graph.used[EDGES], np.int64(graph.num_edges[node])
    for index in range(kept):
        graph.move[first + index], graph.prior[first + index] = graph.move[old + index], graph.prior[old + index]
        graph.child[first + index] = graph.child[old + index]
        graph.edge_visits[first + index] = graph.edge_visits[old + index]
        graph.edge_in_flight[first + index], graph.edge_in_flight[old + index] = graph.edge_in_flight[old + index], 0
    end = first + kept
    for index in range(count):
        if not _has_edge(graph, node, moves[index]):
            _add_edges(graph, end, moves[index : index + 1], 1)
            graph.prior[end] = graph.tail[node]
            end += 1
    graph.first[node], graph.num_edges[node], graph.used[EDGES] = first, end - first, end
    graph.num_hidden[node], graph.tail[node] = 0, 0.0
    _bring_likeliest(graph, node)


@lean_kernel(types.void(GRAPH, types.int64, types.int64))
def open_next(graph: Graph, node: int, child: int) -> None:
    """Open the likeliest edge that was not opened yet: it leads to this child."""
    edge = graph.first[node] + graph.num_opened[node]
    graph.child[edge] = child
    graph.mass[node] += graph.prior[edge]
    graph.num_opened[node] += 1
    _bring_likeliest(graph, node)


@lean_kernel(types.int64(GRAPH, types.int64, types.boolean))
def _extreme_distance(graph: Graph, node: int, shortest: bool) -> int:
    """The shortest or longest distance of the children with the node's own proven result."""
    found = 32000 if shortest else 0
    for edge in range(graph.first[node], graph.first[node] + graph.num_opened[node]):
        child = graph.child[edge]
        if -graph.high[child] == graph.high[node]:
            distance = int(graph.distance[child])
            found = min(found, distance) if shortest else max(found, distance)
    return found


@lean_kernel(types.void(GRAPH, types.int64))
def refresh(graph: Graph, node: int) -> None:
    """Derive what is known of an expanded node from its children as they are now; doing it twice changes nothing."""
    if graph.first[node] < 0:
        return
    low = -1
    high = -1 if graph.num_opened[node] == graph.num_edges[node] + graph.num_hidden[node] else 1
    total, visits = np.float64(graph.raw[node]), 1
    squares = total * total
    for edge in range(graph.first[node], graph.first[node] + graph.num_opened[node]):
        child, weight = graph.child[edge], graph.edge_visits[edge]
        low = max(low, -graph.high[child])
        high = max(high, -graph.low[child])
        total -= weight * np.float64(graph.value[child])
        squares += weight * np.float64(graph.square[child])
        visits += weight
    graph.low[node], graph.high[node] = low, high
    if low == high:
        graph.distance[node] = 1 + _extreme_distance(graph, node, low > 0)
    graph.visits[node] = visits
    graph.square[node] = squares / visits
    graph.value[node] = min(max(total / visits, np.float64(low)), np.float64(high))
