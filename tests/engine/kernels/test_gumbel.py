from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from extremum.engine.kernels.graph import Graph, add_node, make_graph, open_next, refresh, settle
from extremum.engine.kernels.graph_expand import expand
from extremum.engine.kernels.gumbel import (
    Gumbel,
    Roots,
    chosen_edge,
    draw_numbers,
    improve,
    make_plans,
    make_roots,
    root_edge,
    surprise,
)
from extremum.engine.kernels.rng import make_rng

MOVES = np.array([0, 2, 3, 5], np.int16)
LOGITS = np.array([0.5, 9.0, -1.0, 1.5, 9.0, 0.0], np.float32)
RAW = 0.2


def root_with(*children: tuple[int, float, int]) -> tuple[Graph, Roots]:
    """A root of four moves; the children (proof or 2, value, visits) stand behind the likeliest of them."""
    graph, roots = make_graph(16, 64), make_roots(1, 6)
    add_node(graph, 1)
    expand(graph, 0, MOVES, LOGITS, len(MOVES))
    graph.nodes["raw"][0] = RAW
    roots.nodes[0] = 0
    draw_numbers(graph, roots, 0, Gumbel(noise=0.0), make_rng(1))
    for number, (proof, value, visits) in enumerate(children):
        child = add_node(graph, 100 + number)
        graph.nodes["value"][child], graph.nodes["visits"][child] = value, visits
        if proof != 2:
            settle(graph, child, proof)
        open_next(graph, 0, child)
        graph.edges["visits"][number] = visits
        roots.counts[0, graph.edges["move"][number]] = visits
        roots.made[0] += visits
    refresh(graph, 0)
    return graph, roots


def improved(graph: Graph, roots: Roots) -> tuple[float, npt.NDArray[np.float32]]:
    policy = np.empty(6, np.float32)
    return float(improve(graph, roots, 0, Gumbel(), policy)), policy


def slow_halving(tried: int, visits: int) -> list[int]:
    """How often each of the moves is visited in the end, if the earlier ones are better."""
    counts = [0] * tried
    considered = tried
    while sum(counts) < visits:
        for _ in range(max(1, int(visits / (math.ceil(math.log2(tried)) * considered)))):
            for move in range(considered):
                counts[move] += sum(counts) < visits
        considered = max(2, considered // 2)
    return counts


@pytest.mark.parametrize(
    ("tried", "visits", "counts"),
    [
        (4, 8, [3, 3, 1, 1]),
        (8, 24, [7, 7, 3, 3, 1, 1, 1, 1]),
        (16, 64, [15, 15, 7, 7, *[3] * 4, *[1] * 8]),
        (32, 160, [31, 31, 15, 15, *[7] * 4, *[3] * 8, *[1] * 16]),
    ],
)
def test_budgets_that_divide_exactly_are_halved(tried: int, visits: int, counts: list[int]) -> None:
    assert visits_by_plan(tried, visits) == counts


@pytest.mark.parametrize("tried", [2, 3, 5, 12, 16])
@pytest.mark.parametrize("visits", [1, 7, 32, 50])
def test_every_budget_is_halved_as_by_a_slow_twin(tried: int, visits: int) -> None:
    assert visits_by_plan(tried, visits) == slow_halving(tried, visits)


def visits_by_plan(tried: int, visits: int) -> list[int]:
    """Visit the first of the moves that have had the required visits."""
    plans, counts = make_plans((tried, visits)), [0] * tried
    for required in plans.required[0, tried]:
        counts[counts.index(required)] += 1
    return counts


def test_a_single_move_gets_all_visits() -> None:
    assert make_plans((4, 8)).required[0, 1].tolist() == list(range(8))


def test_the_policy_is_the_softmax_of_logits_and_completed_values() -> None:
    graph, roots = root_with((2, -0.3, 3), (2, 0.1, 1))
    priors = np.exp(LOGITS[MOVES]) / np.exp(LOGITS[MOVES]).sum()
    known = {3: 0.3, 0: -0.1}
    mass = sum(priors[list(MOVES).index(move)] for move in known)
    mean = sum(priors[list(MOVES).index(move)] * value for move, value in known.items()) / mass
    mixed = (RAW + 4 * mean) / 5
    values = np.array([known.get(int(move), mixed) for move in MOVES])
    powers = priors * np.exp((50 + 3) * 0.25 * values)
    value, policy = improved(graph, roots)
    np.testing.assert_allclose(policy[MOVES], powers / powers.sum(), rtol=1e-4)
    assert policy[[1, 4]].tolist() == [0, 0]
    assert value == pytest.approx((powers / powers.sum() * values).sum(), rel=1e-4)
    divergence = (policy[MOVES] * np.log(policy[MOVES] / priors)).sum()
    assert surprise(graph, 0, policy) == pytest.approx(divergence, rel=1e-3)


def test_without_visits_the_policy_is_the_prior() -> None:
    value, policy = improved(*root_with())
    np.testing.assert_allclose(policy[MOVES], np.exp(LOGITS[MOVES]) / np.exp(LOGITS[MOVES]).sum(), rtol=1e-5)
    assert value == pytest.approx(RAW)


def test_a_proven_win_gets_all_the_policy() -> None:
    value, policy = improved(*root_with((2, -0.9, 3), (-1, -1.0, 1)))
    assert policy.tolist() == [1, 0, 0, 0, 0, 0]
    assert value == 1


def test_proven_losses_get_nothing_unless_all_are() -> None:
    _, policy = improved(*root_with((1, 1.0, 3), (2, 0.9, 1)))
    assert policy[3] == 0
    assert policy.sum() == pytest.approx(1)
    value, policy = improved(*root_with(*[(1, 1.0, 1)] * 4))
    np.testing.assert_allclose(policy[MOVES], np.exp(LOGITS[MOVES]) / np.exp(LOGITS[MOVES]).sum(), rtol=1e-5)
    assert value == -1


def test_the_move_is_the_best_of_the_most_visited() -> None:
    gumbel = Gumbel()
    graph, roots = root_with((2, 0.0, 3), (2, -0.5, 3), (2, -0.9, 1))
    assert graph.edges["move"][chosen_edge(graph, roots, 0, gumbel)] == 0
    graph, roots = root_with((1, 1.0, 3), (2, 0.9, 1))
    assert graph.edges["move"][chosen_edge(graph, roots, 0, gumbel)] == 0


def test_moves_are_tried_by_their_priors_first_and_then_by_values() -> None:
    plans, gumbel = make_plans((2, 4)), Gumbel()
    graph, roots = root_with()
    assert graph.edges["move"][root_edge(graph, roots, 0, plans, gumbel)] == 3
    graph, roots = root_with((2, 0.5, 1))
    assert graph.edges["move"][root_edge(graph, roots, 0, plans, gumbel)] == 0
    graph, roots = root_with((2, 0.5, 1), (2, -0.5, 1))
    assert graph.edges["move"][root_edge(graph, roots, 0, plans, gumbel)] == 0


def test_random_numbers_try_moves_in_proportion_to_their_priors() -> None:
    graph, roots = root_with()
    rng, tried, plans = make_rng(5), np.zeros(6), make_plans((2, 4))
    for _ in range(4000):
        draw_numbers(graph, roots, 0, Gumbel(), rng)
        tried[graph.edges["move"][root_edge(graph, roots, 0, plans, Gumbel())]] += 1
    priors = np.exp(LOGITS[MOVES]) / np.exp(LOGITS[MOVES]).sum()
    np.testing.assert_allclose(tried[MOVES] / 4000, priors, atol=0.03)
