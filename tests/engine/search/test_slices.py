from extremum.engine.search.slices import FIRST, MOST, slices
from extremum.engine.search.stopper import Limits, Stopper
from tests.doubles import FakeTime


class Searcher:
    """Makes visits at a given speed."""

    def __init__(self, stopper: Stopper, time: FakeTime, seconds_a_visit: float) -> None:
        self.visits = 0
        self.counts: list[int] = []
        for count in slices(stopper, lambda: self.visits):
            self.visits += count
            self.counts.append(count)
            time.advance(count * seconds_a_visit)


def search(limits: Limits, seconds_a_visit: float) -> Searcher:
    time = FakeTime()
    return Searcher(Stopper(limits, now=time), time, seconds_a_visit)


def test_slices_begin_small_and_become_five_milliseconds() -> None:
    searcher = search(Limits(seconds=1.0), 1e-5)
    assert searcher.counts[0] == FIRST
    assert 499 <= searcher.counts[10] <= 500


def test_the_visits_limit_is_met_exactly() -> None:
    assert search(Limits(visits=1234), 1e-5).visits == 1234


def test_the_last_slice_ends_at_the_deadline() -> None:
    searcher = search(Limits(seconds=0.02), 1e-5)
    assert 1995 <= searcher.visits <= 2005


def test_a_slow_search_is_asked_after_each_visit() -> None:
    assert set(search(Limits(seconds=1.0), 0.1).counts[1:]) <= {1}


def test_slices_are_bounded_when_time_stands_still() -> None:
    assert max(search(Limits(visits=10 * MOST), 0.0).counts) == MOST


def test_the_first_slice_is_made_even_when_the_time_is_up() -> None:
    assert search(Limits(seconds=0.0), 1e-5).counts == [FIRST]
