import gc
import threading
import time
from collections.abc import Callable
from threading import Barrier, Event

import pytest

from extremum.engine.search.aside import begin_aside, run_aside


def asides() -> set[int]:
    return {thread.native_id or 0 for thread in threading.enumerate() if thread.name == "aside"}


def run(work: Callable[[], object]) -> None:
    run_aside(work, lambda: 0.001, lambda: None)


def test_one_helper_does_it_all() -> None:
    names: list[int] = []
    for _ in range(3):
        run(lambda: names.append(threading.get_ident()))
    assert len(set(names)) == 1
    assert names[0] != threading.get_ident()


def test_whoever_waits_watches() -> None:
    watched, enough = [], Event()

    def watch() -> None:
        watched.append(True)
        if len(watched) == 3:
            enough.set()

    run_aside(enough.wait, lambda: 0.001, watch)
    assert len(watched) >= 3


def test_what_the_work_raises_is_raised_and_the_next_one_is_done() -> None:
    done = []
    with pytest.raises(ZeroDivisionError):
        run(lambda: 1 // 0)
    run(lambda: done.append(True))
    assert done


def test_work_within_work_has_a_helper_of_its_own() -> None:
    names: list[int] = []

    def watch() -> None:
        if not names:
            run(lambda: names.append(threading.get_ident()))
            enough.set()

    enough = Event()
    run_aside(enough.wait, lambda: 0.001, watch)
    assert len(names) == 1


def test_works_that_were_begun_go_on_side_by_side_and_their_helpers_are_kept() -> None:
    names: list[int] = []
    both = Barrier(2, timeout=10)

    def work() -> None:
        both.wait()
        names.append(threading.get_ident())

    for _ in range(2):
        waits = [begin_aside(work) for _ in range(2)]
        assert all(has_ended(None) for has_ended in waits)
    assert len(names) == 4
    assert len(set(names)) == 2


@pytest.mark.parametrize("leaves_early", [False, True])
def test_a_helper_ends_with_the_thread_that_it_served(leaves_early: bool) -> None:
    enough = Event()

    def leave() -> None:
        raise InterruptedError

    def serve() -> None:
        if leaves_early:
            with pytest.raises(InterruptedError):
                run_aside(enough.wait, lambda: 0.001, leave)
        else:
            run(lambda: None)

    before = asides()
    thread = threading.Thread(target=serve)
    thread.start()
    thread.join()
    enough.set()
    gc.collect()
    until = time.monotonic() + 10
    while asides() - before and time.monotonic() < until:
        time.sleep(0.01)
    assert not asides() - before
