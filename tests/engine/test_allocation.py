import math
from dataclasses import replace

import pytest

from extremum.engine.allocation import LEAST_MOVE, budget, is_busy, moves_to_go
from extremum.engine.clock import Left, TimeControl
from extremum.engine.games import make_game
from extremum.engine.games.game import Color, Position

GOMOKU, OTHELLO = make_game("gomoku").start(), make_game("othello").start()
MOVES = moves_to_go(GOMOKU)
RESERVE = LEAST_MOVE / 2  # for each empty point
FREE = 300 - RESERVE * 225  # of five minutes


def full(control: TimeControl) -> Left:
    return Left(control.main, control.period, control.stones, control.periods)


def crowded(stones: int) -> Position:
    points = [point for point in range(225) if point % 15 % 2 == 0][:stones]
    black, white = (sum(1 << point for point in points[side::2]) for side in (0, 1))
    return GOMOKU.game.setup(black, white, Color.BLACK)


def test_moves_to_go_shrink_as_the_board_fills() -> None:
    assert moves_to_go(OTHELLO) == pytest.approx(25.2)
    assert moves_to_go(GOMOKU) == pytest.approx(26.875)
    assert moves_to_go(GOMOKU.play(112)) < moves_to_go(GOMOKU)


def test_the_middle_of_a_game_gets_more() -> None:
    assert not is_busy(GOMOKU)
    assert is_busy(crowded(10))
    assert not is_busy(crowded(40))
    control = TimeControl(main=300)
    plain = FREE / moves_to_go(crowded(10))
    assert budget(control, full(control), crowded(10), 0.0).seconds == pytest.approx(1.3 * plain)


def test_the_middle_of_othello_lies_between_forty_and_twenty_empty_squares() -> None:
    position, seen = OTHELLO, {}
    while position.outcome() is None:
        position = position.play(position.legal_moves()[0])
        seen[64 - (position.black | position.white).bit_count()] = is_busy(position)
    assert [empties for empties, busy in seen.items() if busy] == [n for n in seen if 20 <= n <= 40]


def test_a_fifth_of_sudden_death_is_the_most_for_one_move() -> None:
    control = TimeControl(main=300)
    planned = budget(control, full(control), GOMOKU, 0.05)
    assert planned.most == pytest.approx(FREE / 5 - 0.05)
    assert planned.seconds == pytest.approx(FREE / MOVES - 0.05)


def test_more_is_allotted_where_moves_end_early_but_never_beyond_the_most() -> None:
    control = TimeControl(main=300)
    assert budget(control, full(control), GOMOKU, 0.0, over=1.5).seconds == pytest.approx(1.5 * FREE / MOVES)
    assert budget(control, full(control), GOMOKU, 0.0, over=100).seconds == pytest.approx(FREE / 5)


def test_a_period_is_spent_wholly_whatever_else_is_wished() -> None:
    control = TimeControl(period=10)
    planned = budget(control, full(control), crowded(10), 0.0, over=1.6)
    assert (planned.seconds, planned.most) == (10, 10)


def test_main_time_before_overtime_goes_in_helpings_of_e_periods() -> None:
    control = TimeControl(main=100, period=5, periods=3)
    assert budget(control, full(control), GOMOKU, 0.0).seconds == pytest.approx(5 * math.e)


def test_much_main_time_before_overtime_is_divided_among_the_moves() -> None:
    control = TimeControl(main=1000, period=5, periods=3)
    assert budget(control, full(control), GOMOKU, 0.0).seconds == pytest.approx(1000 / MOVES)


def test_an_increment_may_be_spent_beyond_the_fifth() -> None:
    control = TimeControl(main=60, increment=10)
    assert budget(control, full(control), GOMOKU, 0.0).most == pytest.approx(10 + 50 / 5)


def test_no_move_takes_longer_than_the_longest() -> None:
    control = TimeControl(main=600, increment=30, longest=7)
    planned = budget(control, full(control), GOMOKU, 0.0)
    assert (planned.seconds, planned.most) == (7, 7)


def test_a_clock_outlasts_a_board_that_is_played_full() -> None:
    for seconds in (1.0, 10.0, 300.0):
        control = TimeControl(main=seconds)
        left, position = full(control), GOMOKU
        for stones in range(0, 224, 2):
            position = crowded_by_columns(stones)
            spent = budget(control, left, position, 0.05).seconds + 0.002  # what is never saved, whatever is planned
            left = replace(left, main=left.main - spent)
            assert left.main > 0


def crowded_by_columns(stones: int) -> Position:
    black = sum(1 << point for point in range(stones) if (point // 15 // 2 + point % 15) % 2)
    return GOMOKU.game.setup(black, ((1 << stones) - 1) ^ black, Color.BLACK)
