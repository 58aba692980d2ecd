from __future__ import annotations

import random

import numpy as np
import pytest

from extremum.engine.games.game import Color
from extremum.engine.games.gomoku import RULES, Gomoku
from extremum.engine.kernels.gomoku_defenses import list_defenses
from extremum.engine.kernels.gomoku_vcf import leaf_vcf, leaf_vcf_of, make_vcf_work, solve
from extremum.engine.search.states import state_of
from tests.engine.kernels.positions import random_positions
from tests.engine.kernels.slow_vcf import five_points, shortest_vcf

GAMES = [Gomoku(15, 5, rule) for rule in RULES] + [Gomoku(6, 4), Gomoku(20), Gomoku(8, 5, "renju")]


def test_one_work_serves_all_games() -> None:
    work, rng = make_vcf_work(8), random.Random(1)
    positions = [position for game in GAMES for position in random_positions(game, 2, seed=game.size)]
    for position in rng.sample(positions, 400):
        state = state_of(position)
        before = state.copy()
        for side in (position.side_to_move, position.side_to_move.opponent):
            length = leaf_vcf_of(state, int(side), work, 0)
            assert (length > 0) == (_solve(state_of(position.turned(side))) > 0)
        assert (leaf_vcf(state, work, 0) > 0) == (_solve(state) > 0)
        assert (state == before).all()


def test_the_notes_begin_with_the_win() -> None:
    work = make_vcf_work()
    for position in random_positions(Gomoku(15), 4, seed=2):
        length = leaf_vcf(state_of(position), work, 64)
        for move in work[2][: max(length, 0)]:
            position = position.play(int(move))
        assert length <= 0 or position.outcome() is not None


def test_too_few_nodes_leave_it_unknown() -> None:
    position = Gomoku(12).setup(0b111 << 62 | 1 << 29 | 1 << 41, 1 << 61, Color.BLACK)
    work = make_vcf_work()
    assert leaf_vcf(state_of(position), work, 1) == -1
    assert leaf_vcf(state_of(position), work, 64) == 5
    assert leaf_vcf(state_of(position), work, 64) == 5
    assert work[4][1] < 64


def test_a_finished_game_has_no_win_by_fours() -> None:
    position = Gomoku(8).setup(0b11111, 0b111 << 20, Color.WHITE)
    assert leaf_vcf(state_of(position), make_vcf_work(), 64) == 0


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_the_defenses_are_what_a_slow_search_leaves(rule: str) -> None:
    work, moves, seen = make_vcf_work(), np.zeros(400, np.int16), 0
    for position in random.Random(3).sample(found := random_positions(Gomoku(7, 5, rule), 30, seed=8), len(found)):
        opponent = position.side_to_move.opponent
        count = list_defenses(state_of(position), work, 100_000, moves)
        if position.turned(opponent).outcome() is not None:
            continue
        assert (count < 0) == (shortest_vcf(position.turned(opponent)) == 0)
        if count < 0:
            continue
        own = five_points(position, position.side_to_move)
        kept = [move for move in position.legal_moves() if move in own or shortest_vcf(position.play(move)) == 0]
        assert [int(move) for move in moves[:count]] == kept
        seen += 1
        if seen == (5 if rule == "renju" else 15):
            return


def _solve(state: np.ndarray) -> int:
    return int(solve(state, np.zeros((1 << 8, 2), np.uint64), np.zeros(401, np.int16), np.zeros(3, np.int64)))
