from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest

from extremum.engine.games.game import Color, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels.gomoku_search import search
from extremum.engine.kernels.gomoku_shapes import BOARD_WORDS, set_up
from extremum.engine.kernels.gomoku_value import decided
from extremum.engine.kernels.scores import PROVEN, WIN
from extremum.engine.search.states import State, state_of
from tests.diagrams import read
from tests.engine.kernels.slow_search import Plain, solve

SMALL = [Gomoku(4, 3), Gomoku(5, 4), Gomoku(5, 5), Gomoku(5, 4, "standard"), Gomoku(5, 5, "renju")]


@dataclass
class Found:
    """What a search said."""

    move: int
    score: int
    line: list[int]
    nodes: int
    completed: int


def test_a_row_is_completed() -> None:
    found = _search(
        _drawn("""
        . . . . . . . . .
        . . O O O O . . .
        . X X X X * . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """),
        1,
    )
    assert found.score == WIN - 1
    assert found.move in (18, 23)


def test_a_four_is_blocked() -> None:
    diagram = """
        . . . . . . . . .
        . X . . . . . . .
        . . O O O O X . .
        . . X . . . . . .
        . . . X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    assert [_search(_drawn(diagram), depth).move for depth in (1, 2, 4)] == [19] * 3


def test_an_open_three_is_won_in_three() -> None:
    found = _search(
        _drawn("""
        . . . . . . . . .
        . . O O . O . . .
        . . X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """),
        2,
    )
    assert found.score == WIN - 3


def test_fours_are_followed_to_a_win_in_five() -> None:
    found = _search(
        _drawn("""
        . . . . . . . . . . .
        . O X X X . . . . . .
        . . . . . X . . . . .
        . . . . . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . O O O X . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """),
        3,
    )
    assert found.score == WIN - 5


def test_an_overline_does_not_win_in_standard_gomoku() -> None:
    row = "X X X . X X . . . . ."
    board = "\n".join([row] + [". . . . . . . . . . ."] * 10)
    assert _search(_drawn(board, "freestyle"), 2).score == WIN - 1
    assert _search(_drawn(board, "standard"), 2).score < PROVEN


@pytest.mark.parametrize("objective", [1, -1])
def test_three_in_a_row_on_3x3_is_a_draw(objective: int) -> None:
    assert _search(Gomoku(3, 3).start(), 9, objective=objective).score == 0


def test_the_second_player_succeeds_in_the_misere_of_three_in_a_row_on_4x4() -> None:
    assert _search(Gomoku(4, 3).start(), 16, objective=-1).score <= -PROVEN


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("objective", [1, -1])
@pytest.mark.parametrize("game", SMALL, ids=str)
def test_the_score_is_that_of_a_plain_search(game: Gomoku, objective: int, prune: bool) -> None:
    rng = random.Random(f"{game} {objective}")
    for depth in (1, 2, 3):
        position = _random_position(game, rng, rng.randrange(2, game.num_moves - 5))
        found = _search(position, depth, objective=objective, prune=prune, entries=2)
        assert found.score == Plain(position, objective).best(depth)


@pytest.mark.parametrize("objective", [1, -1])
@pytest.mark.parametrize("game", SMALL, ids=str)
def test_proofs_are_true(game: Gomoku, objective: int) -> None:
    rng = random.Random(f"{game} {objective}")
    for _ in range(12):
        position = _random_position(game, rng, game.num_moves - rng.randrange(4, 10))
        truth = solve(position, objective, {})
        for depth in range(1, 10):
            score = _search(position, depth, objective=objective).score
            if abs(score) >= PROVEN:
                assert (score > 0) - (score < 0) == truth
        assert (score > 0) - (score < 0) == truth


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_decisions_by_rule_are_true(game: Gomoku) -> None:
    rng = random.Random(f"{game}")
    board = np.zeros(BOARD_WORDS, np.int64)
    for _ in range(40):
        position = _random_position(game, rng, game.num_moves - rng.randrange(4, 9))
        set_up(board, state_of(position), 1)
        score = decided(board, state_of(position))
        assert score == 0 or (score > 0) - (score < 0) == solve(position, 1, {})


def test_a_forbidden_point_is_no_move_and_no_defense() -> None:
    position = _drawn(
        """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . X X . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . O .
        O . . . . O . . .
    """,
        "renju",
    )
    double_three = 3 * 9 + 4
    assert double_three not in position.legal_moves()
    assert double_three not in _search(position, 3).line


def test_the_line_can_be_played() -> None:
    rng = random.Random(3)
    for _ in range(5):
        position = _random_position(Gomoku(9), rng, 12)
        found = _search(position, 5)
        assert found.line[0] == found.move
        for move in found.line:
            position = position.play(move)


def test_the_search_ends_at_its_node_limit() -> None:
    found = _search(Gomoku(15).start().play(112).play(113), 12, most_nodes=5000)
    assert found.nodes == 5000
    assert found.completed < 223


def test_a_stopped_search_ends_at_once() -> None:
    assert _search(Gomoku(15).start().play(112), 12, stop=True).completed == 0


def test_the_misere_avoids_the_row() -> None:
    position = _drawn("""
        X X X X . . . . .
        . . . . . . . . .
        O O O . . . . . .
        . . . . O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    assert _search(position, 3, objective=-1).move != 4


def _random_position(game: Gomoku, rng: random.Random, plies: int) -> Position:
    """A position of a random game that is not over yet."""
    while True:
        position: Position = game.start()
        for _ in range(plies):
            position = position.play(rng.choice(position.legal_moves()))
            if position.outcome() is not None:
                break
        else:
            return position


def _drawn(drawing: str, rule: str = "freestyle") -> Position:
    diagram = read(drawing)
    return Gomoku(diagram.size, 5, rule).setup(diagram.black, diagram.white, Color.BLACK)


def _search(
    position: Position,
    depth: int,
    *,
    objective: int = 1,
    prune: bool = True,
    entries: int = 1 << 16,
    most_nodes: int = 0,
    stop: bool = False,
) -> Found:
    state: State = state_of(position)
    moves = np.array(position.legal_moves(), np.int16)
    scores, nodes = np.full(len(moves), -WIN, np.int32), np.zeros(len(moves), np.int64)
    line, control = np.full(64, -1, np.int16), np.array([stop, 0, most_nodes], np.int64)
    table = np.zeros((entries, 2), np.uint64)
    completed = search(state, depth, objective, prune, table, moves, scores, nodes, line, control)
    best = int(scores.argmax())
    told = [int(move) for move in line[: int(line.argmin())]]
    return Found(int(moves[best]), int(scores[best]), told, int(control[1]), completed)
