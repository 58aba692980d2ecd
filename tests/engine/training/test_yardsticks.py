from typing import Any

import pytest

from extremum.engine.brains import make_brain
from extremum.engine.evaluators.numpy import NumpyEvaluator
from extremum.engine.games import make_game
from extremum.engine.games.misere import Misere
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.training.opponents import Player, fixed_opponents, net_player
from extremum.engine.training.results import Result, elo
from extremum.engine.training.table import table_text
from extremum.engine.training.yardsticks import make_openings, play_match
from tests.engine.nets.random_nets import random_checkpoint


def player(name: str, **limits: Any) -> Player:
    return Player(name, make_brain(name, Options(seed=1, memory=1)), Limits(**limits))


def test_elo_and_its_bars() -> None:
    assert elo(0.5) == 0
    assert elo(0.75) == -elo(0.25) == 191
    assert Result(400, 0, 0).elo()[2] == elo(1.0) == 800
    result = Result(30, 0, 10)
    assert result.score == 0.75
    assert result.error == pytest.approx(1.96 * (0.75 * 0.25 / 40) ** 0.5)
    assert Result(0, 40, 0).error < 0.04
    assert 0 < Result(40, 0, 0).error < 0.04


def test_openings_are_even_and_the_same_again() -> None:
    game = make_game("othello", 6)
    openings = make_openings(game, 3, seed=5)
    assert [position.black for position in openings] == [position.black for position in make_openings(game, 3, seed=5)]
    assert all(position.ply == 6 and position.outcome() is None for position in openings)


def test_a_match_is_scored_for_its_first_player() -> None:
    openings = make_openings(make_game("othello", 6), 3, seed=1)
    result = play_match(player("alphabeta", depth=3), player("random"), openings, lambda: False)
    assert result is not None
    assert result.games == 6
    assert result.wins >= 5
    turned = play_match(player("random"), player("alphabeta", depth=3), openings, lambda: False)
    assert turned is not None
    assert turned.losses >= 5


def test_a_match_that_is_stopped_has_no_result() -> None:
    openings = make_openings(make_game("othello", 6), 1, seed=1)
    assert play_match(player("random"), player("random"), openings, lambda: True) is None


def test_a_table_has_a_row_for_each_net() -> None:
    results = {(0, 1): Result(1, 0, 3), (1, 0): Result(3, 0, 1)}
    assert table_text(["early", "late"], results).splitlines() == [
        "| net | early | late | all |",
        "|---|---|---|---|",
        "| early |  | 25% | 25.0% ±42.4% |",
        "| late | 75% |  | 75.0% ±42.4% |",
    ]


@pytest.mark.parametrize(
    ("name", "losers"),
    [("gomoku", ["naive-loser", "careful-loser"]), ("othello", ["greedy-loser", "textbook-loser"])],
)
def test_misere_nets_meet_those_who_try_to_lose(name: str, losers: list[str]) -> None:
    game = make_game(name, 8)
    usual = ["rollout 2000", "rollout 5000", "alphabeta depth 2", "alphabeta depth 4"]
    assert [one.name for one in fixed_opponents(game, 2000, seed=1)] == usual
    met = list(fixed_opponents(Misere(game), 2000, seed=1))
    assert [one.name for one in met] == usual + losers
    openings = make_openings(Misere(game), 1, seed=1)
    assert play_match(met[-1], player("random"), openings, lambda: False) is not None


def test_a_net_plays_with_the_proofs_of_mcts() -> None:
    """Three in a row with both ends open win by fours, which four visits of a tree would not show."""
    position = make_game("gomoku", 8).start()
    for move in (27, 0, 28, 7, 29, 56):
        position = position.play(move)
    net = net_player("net", NumpyEvaluator(random_checkpoint("gomoku", "b4c32", 8)), seed=1, visits=4)
    found = net.brain.choose(position, Stopper(net.limits)).analysis
    assert found.best.proven is not None
    assert found.best.value == 1
