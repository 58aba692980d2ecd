import pytest

from extremum.engine.allocation import LEAST_MOVE, moves_to_go
from extremum.engine.clock import Clock, Left, TimeControl
from extremum.engine.games import make_game
from extremum.engine.games.game import Color
from tests.doubles import FakeTime

BLACK, WHITE = Color.BLACK, Color.WHITE
MOVES = moves_to_go(make_game("gomoku").start())
RESERVE = LEAST_MOVE * 225 / 2


def clock_with(control: TimeControl) -> tuple[Clock, FakeTime]:
    now = FakeTime()
    clock = Clock(now)
    clock.set_control(control)
    return clock, now


def allowance(clock: Clock, lag: float, color: Color = BLACK) -> float:
    planned = clock.budget(make_game("gomoku").start().turned(color), lag)
    assert planned is not None
    return planned.seconds


def think(clock: Clock, now: FakeTime, color: Color, seconds: float) -> None:
    clock.start()
    now.advance(seconds)
    clock.stop(color)


def test_without_a_control_there_is_no_limit() -> None:
    assert Clock(FakeTime()).budget(make_game("gomoku").start(), 0.05) is None


def test_absolute_time_is_divided_by_the_moves_to_go() -> None:
    clock, _ = clock_with(TimeControl(main=300))
    assert allowance(clock, 0.05) == pytest.approx((300 - RESERVE) / MOVES - 0.05)


def test_the_clock_counts_down_by_itself_and_each_side_has_its_own() -> None:
    clock, now = clock_with(TimeControl(main=300))
    think(clock, now, BLACK, 100)
    assert clock.left(BLACK) == Left(200, 0, 1, 1)
    assert clock.left(WHITE) == Left(300, 0, 1, 1)


def test_time_left_corrects_the_countdown() -> None:
    clock, now = clock_with(TimeControl(main=300))
    think(clock, now, BLACK, 100)
    clock.correct(BLACK, 250, 0)
    assert clock.left(BLACK) == Left(250, 0, 1, 1)


def test_time_left_without_a_control_starts_one() -> None:
    clock = Clock(FakeTime())
    clock.correct(BLACK, 60, 0)
    assert allowance(clock, 0.0) == pytest.approx((60 - RESERVE) / MOVES)


def test_an_allowance_is_never_more_than_what_is_left_nor_negative() -> None:
    clock, _ = clock_with(TimeControl(main=300))
    for seconds in (0.001, 0.01, 0.1, 1.0, -5.0):
        clock.correct(BLACK, seconds, 0)
        assert 0 <= allowance(clock, 0.05) <= max(0.0, seconds) * 0.9


def test_the_end_of_a_clock_can_be_reached_over_and_over_without_losing_on_time() -> None:
    clock, now = clock_with(TimeControl(main=10))
    spent = 0.0
    for _ in range(500):
        seconds = allowance(clock, 0.05)
        spent += seconds
        think(clock, now, BLACK, seconds)
    assert spent < 10


def test_seconds_a_move_are_used_but_for_the_lag() -> None:
    clock, now = clock_with(TimeControl(period=5))
    assert allowance(clock, 0.05) == pytest.approx(4.95)
    think(clock, now, BLACK, 4.9)
    assert allowance(clock, 0.05) == pytest.approx(4.95)


def test_a_tenth_of_a_second_a_move_leaves_time_to_search() -> None:
    clock, _ = clock_with(TimeControl(period=0.1))
    assert 0.08 <= allowance(clock, 0.05) < 0.1


def test_a_canadian_period_is_shared_by_its_stones() -> None:
    clock, now = clock_with(TimeControl(period=30, stones=3))
    assert allowance(clock, 0.0) == pytest.approx(10)
    think(clock, now, BLACK, 20)
    assert clock.left(BLACK) == Left(0, 10, 2, 1)
    think(clock, now, BLACK, 5)
    think(clock, now, BLACK, 2)
    assert clock.left(BLACK) == Left(0, 30, 3, 1)


def test_main_time_runs_over_into_a_period() -> None:
    clock, now = clock_with(TimeControl(main=10, period=30, stones=3))
    think(clock, now, BLACK, 15)
    assert clock.left(BLACK) == Left(0, 25, 2, 1)


def test_japanese_periods_are_used_up_one_by_one() -> None:
    clock, now = clock_with(TimeControl(main=10, period=30, periods=3))
    think(clock, now, BLACK, 75)
    assert clock.left(BLACK) == Left(0, 30, 1, 1)
    think(clock, now, BLACK, 29)
    assert clock.left(BLACK) == Left(0, 30, 1, 1)


def test_time_left_counts_periods_in_japanese_overtime_and_stones_in_canadian() -> None:
    japanese, _ = clock_with(TimeControl(main=10, period=30, periods=3))
    japanese.correct(BLACK, 20, 2)
    assert japanese.left(BLACK) == Left(0, 20, 1, 2)
    canadian, _ = clock_with(TimeControl(main=10, period=30, stones=3))
    canadian.correct(BLACK, 20, 2)
    assert canadian.left(BLACK) == Left(0, 20, 2, 1)


def test_zero_seconds_left_in_main_time_means_that_overtime_begins() -> None:
    clock, _ = clock_with(TimeControl(main=10, period=30))
    clock.correct(BLACK, 0, 0)
    assert allowance(clock, 0.0) == pytest.approx(30)


def test_fischer_adds_the_increment_after_each_move() -> None:
    clock, now = clock_with(TimeControl(main=60, increment=5))
    assert allowance(clock, 0.0) == pytest.approx(5 + 55 / MOVES)
    think(clock, now, BLACK, 20)
    assert clock.left(BLACK) == Left(45, 0, 1, 1)


def test_capped_fischer_keeps_its_caps() -> None:
    clock, now = clock_with(TimeControl(main=60, increment=50, cap=70, longest=8))
    assert allowance(clock, 0.0) == pytest.approx(8)
    think(clock, now, BLACK, 1)
    assert clock.left(BLACK) == Left(70, 0, 1, 1)


def test_an_increment_larger_than_what_is_left_cannot_be_spent_before_it_comes() -> None:
    clock, _ = clock_with(TimeControl(main=60, increment=5))
    clock.correct(BLACK, 2, 0)
    assert allowance(clock, 0.05) < 2


def test_reset_gives_both_sides_their_full_time() -> None:
    clock, now = clock_with(TimeControl(main=60))
    think(clock, now, BLACK, 20)
    clock.reset()
    assert clock.left(BLACK) == Left(60, 0, 1, 1)


def test_what_the_controller_charges_beyond_our_count_is_kept_back() -> None:
    clock, now = clock_with(TimeControl(main=300))
    for _ in range(20):
        think(clock, now, BLACK, 1)
        left = clock.left(BLACK)
        assert left is not None
        clock.correct(BLACK, left.main - 0.5, 0)
    clock.correct(BLACK, 300, 0)
    assert allowance(clock, 0.05) == pytest.approx((300 - RESERVE) / MOVES - 0.75, abs=0.05)


def test_time_that_moves_leave_is_given_to_the_next_ones() -> None:
    clock, now = clock_with(TimeControl(main=300))
    before = allowance(clock, 0.0)
    for _ in range(20):
        think(clock, now, BLACK, allowance(clock, 0.0) / 2)
    clock.correct(BLACK, 300, 0)
    assert allowance(clock, 0.0) == pytest.approx(1.6 * before, rel=0.05)


def test_thinking_without_a_plan_teaches_nothing() -> None:
    clock, now = clock_with(TimeControl(period=10))
    for _ in range(20):
        allowance(clock, 0.0)
        think(clock, now, BLACK, 1)
    assert allowance(clock, 0.0) == 10


def test_moves_that_end_late_are_planned_shorter_until_that_is_forgotten() -> None:
    clock, now = clock_with(TimeControl(period=0.1))
    assert allowance(clock, 0.01) == pytest.approx(0.09)
    think(clock, now, BLACK, 0.12)  # a busy machine took 30 ms
    assert allowance(clock, 0.01) == pytest.approx(0.06)
    think(clock, now, BLACK, 0.06)
    assert allowance(clock, 0.01) == pytest.approx(0.09 - 0.9 * 0.03)
    think(clock, now, BLACK, 1.5)
    assert allowance(clock, 0.01) == pytest.approx(0.045)  # there is always something left
    for _ in range(80):
        allowance(clock, 0.01)
        think(clock, now, BLACK, 0.04)
    assert allowance(clock, 0.01) == pytest.approx(0.09, abs=0.001)


def test_a_pause_of_the_process_is_no_delay() -> None:
    clock, now = clock_with(TimeControl(period=0.1))
    allowance(clock, 0.01)
    think(clock, now, BLACK, 30.0)
    assert allowance(clock, 0.01) == pytest.approx(0.09)
