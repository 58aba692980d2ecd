from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.kernels.graph import (
    EDGES,
    NODES,
    Graph,
    add_node,
    find_node,
    make_graph,
    open_next,
    refresh,
    settle,
)
from extremum.engine.kernels.graph_choice import best_edge, principal_line, rank_edges
from extremum.engine.kernels.graph_expand import expand
from extremum.engine.kernels.puct import Puct, select_edge

MOVES = np.array([3, 5, 7, 9], np.int16)
LOGITS = np.log(np.arange(1, 11, dtype=np.float32))
ROOT = 0


def root_with(*children: tuple[int, int, float, int]) -> Graph:
    """A root of four moves; the children (low, high, value, visits) stand behind the likeliest of them."""
    graph = make_graph(16, 64)
    add_node(graph, 1)
    expand(graph, ROOT, MOVES, LOGITS, len(MOVES))
    for number, (low, high, value, visits) in enumerate(children):
        child = add_node(graph, 100 + number)
        if low == high:
            settle(graph, child, low)
        graph.nodes["low"][child], graph.nodes["high"][child], graph.nodes["value"][child] = low, high, value
        graph.nodes["square"][child] = value * value + 0.01
        graph.nodes["visits"][child] = visits
        open_next(graph, ROOT, child)
        graph.edges["visits"][number] = visits
    refresh(graph, ROOT)
    return graph


def test_priors_are_the_softmax_over_legal_moves() -> None:
    graph = root_with()
    priors = dict(zip(graph.edges["move"][:4].tolist(), graph.edges["prior"][:4].tolist(), strict=True))
    assert priors == pytest.approx({3: 4 / 28, 5: 6 / 28, 7: 8 / 28, 9: 10 / 28})


def test_edges_are_opened_from_the_likeliest_on() -> None:
    graph = root_with(*[(-1, 1, 0.0, 1)] * 4)
    assert graph.edges["move"][:4].tolist() == [9, 7, 5, 3]
    assert graph.nodes["mass"][ROOT] == pytest.approx(1.0)


def test_a_node_is_found_by_its_key_among_others_in_its_place() -> None:
    graph = make_graph(8, 8)
    places = len(graph.table)
    nodes = [add_node(graph, 5 + places * number) for number in range(6)]
    assert [find_node(graph, 5 + places * number) for number in range(7)] == [*nodes, -1]


def test_a_full_graph_takes_no_node() -> None:
    graph = make_graph(2, 8)
    assert [add_node(graph, key) for key in (1, 2, 3)] == [0, 1, -1]
    assert (graph.used[NODES], graph.used[EDGES]) == (2, 0)


def test_the_mean_is_weighted_by_visits_of_edges() -> None:
    graph = root_with((-1, 1, 0.5, 3), (-1, 1, -0.5, 1))
    assert graph.nodes["visits"][ROOT] == 5
    assert graph.nodes["value"][ROOT] == pytest.approx((0.0 - 1.5 + 0.5) / 5)


def test_a_move_never_opened_keeps_the_upper_bound() -> None:
    three_losses = [(1, 1, 1.0, 1)] * 3
    graph = root_with(*three_losses)
    assert (graph.nodes["low"][ROOT], graph.nodes["high"][ROOT]) == (-1, 1)
    graph = root_with(*three_losses, (1, 1, 1.0, 1))
    assert (graph.nodes["low"][ROOT], graph.nodes["high"][ROOT], graph.nodes["distance"][ROOT]) == (-1, -1, 1)


def test_selection_uses_the_bounds_of_children_as_they_are_now() -> None:
    graph = root_with(*[(-1, 1, 0.0, 2)] * 4)
    for child in graph.edges["child"][:4]:
        settle(graph, int(child), 1)  # proven through another parent
    assert select_edge(graph, ROOT, Puct(), True) == -1
    refresh(graph, ROOT)
    assert (graph.nodes["low"][ROOT], graph.nodes["high"][ROOT]) == (-1, -1)


def test_visits_in_flight_turn_the_next_descent_elsewhere() -> None:
    graph = root_with(*[(-1, 1, 0.0, 10)] * 4)
    first = select_edge(graph, ROOT, Puct(), True)
    graph.edges["in_flight"][first] += 20
    graph.nodes["in_flight"][ROOT] += 20
    assert select_edge(graph, ROOT, Puct(), True) != first


def test_the_quickest_win_is_chosen() -> None:
    graph = root_with((-1, -1, -1.0, 9), (-1, -1, -1.0, 1), (-1, 1, 0.0, 50))
    graph.nodes["distance"][graph.edges["child"][0]] = 4
    assert best_edge(graph, ROOT) == 1


def test_the_slowest_loss_is_chosen_when_all_lose() -> None:
    graph = root_with(*[(1, 1, 1.0, 5)] * 4)
    graph.nodes["distance"][graph.edges["child"][2]] = 6
    assert best_edge(graph, ROOT) == 2


def test_a_certain_draw_is_taken_when_the_rest_is_worth_less() -> None:
    assert best_edge(root_with((-1, 1, 0.1, 50), (0, 0, 0.0, 3)), ROOT) == 1
    assert best_edge(root_with((0, 1, 0.0, 50), (0, 0, 0.0, 3)), ROOT) == 1
    assert best_edge(root_with((-1, 1, -0.1, 5000), (0, 0, 0.0, 3)), ROOT) == 0


def test_ranks_stay_in_their_place_when_the_child_that_was_certain_is_forgotten() -> None:
    graph = root_with((-1, 1, 0.1, 50))
    graph.nodes["low"][ROOT] = 0
    ranks = np.zeros(16)  # four moves in the midst of what is not theirs
    assert best_edge(graph, ROOT) == 0
    assert rank_edges(graph, ROOT, ranks[8:12]) == 4
    assert ranks[8] == np.inf
    assert not ranks[:8].any()
    assert not ranks[12:].any()


def test_a_better_bound_overrides_visits_but_few_visits_do_not() -> None:
    assert best_edge(root_with((-1, 1, 0.2, 1000), (-1, 1, -0.2, 900)), ROOT) == 1
    assert best_edge(root_with((-1, 1, 0.2, 1000), (-1, 1, -0.9, 20)), ROOT) == 0


def test_a_proven_loss_is_not_chosen_for_its_visits() -> None:
    assert best_edge(root_with((1, 1, 1.0, 1000), (-1, 1, 0.9, 2)), ROOT) == 1


def test_the_line_ends_where_nothing_was_visited() -> None:
    line = np.zeros(8, np.int16)
    graph = root_with((-1, 1, 0.0, 1))
    assert principal_line(graph, 0, line) == 1
    assert line[0] == 9
