"""What is said to be certain of a leaf, against brute force."""

from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.leaf import DISTANCE, UNKNOWN, leaf_moves, leaf_result, make_leaf_work
from extremum.engine.search.states import state_of
from tests.engine.search.small_games import random_position, solved

GAMES = [
    *(Gomoku(4, k, rule) for k in (3, 4) for rule in ("freestyle", "standard")),
    *(Misere(Gomoku(4, k)) for k in (3, 4)),
    Othello(6),
    Misere(Othello(6)),
]
NAMES = ["k3", "k3 standard", "k4", "k4 standard", "k3 misere", "k4 misere", "othello", "othello misere"]


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_what_is_certain_is_true_and_the_moves_left_out_do_not_matter(game: Game) -> None:
    work, moves, proven = make_leaf_work(), np.empty(512, np.int16), 0
    for seed in range(60):
        position = random_position(game, 3 + seed % 5, seed)
        state = state_of(position)
        before, result = state.copy(), leaf_result(state, work)
        assert (state == before).all()
        if result != UNKNOWN:
            proven += 1
            assert result == solved(position)
            assert work.limits[DISTANCE] > 0
            continue
        kept = moves[: leaf_moves(state, work, moves)].tolist()
        assert set(kept) <= set(position.legal_moves())
        assert max(-solved(position.play(move)) for move in kept) == solved(position)
    assert proven > 10 or game in GAMES[4:6]  # few positions force a row upon their side to move


def test_lengths_are_those_of_the_shortest_wins_by_rule() -> None:
    game = Gomoku(9)
    for black, white, side, result, distance in (
        ((40, 41, 42, 43), (0, 2, 4, 6), Color.BLACK, 1, 1),
        ((40, 41, 42, 43), (0, 2, 4, 6), Color.WHITE, -1, 2),
        ((40, 41, 42), (0, 2, 4), Color.BLACK, 1, 3),
    ):
        position = game.setup(_bits(black), _bits(white), side)
        work = make_leaf_work()
        assert (leaf_result(state_of(position), work), work.limits[DISTANCE]) == (result, distance)


def test_a_threatened_row_leaves_one_move() -> None:
    position = Gomoku(9).setup(_bits((40, 41, 42, 43)), _bits((39, 0, 4)), Color.WHITE)
    assert _left(position) == [44]


def test_an_open_three_is_parried_at_its_ends_or_by_a_four() -> None:
    position = Gomoku(9).setup(_bits((39, 40, 41)), _bits((0, 72)), Color.WHITE)
    assert _left(position) == [37, 38, 42, 43]


def test_a_bound_of_no_nodes_tries_no_fours() -> None:
    """A four and a three, both closed on one side, need a search."""
    position = Gomoku(15).setup(_bits((33, 34, 35, 51, 66)), _bits((32, 21, 0, 4)), Color.BLACK)
    assert leaf_result(state_of(position), make_leaf_work(nodes=0)) == UNKNOWN


def _left(position: Position) -> list[int]:
    work, moves, state = make_leaf_work(), np.empty(512, np.int16), state_of(position)
    assert leaf_result(state, work) == UNKNOWN
    return [int(move) for move in moves[: leaf_moves(state, work, moves)]]


def _bits(moves: tuple[int, ...]) -> int:
    return sum(1 << move for move in moves)
