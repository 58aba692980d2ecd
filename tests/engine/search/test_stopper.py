import pytest

from extremum.engine.search.stopper import Limits, Stopper
from tests.doubles import FakeTime


def test_each_limit_stops() -> None:
    now = FakeTime()
    stopper = Stopper(Limits(seconds=2.0, visits=10), now=now)
    assert not stopper.should_stop(9)
    assert stopper.should_stop(10)
    now.advance(2.0)
    assert stopper.should_stop(0)


def test_an_interruption_stops() -> None:
    assert Stopper(Limits(), interrupted=lambda: True).should_stop(0)


def test_time_may_have_begun_before() -> None:
    now = FakeTime(5.0)
    assert Stopper(Limits(seconds=2.0), now=now, start=3.0).should_stop(0)


def test_an_extension_gives_half_as_much_again_up_to_the_most() -> None:
    stopper = Stopper(Limits(seconds=2.0, most=3.5), now=FakeTime())
    assert (stopper.extend(), stopper.seconds) == (True, 3.0)
    assert (stopper.extend(), stopper.seconds) == (True, 3.5)
    assert (stopper.extend(), stopper.seconds) == (False, 3.5)


def test_an_extension_never_takes_time_away() -> None:
    stopper = Stopper(Limits(seconds=2.0, most=3.5), now=FakeTime())
    assert not stopper.extend(1.0)
    assert stopper.seconds == 2.0
    assert stopper.extend(3.25)
    assert stopper.seconds == 3.25


@pytest.mark.parametrize("limits", [Limits(), Limits(seconds=2.0), Limits(seconds=2.0, most=2.0)])
def test_where_nothing_can_be_saved_nothing_can_be_bought(limits: Limits) -> None:
    stopper = Stopper(limits, now=FakeTime())
    assert not stopper.is_saving
    assert not stopper.extend()
    assert stopper.seconds == limits.seconds


def test_the_share_spent_follows_the_extension() -> None:
    now = FakeTime()
    stopper = Stopper(Limits(seconds=2.0, most=4.0), now=now)
    now.advance(1.0)
    assert stopper.share_spent == 0.5
    stopper.extend(4.0)
    assert stopper.share_spent == 0.25


def test_the_next_visits_are_cut_to_the_limit() -> None:
    stopper = Stopper(Limits(visits=10))
    assert stopper.visits_left(8, 16) == 2
    assert Stopper(Limits()).visits_left(8, 16) == 16
