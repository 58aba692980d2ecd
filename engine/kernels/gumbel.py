"""The Gumbel root: few visits shared out by sequential halving, and the improved policy that comes of them.

Every legal move draws a number from the Gumbel distribution; the moves with the highest sum of number and logit are
tried, half of them fall away round by round, and values that were found move the logits. Moves that were not visited
count with a mixture of the position's own value and the values found, so the improved policy covers all of them.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from .graph import GRAPH, Graph
from .graph_choice import best_edge
from .jit import lean_kernel, type_of
from .layout import STATE, STATE_WORDS
from .rng import below

_LEAST_PRIOR = 1e-30
_STEPS = 1 << 30  # of a random number between 0 and 1
_NEVER = -math.inf


class Gumbel(NamedTuple):
    """How far values move the logits, and how much chance there is at the root."""

    offset: float = 50.0  # visits added to the most visited move's
    scale: float = 0.25  # of values in -1..+1, for each of these visits
    noise: float = 1.0  # 0 where a move is to be played, not to be learned from


class Plans(NamedTuple):
    """How many visits a move must have had to be visited next, for each number of moves tried."""

    required: np.ndarray  # int32 [plans, most tried + 1, most visits]
    tried: np.ndarray  # int32 [plans]
    visits: np.ndarray  # int32 [plans]


class Roots(NamedTuple):
    """Positions that are searched side by side, one a row, and what their searches know beside the graph."""

    states: np.ndarray  # uint64 [roots, STATE_WORDS]
    nodes: np.ndarray  # int32 [roots], -1 before the search
    base: np.ndarray  # float32 [roots, num_moves] the move's random number and its logit
    counts: np.ndarray  # int32 [roots, num_moves] visits of this search, those under way included
    made: np.ndarray  # int32 [roots] visits together; -1 before the moves have their numbers
    plan: np.ndarray  # int32 [roots]


def make_plans(*budgets: tuple[int, int]) -> Plans:
    """The plans for these budgets: how many moves are tried, and with how many visits."""
    most_tried, most = max(tried for tried, _ in budgets), max(visits for _, visits in budgets)
    required = np.zeros((len(budgets), most_tried + 1, most), np.int32)
    for number, (tried, visits) in enumerate(budgets):
        for width in range(1, tried + 1):
            required[number, width, :visits] = _halving(width, visits)
    tried_moves = np.array([tried for tried, _ in budgets], np.int32)
    return Plans(required, tried_moves, np.array([visits for _, visits in budgets], np.int32))


def _halving(width: int, visits: int) -> list[int]:
    """Sequential halving: rounds over the moves that are left, as many as their share of the visits allows."""
    if width == 1:
        return list(range(visits))
    num_phases, left, height = math.ceil(math.log2(width)), width, 0
    required: list[int] = []
    while len(required) < visits:
        rounds = max(1, visits // (num_phases * left))
        for _ in range(rounds):
            required += [height] * left
            height += 1
        left = max(2, left // 2)
    return required[:visits]


def make_roots(count: int, num_moves: int) -> Roots:
    """Room for this many searches."""
    return Roots(
        np.zeros((count, STATE_WORDS), STATE),
        np.full(count, -1, np.int32),
        np.zeros((count, num_moves), np.float32),
        np.zeros((count, num_moves), np.int32),
        np.full(count, -1, np.int32),
        np.zeros(count, np.int32),
    )


GUMBEL = type_of(Gumbel())
PLANS = type_of(make_plans((1, 1)))
ROOTS = type_of(make_roots(1, 1))


@lean_kernel(types.void(ROOTS, types.int64))
def forget(roots: Roots, root: int) -> None:
    """Begin a search anew, at the state that is there now."""
    roots.nodes[root], roots.made[root] = -1, -1


@lean_kernel(types.void(GRAPH, ROOTS, types.int64, GUMBEL, types.uint64[::1]))
def draw_numbers(graph: Graph, roots: Roots, root: int, gumbel: Gumbel, rng: np.ndarray) -> None:
    """Give the moves of an expanded root their random numbers and logits, and let nothing be visited yet."""
    node = roots.nodes[root]
    here = graph.nodes[node]
    for edge in range(here.first, here.first + here.num_edges):
        number = 0.0
        if gumbel.noise > 0.0:
            number = -gumbel.noise * math.log(-math.log((below(rng, _STEPS) + 0.5) / _STEPS))
        roots.base[root, graph.edges[edge].move] = number + math.log(
            max(np.float64(graph.edges[edge].prior), _LEAST_PRIOR)
        )
        roots.counts[root, graph.edges[edge].move] = 0
    roots.made[root] = 0


@lean_kernel(types.boolean(GRAPH, types.int64))
def is_known(graph: Graph, edge: int) -> bool:
    """True for an edge whose child has a value."""
    return graph.edges[edge].child >= 0 and graph.nodes[graph.edges[edge].child].visits > 0


@lean_kernel(types.float64(GRAPH, types.int64, types.int64))
def mixed_value(graph: Graph, node: int, visits: int) -> float:
    """What moves without a value are thought to be worth."""
    here = graph.nodes[node]
    mass, total = 0.0, 0.0
    for edge in range(here.first, here.first + here.num_opened):
        if is_known(graph, edge):
            mass += graph.edges[edge].prior
            total -= graph.edges[edge].prior * np.float64(graph.nodes[graph.edges[edge].child].value)
    raw = np.float64(here.raw)
    return raw if mass <= 0.0 else (raw + visits * total / mass) / (visits + 1)


@lean_kernel(types.float64(GRAPH, types.int64, types.float64))
def _value_of(graph: Graph, edge: int, mixed: float) -> float:
    return -np.float64(graph.nodes[graph.edges[edge].child].value) if is_known(graph, edge) else mixed


@lean_kernel(types.float64(GRAPH, ROOTS, types.int64, GUMBEL))
def _factor(graph: Graph, roots: Roots, root: int, gumbel: Gumbel) -> float:
    """What a value is multiplied with before it is added to a logit."""
    node, most = roots.nodes[root], 0
    here = graph.nodes[node]
    for edge in range(here.first, here.first + here.num_opened):
        most = max(most, int(roots.counts[root, graph.edges[edge].move]))
    return (gumbel.offset + most) * gumbel.scale


@lean_kernel(types.int64(GRAPH, ROOTS, types.int64))
def _untried_edge(graph: Graph, roots: Roots, root: int) -> int:
    """The edge with the highest number and logit among those not visited; values play no part yet."""
    node, chosen, best = roots.nodes[root], -1, _NEVER
    here = graph.nodes[node]
    for edge in range(here.first, here.first + here.num_edges):
        move = graph.edges[edge].move
        if roots.counts[root, move] == 0 and roots.base[root, move] > best:
            chosen, best = edge, np.float64(roots.base[root, move])
    return chosen


@lean_kernel(types.int64(GRAPH, ROOTS, types.int64, PLANS))
def required_visits(graph: Graph, roots: Roots, root: int, plans: Plans) -> int:
    """How many visits the move must have had that the plan visits next."""
    plan = roots.plan[root]
    width = min(int(plans.tried[plan]), int(graph.nodes[roots.nodes[root]].num_edges))
    return int(plans.required[plan, width, roots.made[root]])


@lean_kernel(types.int64(GRAPH, ROOTS, types.int64, PLANS, GUMBEL))
def root_edge(graph: Graph, roots: Roots, root: int, plans: Plans, gumbel: Gumbel) -> int:
    """The edge that the plan visits next."""
    node, required = roots.nodes[root], required_visits(graph, roots, root, plans)
    if required == 0:
        return _untried_edge(graph, roots, root)
    factor, mixed = _factor(graph, roots, root, gumbel), mixed_value(graph, node, np.int64(roots.made[root]))
    chosen, best = -1, _NEVER
    here = graph.nodes[node]
    for edge in range(here.first, here.first + here.num_opened):
        move = graph.edges[edge].move
        score = roots.base[root, move] + factor * _value_of(graph, edge, mixed)
        if roots.counts[root, move] == required and score > best:
            chosen, best = edge, score
    return chosen


@lean_kernel(types.boolean(GRAPH, types.int64, types.int64))
def _is_open(graph: Graph, node: int, edge: int) -> bool:
    """True unless the edge certainly loses where others may not, or does not win where others certainly do."""
    child = graph.edges[edge].child
    if graph.nodes[node].low == 1:
        return child >= 0 and graph.nodes[child].high == -1
    return graph.nodes[node].high == -1 or child < 0 or graph.nodes[child].low < 1


@lean_kernel(types.float64(GRAPH, ROOTS, types.int64, GUMBEL, types.float32[::1]))
def improve(graph: Graph, roots: Roots, root: int, gumbel: Gumbel, policy: np.ndarray) -> float:
    """Write the improved policy of an expanded root, zero for illegal moves; returns its value."""
    node = roots.nodes[root]
    first, end = np.int64(graph.nodes[node].first), np.int64(graph.nodes[node].first) + graph.nodes[node].num_edges
    made = max(np.int64(roots.made[root]), 0)
    factor, mixed = _factor(graph, roots, root, gumbel), mixed_value(graph, node, made)
    policy[:] = 0.0
    most, total, value = _NEVER, 0.0, 0.0
    for edge in range(first, end):
        if _is_open(graph, node, edge):
            logit = math.log(max(np.float64(graph.edges[edge].prior), _LEAST_PRIOR))
            logit += factor * _value_of(graph, edge, mixed)
            policy[graph.edges[edge].move] = logit
            most = max(most, logit)
    for edge in range(first, end):
        if _is_open(graph, node, edge):
            power = math.exp(np.float64(policy[graph.edges[edge].move]) - most)
            policy[graph.edges[edge].move] = power
            total += power
            value += power * _value_of(graph, edge, mixed)
    for edge in range(first, end):
        policy[graph.edges[edge].move] /= total
    return min(max(value / total, np.float64(graph.nodes[node].low)), np.float64(graph.nodes[node].high))


@lean_kernel(types.float64(GRAPH, types.int64, types.float32[::1]))
def surprise(graph: Graph, node: int, policy: np.ndarray) -> float:
    """The divergence of a policy from the priors of an expanded node."""
    here = graph.nodes[node]
    total = 0.0
    for edge in range(here.first, here.first + here.num_edges):
        share = np.float64(policy[graph.edges[edge].move])
        if share > 0.0:
            total += share * math.log(share / max(np.float64(graph.edges[edge].prior), _LEAST_PRIOR))
    return max(total, 0.0)


@lean_kernel(types.int64(GRAPH, ROOTS, types.int64, GUMBEL))
def chosen_edge(graph: Graph, roots: Roots, root: int, gumbel: Gumbel) -> int:
    """The edge to play: what is proven decides, then visits, then number, logit and value together."""
    node = roots.nodes[root]
    if graph.nodes[node].low == graph.nodes[node].high:
        return best_edge(graph, node)
    factor, mixed = _factor(graph, roots, root, gumbel), mixed_value(graph, node, np.int64(roots.made[root]))
    chosen, most, best = -1, -1, _NEVER
    here = graph.nodes[node]
    for edge in range(here.first, here.first + here.num_edges):
        count = int(roots.counts[root, graph.edges[edge].move])
        score = roots.base[root, graph.edges[edge].move] + factor * _value_of(graph, edge, mixed)
        if _is_open(graph, node, edge) and (count > most or (count == most and score > best)):
            chosen, most, best = edge, count, score
    return chosen
