from __future__ import annotations

import random
from collections import Counter

import pytest

from extremum.engine.bounds import Bounds
from extremum.engine.brains import make_brain
from extremum.engine.brains.level import SEARCH, SURE, VISITS, LevelBrain, has_dial, limits_at, sharpness_at
from extremum.engine.brains.one_ply import one_ply
from extremum.engine.clock import TimeControl
from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.session import Session
from tests.doubles import FakeTime, ScriptedBrain

BLACK, WHITE = Color.BLACK, Color.WHITE


def four(*, of_mover: bool) -> Position:
    """An open four on 9x9, of the side to move or of its opponent, one end closed."""
    stones, others = sum(1 << move for move in (38, 39, 40, 41)), 1 << 37 | 1 << 0 | 1 << 80 | 1 << 8
    game = Gomoku(9)
    return game.setup(stones, others, BLACK) if of_mover else game.setup(stones, others, WHITE)


def moves_at(level: int, position: Position, draws: int = 40) -> Counter[int]:
    brain = LevelBrain(level, make_brain("alphabeta", Options(seed=1, memory=1)), random.Random(level))
    stopper = Stopper(limits_at(level, "alphabeta", Limits(), is_timed=False))
    return Counter(brain.choose(position, stopper).move for _ in range(draws))


def test_the_poles_and_the_players_that_do_not_search_have_no_dial() -> None:
    assert [level for level in range(101) if not has_dial(level, "alphabeta")] == [0, 100]
    assert not has_dial(30, "careful-loser")
    assert not has_dial(30, "random")


@pytest.mark.parametrize("brain", VISITS)
def test_visits_rise_with_the_level_and_are_no_more_than_allowed(brain: str) -> None:
    visits = [limits_at(level, brain, Limits(), is_timed=False).visits or 0 for level in range(50, 100)]
    assert visits == sorted(visits)
    assert visits[-1] > visits[0] > 0
    assert limits_at(99, brain, Limits(visits=3), is_timed=False) == Limits(visits=3)


def test_time_limits_a_level_only_on_a_clock() -> None:
    planned = Limits(seconds=2.0, most=3.0, depth=5)
    assert limits_at(80, "mcts", planned, is_timed=False) == Limits(visits=1, depth=5)
    assert limits_at(80, "mcts", planned, is_timed=True) == Limits(seconds=2.0, most=3.0, visits=1, depth=5)


@pytest.mark.parametrize("brain", VISITS)
@pytest.mark.parametrize("game", ["gomoku", "othello"])
@pytest.mark.parametrize("level", [pytest.param(20, marks=pytest.mark.slow), 85])
def test_a_level_plays_the_same_however_slow_the_machine_is(brain: str, game: str, level: int) -> None:
    games = [moves_of_a_session(brain, game, level, seconds_a_look) for seconds_a_look in (0.0, 10.0)]
    assert games[0] == games[1]


def moves_of_a_session(brain: str, game: str, level: int, seconds_a_look: float) -> list[tuple[int | None, int]]:
    """Some moves and the visits behind each, by a clock that goes on with each look at it."""
    session = Session(Options(seed=1, memory=1, evaluator="patterns"), now=FakeTime(step=seconds_a_look))
    session.set_game(game)
    session.set_size(8)
    session.set_brain(brain)
    session.set_level(level)
    for _ in range(6):
        session.genmove(session.position.side_to_move)
    return [(played.move, played.analysis.visits) for played in session.moves if played.analysis is not None]


def test_a_clock_and_a_servers_bound_end_a_level_early() -> None:
    bounded = Session(now=FakeTime(step=1.0), bounds=Bounds(seconds=3.0, memory=1))
    timed = Session(Options(memory=1), now=FakeTime(step=1.0))
    timed.clock.set_control(TimeControl(period=3.0))
    for session in (bounded, timed):
        session.set_brain("rollout")
        session.set_level(99)
        session.genmove(BLACK)
        analysis = session.moves[-1].analysis
        assert analysis is not None
        assert analysis.visits < VISITS["rollout"][2] // 2


def test_the_better_move_is_preferred_ever_more() -> None:
    sharpness = [sharpness_at(level) for level in range(50, SEARCH)]
    assert sharpness == sorted(set(sharpness))
    assert sharpness[0] == 0.0


def test_level_fifty_is_chance() -> None:
    counts = moves_at(50, Gomoku(3, 3).start().play(4), draws=1600)
    assert sorted(counts) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert all(130 < count < 270 for count in counts.values())


def test_a_win_at_hand_is_taken_from_fifty_five_on() -> None:
    assert set(moves_at(55, four(of_mover=True))) == {42}
    assert len(moves_at(52, four(of_mover=True))) > 1


def test_a_loss_at_hand_is_avoided_from_sixty_on() -> None:
    assert set(moves_at(60, four(of_mover=False))) == {42}
    assert len(moves_at(52, four(of_mover=False))) > 1


@pytest.mark.parametrize("level", [5, 25, 45])
def test_the_lower_half_mixes_the_brain_with_chance(level: int) -> None:
    """The double plays the first point of 25, chance any of them."""
    brain, position = LevelBrain(level, ScriptedBrain(), random.Random(1)), Misere(Gomoku(5)).start()
    others = sum(brain.choose(position, Stopper(Limits())).move != 0 for _ in range(1000))
    assert others == pytest.approx(1000 * level / 50 * 24 / 25, abs=60)


def test_one_ply_knows_what_decides_at_once() -> None:
    worth = one_ply(four(of_mover=True))
    assert [move for move, each in worth.items() if each > SURE] == [42]
    lost = one_ply(four(of_mover=False))
    assert [move for move, each in lost.items() if each >= -SURE] == [42]


@pytest.mark.parametrize("game", [Gomoku(7), Othello(6), Misere(Gomoku(7)), Misere(Othello(6))], ids=str)
def test_one_ply_tells_of_every_legal_move(game: Game) -> None:
    position = game.start()
    while position.outcome() is None:
        worth = one_ply(position)
        assert list(worth) == position.legal_moves()
        position = position.play(max(worth, key=lambda move: worth[move]))


@pytest.mark.parametrize("level", [1, 25, 49, 50, 57, 70, 85, 99])
@pytest.mark.parametrize("game", ["gomoku", "othello"])
def test_every_level_plays_legal_moves_to_the_end(level: int, game: str) -> None:
    session = Session(Options(seed=1, visits=100, memory=1))
    session.set_game(game)
    session.set_size(6)
    session.set_level(level)
    while session.outcome() is None:
        session.genmove(session.position.side_to_move)
    assert session.outcome() is not None


@pytest.mark.slow
@pytest.mark.parametrize(("game", "weaker", "stronger"), [("gomoku", 0, 50), ("gomoku", 50, 62), ("othello", 20, 80)])
def test_a_higher_level_wins(game: str, weaker: int, stronger: int) -> None:
    won = 0
    for number in range(6):
        sessions = [Session(Options(seed=number + 1, visits=2000, memory=1)) for _ in range(2)]
        for session, level in zip(sessions, (weaker, stronger), strict=True):
            session.set_game(game)
            session.set_size(8)
            session.set_level(level)
        won += winner(sessions if number % 2 else sessions[::-1], sessions[1])
    assert won >= 5


def winner(seats: list[Session], stronger: Session) -> bool:
    """Whether this session won the game."""
    black = seats[0]
    while (outcome := black.outcome()) is None:
        color = black.position.side_to_move
        move = seats[color].genmove(color)
        seats[1 - color].play(color, move)
    return outcome.winner is not None and seats[outcome.winner] is stronger
