"""Clocks with every kind of overtime, and the limit of a search, over real engines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from extremum.frontends.shared.dial import dial
from extremum.frontends.shared.link import Dials
from extremum.frontends.shared.play import Play
from extremum.frontends.shared.score import Score
from extremum.frontends.shared.setup import Setup, SetupError, read_setup
from extremum.frontends.shared.situation import situation
from extremum.frontends.shared.snapshot import snapshot
from extremum.frontends.shared.study import LOADING, Study
from extremum.frontends.shared.timer import Left, Timer
from tests.doubles import FakeTime
from tests.frontends.shared.plays import AGAINST_RANDOM, QUICK, SLOW, TWO_PEOPLE, playing, pump, settle, told

BYOYOMI = Setup(main=60, overtime="byoyomi", period=10, count=3)
CANADIAN = Setup(main=60, overtime="canadian", period=100, count=2)


@pytest.mark.parametrize(
    ("setup", "clock"),
    [
        (Setup(), "none"),
        (Setup(increment=2), "fischer 0 2"),
        (BYOYOMI, "byoyomi 60 10 3"),
        (CANADIAN, "canadian 60 100 2"),
        (replace(BYOYOMI, main=0), "byoyomi 0 10 3"),
    ],
)
def test_a_clock_is_told_in_the_protocols_words(setup: Setup, clock: str) -> None:
    assert (setup.clock, setup.has_clock) == (clock, clock != "none")


@pytest.mark.parametrize(
    "values", [{"overtime": "sudden"}, {"period": 0.5}, {"period": None}, {"count": 0}, {"count": 100}, {"count": 2.0}]
)
def test_an_overtime_that_cannot_be_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(SetupError, match="bad_overtime"):
        read_setup(values)


def test_periods_of_byoyomi_are_used_up_and_a_move_in_time_gives_the_last_one_back() -> None:
    time = FakeTime()
    timer = Timer(BYOYOMI, time)
    timer.start("black")
    time.advance(65)
    assert (timer.left("black"), timer.has_turned(), timer.has_turned()) == (Left(5, 3), True, False)
    time.advance(10)
    assert (timer.left("black"), timer.has_turned()) == (Left(5, 2), True)
    timer.move("black")
    assert (timer.left("black"), timer.left("white")) == (Left(10, 2), Left(60))
    timer.start("black")
    time.advance(19)
    assert (timer.left("black"), timer.winner()) == (Left(1, 1), None)
    time.advance(1)
    assert timer.winner() == "white"


def test_a_canadian_period_is_renewed_after_its_moves() -> None:
    time = FakeTime()
    timer = Timer(CANADIAN, time)
    timer.start("white")
    time.advance(100)
    assert timer.left("white") == Left(60, 2)
    timer.move("white")
    timer.start("white")
    assert timer.left("white") == Left(60, 1)
    timer.move("white")
    assert timer.left("white") == Left(100, 2)
    timer.start("white")
    time.advance(100)
    assert timer.winner() == "black"


def test_a_clock_may_begin_in_overtime() -> None:
    assert Timer(replace(BYOYOMI, main=0), FakeTime()).left("black") == Left(10, 3)


@pytest.mark.slow
@pytest.mark.parametrize("setup", [BYOYOMI, CANADIAN])
def test_an_engine_plays_in_overtime(tmp_path: Path, setup: Setup) -> None:
    time = FakeTime()
    timed = replace(setup, size=9, white=AGAINST_RANDOM.white)
    with playing(tmp_path, timed, QUICK, time) as play:
        settle(play)
        time.advance(65)
        play.pump()
        assert snapshot(play)["clocks"]["black"]["count"] == setup.count
        play.play("E5")
        settle(play)
        assert (len(play.line.moves), told(play)) == (2, [])


@pytest.mark.slow
def test_a_search_is_cut_short_when_it_has_taken_all_it_may(tmp_path: Path) -> None:
    time = FakeTime()
    play = Play(Dials(dial(SLOW, None)), AGAINST_RANDOM, Score(tmp_path / "score"), time, longest=60)
    try:
        with pytest.raises(SetupError, match="bad_longest") as refusal:
            play.begin(replace(AGAINST_RANDOM, movetime=61))
        assert refusal.value.values == ("60",)
        settle(play)
        play.begin(replace(AGAINST_RANDOM, movetime=60))
        settle(play)
        play.play("E5")
        pump(play, lambda: play.driver.thinking and play.driver.thought is not None)
        time.advance(59)
        play.pump()
        assert play.driver.thinking
        time.advance(1)
        settle(play)
        assert (len(play.line.moves), told(play)) == (2, [])
    finally:
        play.close()
        play.driver.join()


@pytest.mark.slow
def test_an_analysis_rests_when_it_has_taken_all_it_may_and_goes_on_at_the_next_move(tmp_path: Path) -> None:
    time = FakeTime()
    play = Play(Dials(dial(SLOW, None)), TWO_PEOPLE, Score(tmp_path / "score"), time, longest=60)
    try:
        settle(play)
        play.analyze(on=True)
        pump(play, lambda: play.driver.thought is not None)
        time.advance(60)
        pump(play, lambda: not play.driver.engine.busy)
        assert [notice.key for notice in situation(play)] == ["to_move", "analysis_spent"]
        assert (play.study.on, play.driver.thought is not None) == (True, True)
        play.play("E5")
        pump(play, lambda: play.driver.thought is not None and play.driver.thought.ply == 1)
        assert [notice.key for notice in situation(play)] == ["to_move"]
    finally:
        play.close()
        play.driver.join()


def test_the_time_of_a_search_runs_from_its_first_report() -> None:
    time = FakeTime()
    study = Study(60, time)
    study.begin_search()
    time.advance(10)  # a brain is loaded
    study.hear_report()
    time.advance(59)
    study.hear_report()
    assert not study.is_late()
    time.advance(1)
    assert (study.is_late(), study.is_late()) == (True, False)
    study.begin_search()
    time.advance(60 + LOADING)  # nothing is heard at all
    assert study.is_late()
