from __future__ import annotations

import time

import pytest

from extremum.engine.brains.rollout import RolloutBrain
from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.search.analysis import Analysis
from extremum.engine.search.stopper import Limits, Stopper
from tests.contracts_brain import check_brain, choose, choose_within


def brain(**options: object) -> RolloutBrain:
    return RolloutBrain(Options(**{"seed": 1, "memory": 16, **options}))  # type: ignore[arg-type]  # named by the tests


@pytest.mark.slow
@pytest.mark.parametrize("textbook", [False, True], ids=["normal", "textbook"])
def test_rollout_brain_keeps_the_contract(textbook: bool) -> None:
    check_brain(lambda: brain(textbook=textbook))


@pytest.mark.parametrize("textbook", [False, True], ids=["normal", "textbook"])
@pytest.mark.parametrize("visits", [1, 17, 1000])
def test_the_visits_limit_is_met_exactly(visits: int, textbook: bool) -> None:
    assert choose(brain(textbook=textbook), Gomoku(9).start(), visits).analysis.visits == visits


def test_kept_visits_count() -> None:
    player, position = brain(), Gomoku(9).start()
    choice = choose(player, position, 5000)
    reply = choice.analysis.best.line[1]
    position = position.play(choice.move).play(reply)
    kept = choose(player, position, 1).analysis.visits
    assert kept > 1
    analysis = choose(player, position, kept + 100).analysis
    assert (analysis.visits, analysis.inherited) == (kept + 100, kept)


@pytest.mark.parametrize("game", [Gomoku(8), Othello(8), Misere(Othello(6))], ids=str)
def test_the_tree_is_kept_from_move_to_move(game: Game) -> None:
    player, fresh, position = brain(), brain(), game.start()
    for _ in range(4):
        choice = choose(player, position, 4000)
        position = position.play(choice.move).play(choice.analysis.best.line[1])
    assert choose(player, position, 1).analysis.visits > choose(fresh, position, 1).analysis.visits == 1


def test_a_crowded_tree_is_made_small_again() -> None:
    player, position = brain(memory=2), Gomoku(9).start()
    for _ in range(6):
        choice = choose(player, position, 20000)
        assert choice.analysis.visits == 20000
        position = position.play(choice.move).play(choice.analysis.best.line[1])


def test_another_game_begins_a_new_tree() -> None:
    player = brain()
    choose(player, Gomoku(8).start(), 500)
    for position in (Misere(Gomoku(8)).start(), Gomoku(8, 4).start(), Othello(8).start(), Gomoku(8).start().play(9)):
        player_again = choose(player, position, 50)
        assert player_again.analysis.visits == 50 or position.ply == 1
        assert player_again.move in position.legal_moves()


def test_textbook_forgets_its_tree() -> None:
    player, position = brain(textbook=True), Gomoku(8).start()
    choose(player, position, 500)
    assert choose(player, position, 10).analysis.visits == 10


def test_one_legal_move_is_played_at_once() -> None:
    stones = sum(1 << point for point in (0, 1, 5, 6)), sum(1 << point for point in (2, 3, 4, 7))
    position = Gomoku(3, 3).setup(*stones, Color.BLACK)
    assert choose_within(brain(), position, Stopper(Limits())).move == 8


def test_a_proven_root_ends_the_search() -> None:
    analysis = choose_within(brain(), Gomoku(3, 3).start(), Stopper(Limits())).analysis
    assert (analysis.best.proven, analysis.best.value, analysis.best.lcb) == (0, 0.0, 0.0)
    win = choose_within(
        brain(), Gomoku(5, 4).start().play(0).play(4).play(12), Stopper(Limits(visits=200_000))
    ).analysis
    assert win.best.move in Gomoku(5, 4).start().play(0).play(4).play(12).legal_moves()


def open_three(side_to_move: Color) -> Position:
    """Black has an open three on the middle row of 9x9; white's stones are out of the way."""
    black, white = sum(1 << (4 * 9 + column) for column in (3, 4, 5)), 1 | 1 << 8 | 1 << 72
    return Gomoku(9).setup(black, white, side_to_move)


def test_a_proven_win_says_its_distance() -> None:
    best = choose_within(brain(), open_three(Color.BLACK), Stopper(Limits(visits=300_000))).analysis.best
    assert best.move in (4 * 9 + 2, 4 * 9 + 6)
    assert (best.proven, best.distance) == (1, 3)


def test_reports_come_while_searching() -> None:
    reports: list[Analysis] = []
    brain().choose(Gomoku(9).start(), Stopper(Limits(visits=3000)), lambda make: reports.append(make()))
    visits = [analysis.visits for analysis in reports]
    assert visits == sorted(set(visits))
    assert visits[-1] == 3000


@pytest.mark.parametrize("game", [Gomoku(15), Gomoku(20, 5, "renju"), Othello(8)], ids=str)
def test_a_short_deadline_is_kept(game: Game) -> None:
    """The least of some tries, for other processes want the machine too."""
    player, late = brain(), []
    for _ in range(10):
        begin = time.perf_counter()
        player.choose(game.start(), Stopper(Limits(seconds=0.02)))
        late.append(time.perf_counter() - begin - 0.02)
    assert min(late) < 0.02
