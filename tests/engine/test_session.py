import threading
from threading import Thread

import pytest

from extremum.engine.brains import resolve
from extremum.engine.clock import TimeControl
from extremum.engine.errors import EngineError, IllegalMoveError, UnacceptableSizeError
from extremum.engine.games import make_game
from extremum.engine.games.game import Color, Outcome
from extremum.engine.options import Options
from extremum.engine.session import Session
from tests.doubles import FakeTime, ScriptedBrain, SessionWith, ThinkingBrain

BLACK, WHITE = Color.BLACK, Color.WHITE


@pytest.fixture
def session() -> Session:
    session = Session(Options(seed=1))
    session.set_brain("random")
    return session


def session_that_thought() -> Session:
    """On a clock of a minute, after one move that took some time."""
    session = Session(Options(seed=1), FakeTime(step=0.25))
    session.set_brain("random")
    session.clock.set_control(TimeControl(main=60))
    session.genmove(BLACK)
    return session


def play_out(session: Session) -> None:
    while session.outcome() is None:
        session.genmove(session.position.side_to_move)


def test_a_session_begins_with_gomoku_on_fifteen(session: Session) -> None:
    assert (session.game.name, session.game.rule, session.game.size) == ("gomoku", "freestyle", 15)


def test_a_move_of_either_color_is_taken_at_any_time(session: Session) -> None:
    session.play(WHITE, 112)
    session.play(WHITE, 113)
    assert session.position.white == 1 << 112 | 1 << 113


def test_an_illegal_move_changes_nothing(session: Session) -> None:
    session.play(BLACK, 112)
    before = session.position
    with pytest.raises(IllegalMoveError):
        session.play(WHITE, 112)
    assert session.position is before
    assert len(session.moves) == 1


def test_a_sequence_is_played_wholly_or_not_at_all(session: Session) -> None:
    with pytest.raises(IllegalMoveError):
        session.play_sequence([(BLACK, 112), (WHITE, 112)])
    assert len(session.moves) == 0
    session.play_sequence([(BLACK, 112), (WHITE, 113)])
    assert [played.move for played in session.moves] == [112, 113]


def test_undo_goes_back_to_the_start_and_no_further(session: Session) -> None:
    session.play_sequence([(BLACK, 112), (WHITE, 113)])
    with pytest.raises(EngineError, match="cannot undo"):
        session.undo(3)
    session.undo(2)
    assert session.position is session.start


def test_a_gomoku_pass_is_refused_before_the_end_and_taken_after_it(session: Session) -> None:
    session.set_size(3)
    with pytest.raises(IllegalMoveError):
        session.play(BLACK, None)
    play_out(session)
    session.play(BLACK, None)
    assert session.genmove(WHITE) is None
    assert [played.move for played in session.moves[-2:]] == [None, None]


NO_POINT_FOR_BLACK = "XXX.XXOXOXOOXOXOXOOOXXOXXOOXXOOXXOOX"  # D6 alone is empty: six in a row


def renju_without_a_point(session: Session) -> None:
    session.set_game("gomoku", "renju")
    session.set_size(6)
    session.setup(*([move for move, cell in enumerate(NO_POINT_FOR_BLACK) if cell == sign] for sign in "XO"))


def test_black_who_has_no_allowed_point_passes_and_that_is_the_end(session: Session) -> None:
    renju_without_a_point(session)
    session.setup_player(WHITE)
    assert session.outcome() is None
    assert session.suggest(WHITE) == 3
    assert session.genmove(BLACK) is None
    assert session.outcome() == Outcome(None, 0)
    assert session.suggest(WHITE) is None
    assert session.genmove(WHITE) is None
    with pytest.raises(IllegalMoveError, match="comes after the end of the game"):
        session.play(WHITE, 3)
    session.undo(2)
    session.play(WHITE, 3)


def test_a_pass_is_taken_from_black_who_has_no_allowed_point(session: Session) -> None:
    renju_without_a_point(session)
    session.setup_player(WHITE)
    session.play(BLACK, None)
    assert session.outcome() == Outcome(None, 0)


def test_a_game_that_ended_by_giving_black_the_turn_has_ended_for_white(session: Session) -> None:
    renju_without_a_point(session)
    session.setup_player(BLACK)
    assert session.genmove(BLACK) is None
    assert session.genmove(WHITE) is None
    with pytest.raises(IllegalMoveError, match="comes after the end of the game"):
        session.play(WHITE, 3)


def test_passes_after_the_end_can_be_taken_back(session: Session) -> None:
    session.set_size(3)
    play_out(session)
    session.play(BLACK, None)
    session.undo()
    assert session.outcome() is not None
    session.undo()
    assert session.outcome() is None


def test_a_forced_pass_in_othello_may_be_left_out(session: Session) -> None:
    session.set_game("othello")
    session.setup(black=[0, 8], white=[1, 63])  # a1 a2 against b1 h8: black captures at c1
    session.setup_player(WHITE)
    assert session.position.legal_moves() == [64]
    session.play(BLACK, 2)
    assert session.position.black == 0b111 | 1 << 8


def test_genmove_plays_what_it_answers(session: Session) -> None:
    move = session.genmove(BLACK)
    assert session.moves[0].move == move == session.position.last_move


def test_suggest_plays_nothing_and_repeats_itself(session: Session) -> None:
    assert session.suggest(BLACK) == session.suggest(BLACK)
    assert len(session.moves) == 0


@pytest.mark.slow
def test_one_thread_searches_for_what_is_to_repeat_itself() -> None:
    session = Session(Options(seed=1, movetime=0.3, memory=4, visits=100))
    session.set_game("othello")
    session.genmove(BLACK)  # whatever is loaded is loaded, by one thread where visits are counted
    session.set_option("visits", "0")
    before, counts = helpers(), [0]
    suggesting = Thread(target=session.suggest, args=(WHITE,))
    suggesting.start()
    while suggesting.is_alive():
        counts.append(helpers())
        suggesting.join(0.005)
    assert max(counts) - before <= 1  # the one that the kernel runs in


def helpers() -> int:
    return sum(thread.name == "aside" for thread in threading.enumerate())


def test_the_size_is_refused_with_its_bounds(session: Session) -> None:
    with pytest.raises(UnacceptableSizeError) as caught:
        session.set_size(21)
    assert str(caught.value) == "unacceptable size: 21 is not in 3..20"
    assert session.game.size == 15


def test_the_number_in_a_row_follows_the_size_unless_it_was_chosen(session: Session) -> None:
    session.set_size(3)
    assert session.game == make_game("gomoku", 3, in_a_row=3)
    session.set_size(15)
    assert session.game == make_game("gomoku", 15, in_a_row=5)
    session.set_game("gomoku", in_a_row=4)
    session.set_size(6)
    assert session.game == make_game("gomoku", 6, in_a_row=4)


def test_a_change_of_game_takes_the_size_along_where_it_can(session: Session) -> None:
    session.set_size(19)
    session.set_game("gomoku", "standard")
    assert session.game.size == 19
    session.set_game("othello")
    assert session.game.size == 8


def test_a_set_up_position_has_no_history(session: Session) -> None:
    session.play(BLACK, 1)
    session.setup(black=[0, 2], white=[5])
    session.setup_player(WHITE)
    assert session.position.side_to_move is WHITE
    with pytest.raises(EngineError):
        session.undo()


def test_mode_and_level_are_one_dial(session: Session) -> None:
    session.set_mode("weakest")
    assert (session.level, session.mode) == (0, "weakest")
    session.set_level(80)
    assert session.mode == "strongest"
    with pytest.raises(EngineError, match="unknown mode 'best': one of strongest, weakest"):
        session.set_mode("best")
    with pytest.raises(EngineError, match=r"unacceptable level: 101 is not in 0\.\.100"):
        session.set_level(101)


def test_an_unknown_brain_is_refused_with_the_choices(session: Session) -> None:
    with pytest.raises(EngineError, match="unknown brain 'mctz': one of auto, alphabeta"):
        session.set_brain("mctz")
    assert session.brain_name == "random"


def test_thinking_is_charged_to_the_side_that_thought() -> None:
    session = session_that_thought()
    left = session.clock.left(BLACK)
    assert left is not None
    assert left.main < 60
    assert session.moves[0].seconds > 0


def test_clearing_the_board_keeps_the_time_control_and_refills_it() -> None:
    session = session_that_thought()
    session.set_size(9)
    left = session.clock.left(BLACK)
    assert left is not None
    assert left.main == 60


def test_whole_games_of_both_games_end(session: Session) -> None:
    for name in ("gomoku", "othello"):
        session.set_game(name)
        play_out(session)
        assert session.outcome() is not None


def test_pondering_is_for_our_own_last_move_in_a_game_that_goes_on() -> None:
    asked: list[bool] = []

    def interrupted() -> bool:
        asked.append(True)
        return True

    class Pondering(SessionWith):
        def ponder_once(self) -> bool:
            asked.clear()
            self.idle(interrupted)
            return bool(asked)

    session = Pondering(ThinkingBrain())
    session.set_option("movetime", "0.01")
    assert not session.ponder_once()
    session.genmove(BLACK)
    assert not session.ponder_once()
    session.set_option("ponder", "true")
    assert session.ponder_once()
    session.play(WHITE, 30)
    assert not session.ponder_once()
    session.genmove(BLACK)
    session.set_level(60)
    assert not session.ponder_once()


def test_the_clock_runs_since_the_move_was_asked_for() -> None:
    now = FakeTime(100.0)
    session = SessionWith(ScriptedBrain(), now)
    session.clock.set_control(TimeControl(main=60))
    session.genmove(BLACK, asked=90.0)
    left = session.clock.left(BLACK)
    assert left is not None
    assert left.main == 50.0


def test_barred_moves_are_not_chosen_while_there_are_others() -> None:
    session = Session(Options(seed=1, visits=2000))
    session.set_size(9)
    session.play_sequence([(BLACK, move) for move in (39, 40, 41, 42)])
    session.barred = frozenset({38})
    assert session.genmove(BLACK) == 43
    session.undo()
    session.barred = frozenset({38, 43})
    assert session.genmove(BLACK) not in (38, 43)
    assert session.brain_at_work == "alphabeta"
    session.barred = frozenset()
    assert resolve("auto", session.game, 1) == session.brain_at_work
