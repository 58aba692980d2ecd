"""The graph of positions that a batched search grows: nodes and edges in flat arrays, equal positions once.

Values and bounds are for the side to move at the node, so every edge flips the sign. The edges of a node stand side by
side: first those that were opened, which have a child, then the others, of which the likeliest comes first. On wide
boards the least likely moves have no edge until the search wants them: nothing is known of them, but that they are
ended. Both games are acyclic, so a node may have many parents and needs to know none of them.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from .jit import inlined_kernel, lean_kernel, type_of


class Graph(NamedTuple):
    """All that is known of nodes and edges, each of them a record: a search looks at many things of a few."""

    nodes: Any  # an array of records, whose fields are below
    edges: Any  # likewise
    table: np.ndarray  # int32, open addressing by key: node + 1, 0 for a free place
    used: np.ndarray  # int64 [4], see below
    powers: np.ndarray  # float32 [NUM_MOVES], to write on


NUM_MOVES = 512  # more than any board has
NODES, EDGES, RESERVED, PENDING = 0, 1, 2, 3  # `used`: nodes, edges, edges promised to pending nodes, pending nodes

_LINE = 64  # bytes that come from memory together

# The widest first, so that nothing lies between them.
_NODE_FIELDS = (
    ("key", "u8"),  # the hash of the position
    ("visits", "i4"),  # one for the evaluation and one for each visit of an edge; 0 before the evaluation
    ("first", "i4"),  # the first edge; -1 before the node is expanded
    ("value", "f4"),  # the mean over the visits, within the bounds
    ("raw", "f4"),  # what the evaluation said
    ("square", "f4"),  # the mean of the squares
    ("mass", "f4"),  # the priors of the opened edges together
    ("tail", "f4"),  # the prior of each hidden move
    ("distance", "i2"),  # plies to the proven end
    ("in_flight", "i2"),  # visits of its edges that wait for an evaluation
    ("num_edges", "i2"),
    ("num_opened", "i2"),
    ("num_hidden", "i2"),  # moves that have no edge yet
    ("low", "i1"),  # what the side to move can certainly reach: -1, 0 or +1
    ("high", "i1"),  # what it can certainly not exceed; equal to low once the result is proven
    ("is_pending", "?"),  # its own evaluation is under way
)
_EDGE_FIELDS = (
    ("prior", "f4"),
    ("child", "i4"),  # -1 before the edge is opened
    ("visits", "i4"),
    ("move", "i2"),
    ("in_flight", "i2"),  # visits that wait for an evaluation
)
_PLACES = 4  # of the hash table for each node, at most
_FEW = 8  # opened edges that are always summed up anew
_OFTEN = 8  # visits after which all of them are, a power of two


def _record(fields: tuple[tuple[str, str], ...], size: int) -> np.dtype[np.void]:
    """Fields side by side, with room up to this size."""
    names, formats = zip(*fields, strict=True)
    ends = np.cumsum([np.dtype(each).itemsize for each in formats])
    offsets = [0, *ends[:-1].tolist()]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})


_NODE = _record(_NODE_FIELDS, _LINE)  # a node fills a line, for it is hardly ever near by
_EDGE = _record(_EDGE_FIELDS, 16)
NODE_BYTES = _NODE.itemsize + _PLACES * 4
EDGE_BYTES = _EDGE.itemsize


def make_graph(num_nodes: int, num_edges: int) -> Graph:
    """An empty graph with room for this many, two at least."""
    table = np.empty(1 << (2 * num_nodes - 1).bit_length(), np.int32)
    table.fill(0)
    nodes, edges = _blank(num_nodes, _NODE), _blank(num_edges, _EDGE)
    return Graph(nodes, edges, table, np.zeros(4, np.int64), np.zeros(NUM_MOVES, np.float32))


def _blank(count: int, kind: np.dtype[np.void]) -> Any:
    """So many records of zeros, from the beginning of a line on; written now, not page by page while a clock runs."""
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
    while graph.table[place] != 0 and graph.nodes[graph.table[place] - 1].key != key:
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
    if node == len(graph.nodes):
        return -1
    graph.used[NODES] += 1
    graph.table[_place_of(graph, key)] = node + 1
    new = graph.nodes[node]
    new.key = key
    new.visits = 0
    new.value = new.raw = new.square = new.mass = new.tail = 0.0
    new.low, new.high = -1, 1
    new.distance = new.in_flight = 0
    new.is_pending = False
    new.first = -1
    new.num_edges = new.num_opened = new.num_hidden = 0
    return node


@inlined_kernel(types.void(GRAPH, types.int64, types.int64))
def settle(graph: Graph, node: int, result: int) -> None:
    """Note that the game has ended here, or is proven to end, with -1, 0 or +1."""
    ended = graph.nodes[node]
    ended.low = ended.high = result
    ended.value = ended.raw = result
    ended.square = result * result
    ended.visits = 1


@inlined_kernel(types.void(GRAPH, types.int64, types.int64))
def swap_edges(graph: Graph, edge: int, other: int) -> None:
    """Swap two edges that were not opened."""
    one, two = graph.edges[edge], graph.edges[other]
    one.move, two.move = two.move, one.move
    one.prior, two.prior = two.prior, one.prior


@inlined_kernel(types.void(GRAPH, types.int64))
def bring_likeliest(graph: Graph, node: int) -> None:
    """Put the likeliest edge that was not opened before the others."""
    here = graph.nodes[node]
    begin = here.first + here.num_opened
    end = here.first + here.num_edges
    best = begin
    for edge in range(begin + 1, end):
        if graph.edges[edge].prior > graph.edges[best].prior:
            best = edge
    if begin < end:
        swap_edges(graph, begin, best)


@inlined_kernel(types.void(GRAPH, types.int64, types.int64))
def open_next(graph: Graph, node: int, child: int) -> None:
    """Open the likeliest edge that was not opened yet: it leads to this child."""
    here = graph.nodes[node]
    opened = graph.edges[here.first + here.num_opened]
    opened.child = child
    here.mass += opened.prior
    here.num_opened += 1
    bring_likeliest(graph, node)


@lean_kernel(types.int64(GRAPH, types.int64, types.boolean))
def _extreme_distance(graph: Graph, node: int, shortest: bool) -> int:
    """The shortest or longest distance of the children with the node's own proven result."""
    here = graph.nodes[node]
    found = 32000 if shortest else 0
    for edge in range(here.first, here.first + here.num_opened):
        child = graph.nodes[graph.edges[edge].child]
        if -child.high == here.high:
            distance = int(child.distance)
            found = min(found, distance) if shortest else max(found, distance)
    return found


@inlined_kernel(types.void(GRAPH, types.int64))
def refresh(graph: Graph, node: int) -> None:
    """Derive what is known of an expanded node from its children as they are now; doing it twice changes nothing."""
    here = graph.nodes[node]
    if here.first < 0:
        return
    low = -1
    high = -1 if here.num_opened == here.num_edges + here.num_hidden else 1
    total, visits = np.float64(here.raw), 1
    squares = total * total
    for edge in range(here.first, here.first + here.num_opened):
        child, weight = graph.nodes[graph.edges[edge].child], graph.edges[edge].visits
        low, high = max(low, -child.high), max(high, -child.low)
        total -= weight * np.float64(child.value)
        squares += weight * np.float64(child.square)
        visits += weight
    here.low, here.high = low, high
    if low == high:
        here.distance = 1 + _extreme_distance(graph, node, low > 0)
    here.visits = visits
    here.square = squares / visits
    here.value = min(max(total / visits, np.float64(low)), np.float64(high))


@inlined_kernel(types.void(GRAPH, types.int64, types.int64, types.float64, types.float64))
def count_visit(graph: Graph, node: int, edge: int, value: float, square: float) -> None:
    """Count a visit of an edge, whose child had this value and this mean square before.

    The node's means follow by the difference where nothing is certain of the two; from time to time all children are
    looked at, for they may have changed by visits of their other parents.
    """
    here, taken = graph.nodes[node], graph.edges[edge]
    taken.visits += 1
    child, visits = graph.nodes[taken.child], np.int64(here.visits)
    is_certain = here.low > -1 or here.high < 1 or child.low > -1 or child.high < 1
    if is_certain or here.num_opened <= _FEW or (visits + 1) & (_OFTEN - 1) == 0:
        refresh(graph, node)
        return
    weight = np.float64(taken.visits)
    total = visits * np.float64(here.value) - weight * child.value + (weight - 1.0) * value
    squares = visits * np.float64(here.square) + weight * child.square - (weight - 1.0) * square
    here.visits = visits + 1
    here.value = min(max(total / (visits + 1), -1.0), 1.0)
    here.square = max(squares / (visits + 1), 0.0)
