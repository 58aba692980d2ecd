from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from extremum.engine.games.game import Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.rng import make_rng
from extremum.engine.kernels.tree import (
    ROOT,
    Tree,
    add_children,
    backup,
    best_child,
    copy_subtree,
    make_tree,
    principal_lines,
    select_puct,
    select_uct,
    settle,
)
from extremum.engine.kernels.uct import Manner, expand, find, make_workspace, search
from extremum.engine.search.states import state_of
from tests.engine.search.small_games import solved

TIC_TAC_TOE = Gomoku(3, 3)


def grown(position: Position, playouts: int, capacity: int = 1 << 20, patience: float = 0.0) -> Tree:
    tree, work, rng, state = make_tree(capacity), make_workspace(), make_rng(1), state_of(position)
    manner = Manner(position.game.objective, False, 0.4, 1.0, patience)
    assert expand(tree, ROOT, state, manner, work, rng)
    made = search(tree, ROOT, state, playouts, manner, work, rng)
    assert made == tree.visits[ROOT]
    return tree


def children(tree: Tree, node: int) -> range:
    first = int(tree.first[node])
    return range(first, first + int(tree.num_children[node])) if first >= 0 else range(0)


def walk(tree: Tree, position: Position, node: int = ROOT) -> list[tuple[int, Position]]:
    """All nodes with their positions."""
    found = [(node, position)]
    for child in children(tree, node):
        if tree.visits[child] > 0:
            found += walk(tree, position.play(int(tree.move[child])), child)
    return found


def _forget(position: Position) -> Position:
    """The same position by whichever way it was reached."""
    return position.game.setup(position.black, position.white, position.side_to_move)


def check_bounds(tree: Tree, position: Position) -> int:
    """Compare every node's bounds with the truth; returns how many results are proven."""
    proven = 0
    for node, reached in walk(tree, position):
        truth = solved(reached)
        assert tree.low[node] <= truth <= tree.high[node]
        assert tree.low[node] - 1e-6 <= tree.value[node] <= tree.high[node] + 1e-6
        proven += bool(tree.low[node] == tree.high[node])
    return proven


@pytest.mark.slow
@pytest.mark.parametrize("game", [TIC_TAC_TOE, Misere(TIC_TAC_TOE)], ids=["normal", "misere"])
def test_tic_tac_toe_is_proven_a_draw_and_every_bound_is_true(game: Game) -> None:
    start = game.start()
    tree = grown(start, 100_000)
    assert (tree.low[ROOT], tree.high[ROOT]) == (0, 0)
    assert check_bounds(tree, start) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("game", [TIC_TAC_TOE, Misere(TIC_TAC_TOE)], ids=["normal", "misere"])
def test_every_position_of_tic_tac_toe_is_proven_what_it_is(game: Game) -> None:
    seen: dict[Position, None] = {_forget(game.start()): None}
    for position in (todo := list(seen)):
        for move in position.legal_moves():
            after = _forget(position.play(move))
            if after.outcome() is None and after not in seen:
                seen[after] = None
                todo.append(after)
    assert len(seen) == 4520
    for position in seen:
        tree = grown(position, 100_000, capacity=1 << 16)
        assert tree.low[ROOT] == tree.high[ROOT] == solved(position)


def random_position(game: Game, wanted: Callable[[Position], bool]) -> Position:
    """The first such position in random games."""
    rng = random.Random(1)
    position = game.start()
    while not wanted(position):
        moves = position.legal_moves()
        position = position.play(rng.choice(moves)) if moves else game.start()
    return position


@pytest.mark.parametrize("game", [Gomoku(4, 4), Misere(Gomoku(4, 4)), Othello(6), Misere(Othello(6))], ids=str)
def test_what_few_playouts_prove_is_true(game: Game) -> None:
    num_stones = game.size**2 - 7
    position = random_position(
        game, lambda position: (position.black | position.white).bit_count() == num_stones and not position.outcome()
    )
    for playouts in (10, 100, 1000):
        check_bounds(grown(position, playouts), position)


@pytest.mark.slow
@pytest.mark.parametrize("opening", [0, 1, 5], ids=["corner", "edge", "center"])
def test_the_second_player_always_succeeds_at_misere_three_in_a_row_on_4x4(opening: int) -> None:
    start = Misere(Gomoku(4, 3)).start().play(opening).play(15 - opening)
    for move in start.legal_moves():
        tree = grown(start.play(move), 1_000_000)
        assert tree.low[ROOT] == tree.high[ROOT] == 1


def test_a_win_is_proven_with_its_distance() -> None:
    position = Gomoku(4, 3).start()
    tree = grown(position, 100_000)
    assert tree.low[ROOT] == tree.high[ROOT] == 1
    assert tree.distance[ROOT] == 5
    best = best_child(tree, ROOT)
    assert tree.distance[best] == 4
    lines = np.zeros((16, 65), np.int16)
    principal_lines(tree, ROOT, lines)
    assert lines[best - int(tree.first[ROOT])].tolist()[0] == tree.move[best]


@pytest.mark.parametrize("game", [Gomoku(6, 4), Othello(6), Misere(Othello(6))], ids=str)
def test_visits_and_values_add_up(game: Game) -> None:
    tree = grown(game.start(), 3000)
    checked = 0
    for node in range(int(tree.used[0])):
        below = [child for child in children(tree, node) if tree.visits[child] > 0]
        if not below:
            continue
        own = int(tree.visits[node]) - sum(int(tree.visits[child]) for child in below)
        assert own == (0 if node == ROOT else 1)
        if all(tree.low[some] == -1 and tree.high[some] == 1 for some in (node, *below)):
            total = sum(float(-tree.value[child]) * int(tree.visits[child]) for child in below)
            assert abs(float(tree.value[node]) * int(tree.visits[node]) - total) <= own + 1e-2
            checked += 1
    assert checked > 10


def test_a_pass_is_a_move_like_any_other() -> None:
    position = random_position(Othello(6), lambda position: position.legal_moves() == [36])
    tree = grown(position, 2000)
    assert tree.num_children[ROOT] == 1
    child = int(tree.first[ROOT])
    assert tree.move[child] == 36
    assert tree.value[child] == pytest.approx(-float(tree.value[ROOT]), abs=1e-6)


def test_a_full_tree_goes_on_without_growing() -> None:
    tree = grown(Gomoku(8).start(), 5000, capacity=500)
    assert tree.used[0] <= 500
    assert tree.visits[ROOT] == 5000


def test_patience_saves_nodes() -> None:
    few, many = (grown(Gomoku(8).start(), 5000, patience=patience) for patience in (0.2, 0.0))
    assert few.used[0] < many.used[0] / 3


def test_the_copy_of_a_subtree_is_the_same() -> None:
    position = Gomoku(5, 4).start()
    tree, copy = grown(position, 5000), make_tree(1 << 20)
    node = best_child(tree, ROOT)
    copy_subtree(tree, node, copy)
    position = position.play(int(tree.move[node]))
    originals, copies = walk(tree, position, node), walk(copy, position)
    assert len(copies) > 100
    assert [reached for _, reached in originals] == [reached for _, reached in copies]
    for (original, _), (copied, _) in zip(originals, copies, strict=True):
        for field in ("visits", "value", "low", "high", "distance", "num_children", "prior", "square", "move"):
            assert getattr(tree, field)[original] == getattr(copy, field)[copied]


@pytest.mark.parametrize("game", [Gomoku(6, 4), Othello(6)], ids=str)
def test_a_later_position_is_found_in_the_tree(game: Game) -> None:
    start = game.start()
    tree = grown(start, 5000)
    first = best_child(tree, ROOT)
    second = best_child(tree, first)
    position = start.play(int(tree.move[first])).play(int(tree.move[second]))
    states = np.zeros((5, len(state_of(start))), np.uint64)
    states[0] = state_of(start)
    assert find(tree, ROOT, states, 0, state_of(position)) == second
    assert find(tree, ROOT, states, 0, state_of(start)) == ROOT
    turned = position.turned(position.side_to_move.opponent)
    assert find(tree, ROOT, states, 0, state_of(turned)) == -1


def small_tree(*values: float) -> Tree:
    """A root whose children were visited once each, with these values for the root's side."""
    tree, path = make_tree(10), np.zeros(2, np.int32)
    add_children(tree, ROOT, np.arange(len(values) + 1, dtype=np.int16), len(values) + 1)
    for index, value in enumerate(values):
        path[1] = tree.first[ROOT] + index
        backup(tree, path, 1, -value, False)
    return tree


def test_puct_weighs_value_and_prior() -> None:
    tree = small_tree(0.5, -0.5)
    first = int(tree.first[ROOT])
    assert select_puct(tree, ROOT, 0.1, 0.0) == first
    assert select_puct(tree, ROOT, 5.0, 0.0) == first + 2  # never visited: sqrt(2) / 3 against half of it plus 0.5
    assert select_puct(tree, ROOT, 0.1, 0.9) == first + 2


def test_uct_weighs_value_and_visits() -> None:
    tree = small_tree(0.5, -0.5)
    first = int(tree.first[ROOT])
    assert select_uct(tree, ROOT, 0.4, 1.0) == first + 2  # never visited: 1.0 against 0.5 + 0.33
    assert select_uct(tree, ROOT, 1.0, 1.0) == first  # against 0.5 + 0.83
    assert select_uct(tree, ROOT, 0.4, -1.0) == first


def test_nothing_certain_is_searched_again() -> None:
    tree = small_tree(0.5, -0.5)
    first = int(tree.first[ROOT])
    path = np.array([ROOT, first], np.int32)
    settle(tree, first, 1, 3)  # lost for the root's side
    backup(tree, path, 1, 1.0, True)
    assert select_uct(tree, ROOT, 0.1, -1.0) == first + 1
    settle(tree, first + 1, 0, 4)
    backup(tree, np.array([ROOT, first + 1], np.int32), 1, 0.0, True)
    assert (tree.low[ROOT], tree.high[ROOT]) == (0, 1)
    assert select_uct(tree, ROOT, 0.1, -1.0) == first + 2
    assert best_child(tree, ROOT) == first + 1
    settle(tree, first + 2, -1, 6)
    backup(tree, np.array([ROOT, first + 2], np.int32), 1, -1.0, True)
    assert (tree.low[ROOT], tree.high[ROOT], tree.distance[ROOT]) == (1, 1, 7)
    assert best_child(tree, ROOT) == first + 2


def test_of_losses_the_longest_is_chosen() -> None:
    tree = small_tree(0.0, 0.0)
    for index, distance in enumerate((3, 9, 5)):
        node = int(tree.first[ROOT]) + index
        settle(tree, node, 1, distance)
        backup(tree, np.array([ROOT, node], np.int32), 1, 1.0, True)
    assert (tree.high[ROOT], tree.distance[ROOT]) == (-1, 10)
    assert best_child(tree, ROOT) == int(tree.first[ROOT]) + 1
