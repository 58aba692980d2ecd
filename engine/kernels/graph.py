"""The graph of positions that a batched search grows: nodes and edges in flat arrays, equal positions once.

Values and bounds are for the side to move at the node, so every edge flips the sign. The edges of a node stand side by
side: first those that were opened, which have a child, then the others, of which the likeliest comes first. On wide
boards the least likely moves have no edge until the search wants them: nothing is known of them, but that they are
there. Both games are acyclic, so a node may have many parents and needs to know none of them.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from .jit import inlined_kernel, lean_kernel, type_of


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
    powers: np.ndarray  # float32 [NUM_MOVES], to write on


NUM_MOVES = 512  # more than any board has
NODES, EDGES, RESERVED, PENDING = 0, 1, 2, 3  # `used`: nodes, edges, edges promised to pending nodes, pending nodes

_LINE = 64  # bytes that come from memory together

# The widest first, so that nothing lies between them; a node fills a line, for it is hardly ever near by.
_NODE = np.dtype(
    [
        *[(name, "u8") for name in ("key",)],
        *[(name, "i4") for name in ("visits", "first")],
        *[(name, "f4") for name in ("value", "raw", "square", "mass", "tail")],
        *[(name, "i2") for name in ("distance", "in_flight", "num_edges", "num_opened", "num_hidden")],
        *[(name, "i1") for name in ("low", "high")],
        *[(name, "?") for name in ("is_pending",)],
        ("spare", f"V{_LINE - 49}"),
    ],
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
_FEW = 8  # opened edges that are always summed up anew
_OFTEN = 8  # visits after which all of them are, a power of two


def make_graph(num_nodes: int, num_edges: int) -> Graph:
    """An empty graph with room for this many, two at least; what belongs to one node or edge lies together."""
    nodes, edges = _blank(num_nodes, _NODE), _blank(num_edges, _EDGE)
    table = np.empty(1 << (2 * num_nodes - 1).bit_length(), np.int32)
    table.fill(0)
    columns = {name: nodes[name] for name in _NODE.names or () if name != "spare"}
    columns |= {name: edges[name] for name in _EDGE.names or ()}
    return Graph(**columns, table=table, used=np.zeros(4, np.int64), powers=np.zeros(NUM_MOVES, np.float32))


def _blank(count: int, kind: np.dtype[np.void]) -> np.ndarray:
    """So many zeros, from the beginning of a line on; written now, not page by page while a clock runs."""
    memory = np.empty(count * kind.itemsize + _LINE, np.uint8)
    memory.fill(0)
    begin = -memory.ctypes.data % _LINE
    return memory[begin : begin + count * kind.itemsize].view(kind)


GRAPH = type_of(make_graph(2, 2))


@lean_kernel(types.void(GRAPH))
def clear(graph: Graph) -> None:
    """Forget every node."""
    graph.table[:] = 0
    graph.used[:] = 0


@inlined_kernel(types.int64(GRAPH, types.uint64))
def _place_of(graph: Graph, key: np.uint64) -> int:
    """The place of a key in the table, or the free one where it belongs."""
    mask = len(graph.table) - 1
    place = int(np.int64(key) & mask)
    while graph.table[place] != 0 and graph.key[graph.table[place] - 1] != key:
        place = (place + 1) & mask
    return place


@inlined_kernel(types.int64(GRAPH, types.uint64))
def find_node(graph: Graph, key: np.uint64) -> int:
    """The node of a position, -1 when there is none."""
    return int(graph.table[_place_of(graph, key)]) - 1


@inlined_kernel(types.int64(GRAPH, types.uint64))
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


@inlined_kernel(types.void(GRAPH, types.int64, types.int64))
def settle(graph: Graph, node: int, result: int) -> None:
    """Note that the game has ended here, or is proven to end, with -1, 0 or +1."""
    graph.low[node] = graph.high[node] = result
    graph.value[node] = graph.raw[node] = result
    graph.square[node] = result * result
    graph.visits[node] = 1


@inlined_kernel(types.void(GRAPH, types.int64, types.int64))
def _swap_edges(graph: Graph, edge: int, other: int) -> None:
    """Swap two edges that were not opened."""
    graph.move[edge], graph.move[other] = graph.move[other], graph.move[edge]
    graph.prior[edge], graph.prior[other] = graph.prior[other], graph.prior[edge]


@inlined_kernel(types.void(GRAPH, types.int64))
def bring_likeliest(graph: Graph, node: int) -> None:
    """Put the likeliest edge that was not opened before the others."""
    begin = graph.first[node] + graph.num_opened[node]
    end = graph.first[node] + graph.num_edges[node]
    best = begin
    for edge in range(begin + 1, end):
        if graph.prior[edge] > graph.prior[best]:
            best = edge
    if begin < end:
        _swap_edges(graph, begin, best)


@inlined_kernel(types.void(GRAPH, types.int64, types.int64))
def open_next(graph: Graph, node: int, child: int) -> None:
    """Open the likeliest edge that was not opened yet: it leads to this child."""
    edge = graph.first[node] + graph.num_opened[node]
    graph.child[edge] = child
    graph.mass[node] += graph.prior[edge]
    graph.num_opened[node] += 1
    bring_likeliest(graph, node)


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


@inlined_kernel(types.void(GRAPH, types.int64))
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


@inlined_kernel(types.void(GRAPH, types.int64, types.int64, types.float64, types.float64))
def count_visit(graph: Graph, node: int, edge: int, value: float, square: float) -> None:
    """Count a visit of an edge, whose child had this value and this mean square before.

    The node's means follow by the difference where nothing is certain of the two; from time to time all children are
    looked at, for they may have changed by visits of their other parents.
    """
    graph.edge_visits[edge] += 1
    child, visits = graph.child[edge], np.int64(graph.visits[node])
    is_certain = graph.low[node] > -1 or graph.high[node] < 1 or graph.low[child] > -1 or graph.high[child] < 1
    if is_certain or graph.num_opened[node] <= _FEW or (visits + 1) & (_OFTEN - 1) == 0:
        refresh(graph, node)
        return
    weight = np.float64(graph.edge_visits[edge])
    total = visits * np.float64(graph.value[node]) - weight * graph.value[child] + (weight - 1.0) * value
    squares = visits * np.float64(graph.square[node]) + weight * graph.square[child] - (weight - 1.0) * square
    graph.visits[node] = visits + 1
    graph.value[node] = min(max(total / (visits + 1), -1.0), 1.0)
    graph.square[node] = max(squares / (visits + 1), 0.0)
