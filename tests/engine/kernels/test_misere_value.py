"""The evaluation of misère Gomoku against counts by the definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from extremum.engine.games.game import Color, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import misere
from extremum.engine.games.symmetry import SYMMETRIES, transform_position
from extremum.engine.kernels.gomoku_shapes import BOARD_WORDS, set_up
from extremum.engine.kernels.gomoku_value import value
from extremum.engine.kernels.misere_value import features, misere_value, stage
from extremum.engine.kernels.misere_weights import KNOTS, NUM_FEATURES, STAGES, UNIT, WEIGHTS, interpolated, table_of
from extremum.engine.search.states import state_of
from tests.engine.kernels.positions import random_positions

GAMES = [Gomoku(8), Gomoku(7, 4), Gomoku(9)]


def board_of(position: Position) -> np.ndarray:
    board = np.empty(BOARD_WORDS, np.int64)
    set_up(board, state_of(misere(position)), -1)
    return board


def windows(game: Gomoku) -> list[int]:
    """Every run of k points, as a set of bits."""
    size, k = game.size, game.in_a_row
    found = []
    for row, column, (down, right) in product(range(size), range(size), ((0, 1), (1, 0), (1, 1), (1, -1))):
        if row + down * (k - 1) < size and 0 <= column + right * (k - 1) < size:
            found.append(sum(1 << (row + down * place) * size + column + right * place for place in range(k)))
    return found


def of_side(position: Position, color: Color) -> tuple[list[int], list[set[int]]]:
    """A side's windows that miss 1..4 stones, and its points by the least that a window through them misses."""
    game = position.game
    assert isinstance(game, Gomoku)
    own, other = (position.black, position.white)[:: 1 if color is Color.BLACK else -1]
    missing = {window: game.in_a_row - (window & own).bit_count() for window in windows(game) if not window & other}
    least: dict[int, int] = {}
    for window, lacking in missing.items():
        for point in (point for point in range(game.num_moves) if window & ~own & 1 << point):
            least[point] = min(lacking, least.get(point, 9))
    points = [{point for point, lacking in least.items() if lacking == number} for number in (1, 2, 3, 4)]
    return [list(missing.values()).count(number) for number in (1, 2, 3, 4)], points


def counted(position: Position) -> tuple[int, ...]:
    (own, own_points), (other, other_points) = (
        of_side(position, color) for color in (position.side_to_move, position.side_to_move.opponent)
    )
    empty = position.game.num_moves - (position.black | position.white).bit_count()
    parities = (empty - len(own_points[0] | other_points[0]), empty)
    return (
        *(theirs - ours for ours, theirs in zip(own, other, strict=True)),
        *(len(theirs) - len(ours) for ours, theirs in zip(own_points, other_points, strict=True)),
        *(1 if number % 2 else -1 for number in parities),
        1,
    )


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_features_are_those_of_the_definition(game: Gomoku) -> None:
    for position in random_positions(game, 3)[::3]:
        assert features(board_of(position)) == counted(position)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_value_is_the_weighted_sum(game: Gomoku) -> None:
    for position in random_positions(game, 2)[::3]:
        board = board_of(position)
        row = WEIGHTS[table_of(game.size), stage(board)]
        assert misere_value(board) == value(board) == int(row @ np.array(counted(position))) // UNIT


def test_the_value_is_the_same_from_every_side() -> None:
    for position in random_positions(Gomoku(8), 1)[5::7]:
        turned = [transform_position(position, symmetry) for symmetry in SYMMETRIES]
        assert len({misere_value(board_of(each)) for each in turned}) == 1


def test_own_lines_are_the_danger() -> None:
    """A four of one's own is worse than a four of the opponent's, on every board."""
    for size in (8, 10, 15):
        four = sum(1 << size + column for column in (1, 2, 3, 4))
        others = sum(1 << size * (size - 1) + column for column in (0, 2, 5, 7))
        own = Gomoku(size).setup(four, others, Color.BLACK)
        assert misere_value(board_of(own)) < misere_value(board_of(own.turned(Color.WHITE)))


def test_tables_have_a_row_for_each_stage_with_straight_lines_between_the_knots() -> None:
    assert WEIGHTS.shape == (3, STAGES + 1, NUM_FEATURES)
    table = interpolated(np.outer(KNOTS, np.ones(NUM_FEATURES)))
    assert table[:, 0].tolist() == list(range(STAGES + 1))
    assert [table_of(size) for size in (3, 8, 9, 11, 12, 20)] == [0, 0, 1, 1, 2, 2]
