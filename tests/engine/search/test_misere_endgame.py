"""The end of misère Gomoku, judged by what is left of the board."""

from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.games.game import Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.search.deepening import Table
from extremum.engine.search.misere_endgame import judge_moves
from extremum.engine.search.stopper import Limits, Stopper
from tests.engine.search.small_games import random_position, solved

BOARDS = [(3, 3, 9), (4, 3, 8), (4, 4, 9), (5, 3, 8), (5, 4, 9), (6, 5, 9), (7, 4, 9), (8, 5, 9)]  # size, row, empties


def new_table() -> Table:
    return np.zeros((1 << 12, 2), np.uint64)


def anyhow() -> Stopper:
    return Stopper(Limits())


def check_against_brute_force(position: Position, table: Table) -> None:
    after = {move: -solved(position.play(move)) for move in position.legal_moves()}
    side = position.side_to_move
    hoped, feared = (judge_moves(position, attacker, anyhow(), table) for attacker in (side, side.opponent))
    assert {after[move] for move in hoped.forcing} <= {1}
    assert 1 not in {after[move] for move in hoped.harmless}
    assert bool(hoped.forcing) == (1 in after.values())
    assert feared.forcing == {move for move, value in after.items() if value == -1}
    assert feared.harmless == {move for move, value in after.items() if value != -1}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("size", "row", "empties"), BOARDS)
def test_every_judgement_is_what_brute_force_finds(size: int, row: int, empties: int, seed: int) -> None:
    check_against_brute_force(random_position(Misere(Gomoku(size, row)), empties, seed), new_table())


@pytest.mark.parametrize("seed", range(6))
def test_a_table_is_good_for_the_moves_to_come(seed: int) -> None:
    position, table = random_position(Misere(Gomoku(6, 4)), 9, seed), new_table()
    while position.outcome() is None:
        check_against_brute_force(position, table)
        position = position.play(position.legal_moves()[seed % len(position.legal_moves())])


def test_limits_are_kept() -> None:
    position = random_position(Misere(Gomoku(8)), 18, 3)
    side = position.side_to_move
    for most in (0, 50):
        found = judge_moves(position, side, anyhow(), new_table(), most)
        assert found.nodes <= most
        assert not found.forcing
    assert judge_moves(position, side, anyhow(), new_table(), seconds=0.0).nodes == 0
    assert judge_moves(position, side, Stopper(Limits(), interrupted=lambda: True), new_table()).nodes == 0
