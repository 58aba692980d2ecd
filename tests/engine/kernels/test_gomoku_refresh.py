from __future__ import annotations

import random

import numpy as np
import pytest

from extremum.engine.games.game import Position
from extremum.engine.games.gomoku import RULES, Gomoku
from extremum.engine.kernels.gomoku_refresh import refresh
from extremum.engine.kernels.gomoku_shapes import BOARD_WORDS, MEMO, set_up
from extremum.engine.search.states import state_of
from tests.engine.kernels.positions import random_positions


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5, 8, 15, 20])
def test_a_board_led_from_position_to_position_is_as_set_up_anew(size: int, rule: str) -> None:
    board = np.zeros(BOARD_WORDS, np.int64)
    for position in _shuffled(random_positions(Gomoku(size, 5, rule), 2))[:60]:
        refresh(board, state_of(position))
        _check(board, position)


def test_a_board_changes_from_game_to_game() -> None:
    board = np.zeros(BOARD_WORDS, np.int64)
    games = [Gomoku(15), Gomoku(15, 5, "renju"), Gomoku(15, 5, "standard"), Gomoku(9, 4), Gomoku(9, 5), Gomoku(4, 3)]
    for position in _shuffled([position for game in games for position in random_positions(game, 1)])[:80]:
        refresh(board, state_of(position))
        _check(board, position)


def _shuffled(positions: list[Position]) -> list[Position]:
    return random.Random(5).sample(positions, len(positions))


def _check(board: np.ndarray, position: Position) -> None:
    fresh = np.zeros(BOARD_WORDS, np.int64)
    set_up(fresh, state_of(position), 1)
    assert (board[:MEMO] == fresh[:MEMO]).all()
