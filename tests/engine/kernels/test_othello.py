from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.games.game import Position
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.othello import (
    SMALL_BOARD,
    WHOLE_BOARD,
    flips,
    legal_moves,
    mobility,
    move_of,
    perft,
    play,
    playable_squares,
    square_of,
)
from extremum.engine.search.states import State, state_of
from tests.engine.kernels.positions import random_positions

GAMES = [Othello(8), Othello(6)]
LEAVES = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]


@pytest.mark.parametrize("depth", range(11))
def test_the_tree_of_8x8_has_the_known_number_of_leaves(depth: int) -> None:
    assert perft(state_of(Othello().start()), depth) == LEAVES[depth]


@pytest.mark.parametrize("depth", range(6))
def test_the_tree_of_6x6_has_as_many_leaves_as_the_game_says(depth: int) -> None:
    assert perft(state_of(Othello(6).start()), depth) == _leaves(Othello(6).start(), depth)


@pytest.mark.parametrize("game", GAMES)
def test_leaves_are_counted_through_passes_and_ends(game: Othello) -> None:
    late = [position for position in random_positions(game, 6) if _num_empty(position) == 5]
    for position in late:
        for depth in range(8):
            assert perft(state_of(position), depth) == _leaves(position, depth)


@pytest.mark.parametrize("game", GAMES)
def test_legal_moves_equal_those_of_the_game(game: Othello) -> None:
    for position in random_positions(game, 30):
        assert _legal(state_of(position)) == position.legal_moves()


@pytest.mark.parametrize("game", GAMES)
def test_every_move_leads_to_the_state_of_the_game(game: Othello) -> None:
    for position in random_positions(game, 8):
        for move in position.legal_moves():
            state = state_of(position)
            play(state, move)
            assert np.array_equal(state, state_of(position.play(move)))


def test_nothing_is_legal_after_the_end() -> None:
    ended = Othello().setup(black=1, white=0, side_to_move=Othello().start().side_to_move)
    assert _legal(state_of(ended)) == []


def test_a_square_without_flips_is_no_move() -> None:
    for position in random_positions(Othello(), 4):
        own, opp = np.uint64(position.black), np.uint64(position.white)
        moves = int(mobility(own, opp, WHOLE_BOARD))
        for square in range(64):
            if not (position.black | position.white) >> square & 1:
                assert bool(flips(own, opp, square)) == bool(moves >> square & 1)


@pytest.mark.parametrize("size", [8, 6])
def test_squares_and_moves_are_each_others_inverse(size: int) -> None:
    squares = [square_of(move, size) for move in range(size * size)]
    assert [move_of(square, size) for square in squares] == list(range(size * size))
    assert sum(1 << square for square in squares) == playable_squares(size)
    assert playable_squares(size) == (WHOLE_BOARD if size == 8 else SMALL_BOARD)


def _legal(state: State) -> list[int]:
    out = np.zeros(64, np.int16)
    return [int(move) for move in out[: legal_moves(state, out)]]


def _leaves(position: Position, depth: int) -> int:
    moves = position.legal_moves()
    if depth == 0 or not moves:
        return 1
    return sum(_leaves(position.play(move), depth - 1) for move in moves)


def _num_empty(position: Position) -> int:
    return position.game.size**2 - (position.black | position.white).bit_count()
