import random

import pytest

from extremum.engine.games.game import Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import (
    IDENTITY,
    SYMMETRIES,
    inverse,
    permutation,
    transform_bits,
    transform_move,
    transform_position,
)


def test_the_eight_symmetries_of_three_points() -> None:
    corner, edge = 0, 1
    seen = [(permutation(3, symmetry)[corner], permutation(3, symmetry)[edge]) for symmetry in SYMMETRIES]
    assert sorted(seen) == [(0, 1), (0, 3), (2, 1), (2, 5), (6, 3), (6, 7), (8, 5), (8, 7)]
    assert seen[IDENTITY] == (0, 1)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_inverse_undoes(symmetry: int) -> None:
    forth, back = permutation(6, symmetry), permutation(6, inverse(symmetry))
    assert [back[forth[point]] for point in range(36)] == list(range(36))


def test_the_symmetries_are_a_group() -> None:
    all_of_them = {permutation(5, symmetry) for symmetry in SYMMETRIES}
    products = {tuple(second[point] for point in first) for first in all_of_them for second in all_of_them}
    assert len(all_of_them) == 8
    assert products == all_of_them


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_a_pass_stays_a_pass(symmetry: int) -> None:
    assert transform_move(Othello(), 64, symmetry) == 64


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_stones_go_where_moves_go(symmetry: int) -> None:
    game = Gomoku(7)
    moves = [0, 1, 10, 30, 48]
    there = sum(1 << transform_move(game, move, symmetry) for move in moves)
    assert transform_bits(7, sum(1 << move for move in moves), symmetry) == there


@pytest.mark.parametrize(
    "game", [Gomoku(4, in_a_row=3), Gomoku(9, rule="renju"), Othello(6), Othello(8), Misere(Othello(6))], ids=str
)
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries_commute_with_play(game: Game, symmetry: int) -> None:
    rng = random.Random(symmetry)
    position = game.start()
    while position.outcome() is None:
        moves = position.legal_moves()
        image = transform_position(position, symmetry)
        assert image.legal_moves() == sorted(transform_move(game, move, symmetry) for move in moves)
        move = rng.choice(moves)
        position = position.play(move)
        _check_same(image.play(transform_move(game, move, symmetry)), transform_position(position, symmetry))


def _check_same(one: Position, other: Position) -> None:
    assert (one.black, one.white, one.side_to_move) == (other.black, other.white, other.side_to_move)
    assert one.outcome() == other.outcome()
