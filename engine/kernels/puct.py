"""PUCT on a graph of positions: which edge of a node to follow, and the batch that descents are written to."""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from .board import key
from .graph import GRAPH, NUM_MOVES, Graph, add_node, find_node, settle
from .jit import inlined_kernel, type_of
from .layout import GOING_ON, RESULT, SIDE, STATE, STATE_WORDS
from .uct import MOST_PLIES, terminal_value


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
    tactics: bool = False  # prove leaves before they are evaluated, and leave out moves that surely lose
    width: int = 32  # edges that a node has at first
    enough: int = 11  # visits of a transposition that make a further visit needless, if they are more than the edge's


class Batch(NamedTuple):
    """The leaves that wait for their evaluation, one a row, and how they were reached."""

    states: np.ndarray  # uint64 [batch, STATE_WORDS]
    nodes: np.ndarray  # int32 [batch]
    depths: np.ndarray  # int32 [batch]
    path: np.ndarray  # int32 [batch, MOST_PLIES], the nodes above the leaf
    edges: np.ndarray  # int32 [batch, MOST_PLIES], the edge taken at each, counted from the node's first
    moves: np.ndarray  # int16, to write on
    lists: np.ndarray  # int16 [batch, moves], the leaf's moves
    counts: np.ndarray  # int32 [batch], how many these are
    widths: np.ndarray  # int32 [batch], how many edges are promised to it
    ends: np.ndarray  # int64 [4], how the descents of the last gathering ended


def make_batch(most: int) -> Batch:
    """Room for this many leaves and collisions together."""
    return Batch(
        np.zeros((most, STATE_WORDS), STATE),
        np.zeros(most, np.int32),
        np.zeros(most, np.int32),
        np.zeros((most, MOST_PLIES), np.int32),
        np.zeros((most, MOST_PLIES), np.int32),
        np.zeros(NUM_MOVES, np.int16),
        np.zeros((most, NUM_MOVES), np.int16),
        np.zeros(most, np.int32),
        np.zeros(most, np.int32),
        np.zeros(4, np.int64),
    )


PUCT = type_of(Puct())
BATCH = type_of(make_batch(1))


@inlined_kernel(types.int64(GRAPH, types.uint64[::1], types.int64))
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


@inlined_kernel(types.float64(GRAPH, types.int64, PUCT))
def _exploration(graph: Graph, node: int, puct: Puct) -> float:
    """The weight of priors at a node, more where values differ and visits are many."""
    here = graph.nodes[node]
    visits, mean = np.float64(here.visits), np.float64(here.value)
    seen = max(np.float64(here.square) - mean * mean, 0.0) * visits
    guess = puct.deviation * puct.deviation * puct.deviation_weight
    deviation = math.sqrt((seen + guess) / (visits + puct.deviation_weight))
    factor = 1.0 + puct.deviation_scale * (deviation / puct.deviation - 1.0)
    under_way = visits + here.in_flight
    grown = puct.exploration + puct.growth * math.log(1.0 + under_way / puct.base)
    return grown * factor * math.sqrt(under_way)


@inlined_kernel(types.int64(GRAPH, types.int64, PUCT, types.boolean))
def select_edge(graph: Graph, node: int, puct: Puct, is_root: bool) -> int:
    """The edge to follow; -1 when none can exceed what is certain, so that the node's bounds are out of date.

    The one after the last stands for moves that have no edge yet.
    """
    here = graph.nodes[node]
    low, first, opened = here.low, int(here.first), int(here.num_opened)
    scale = _exploration(graph, node, puct)
    reduction = puct.root_reduction if is_root else puct.reduction
    first_play = here.value - reduction * math.sqrt(max(np.float64(here.mass), 0.0))
    best, chosen = -math.inf, -1
    for edge in range(first, first + opened):
        taken = graph.edges[edge]
        child = graph.nodes[taken.child]
        if -child.low <= low:
            continue  # by the child's bounds as they are now, whoever proved them
        value = -child.value if child.visits > 0 else first_play
        score = value + scale * taken.prior / (1 + taken.visits + taken.in_flight)
        if score > best:
            best, chosen = score, edge
    if opened < here.num_edges + here.num_hidden:
        prior = graph.edges[first + opened].prior if opened < here.num_edges else here.tail
        if first_play + scale * prior > best:
            chosen = first + opened
    return chosen
