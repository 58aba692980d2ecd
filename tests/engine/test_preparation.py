from __future__ import annotations

import subprocess
import sys
import time
from threading import Event, Semaphore, Thread

import pytest

from extremum.engine.brains import BRAINS, make_brain
from extremum.engine.brains.brain import Brain
from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.games.game import Position
from extremum.engine.options import Options
from extremum.engine.preparation import POLL, Preparation, Readiness, Wish
from extremum.engine.search.analysis import Choice, Reporter, ignore
from extremum.engine.search.opened import SharedEvaluators
from extremum.engine.search.stopper import Stopper

WISH = Wish("random", Options(seed=1), make_game("gomoku", 9))


def test_a_brain_is_kept_while_the_wish_is_the_same() -> None:
    readiness = Readiness()
    brain = readiness.within(WISH, None)
    assert brain is not None
    assert readiness.within(WISH, 0.0) is brain
    other = Wish("random", Options(seed=1), make_game("gomoku", 15))
    assert readiness.within(other, None) is brain  # the same player for another board
    assert readiness.within(Wish("random", Options(seed=2), other.game), None) is not brain
    assert readiness.renewed().within(other, None) is not brain


def test_whoever_is_short_of_time_does_not_wait() -> None:
    gate = Event()
    before = Thread(target=gate.wait, daemon=True)
    before.start()
    preparation = Preparation(WISH, None, lambda: make_brain("random", WISH.options), before)
    assert preparation.wait(0.01) is None
    assert preparation.wait(None, lambda: True) is None
    gate.set()
    assert preparation.wait() is not None


def test_who_is_interrupted_already_does_not_wait_at_all() -> None:
    gate = Event()
    before = Thread(target=gate.wait, daemon=True)
    before.start()
    preparation = Preparation(WISH, None, lambda: make_brain("random", WISH.options), before)
    begun = time.monotonic()
    assert [preparation.wait(None, lambda: True) for _ in range(100)] == [None] * 100
    assert time.monotonic() - begun < 100 * POLL / 2
    gate.set()


def test_what_nobody_wants_any_more_is_not_made() -> None:
    made: list[str] = []
    gate = Event()
    before = Thread(target=gate.wait, daemon=True)
    before.start()

    def make() -> Brain:
        made.append("brain")
        return make_brain("random", WISH.options)

    preparation = Preparation(WISH, None, make, before)
    preparation.abandon()
    gate.set()
    assert preparation.wait() is None
    assert made == []


def test_another_wish_gives_up_the_brain_that_is_coming() -> None:
    readiness, gate = Readiness(), Event()
    readiness._last = Thread(target=gate.wait, daemon=True)
    readiness._last.start()
    assert readiness.within(Wish("rollout", Options(seed=1), make_game("othello", 8)), 0.0) is None
    coming = readiness._coming
    assert coming is not None
    assert readiness.within(WISH, 0.0) is None
    gate.set()
    assert readiness.within(WISH, None) is not None
    assert not coming.is_wanted


def test_those_who_share_evaluators_load_one_after_the_other_and_search_equally_little() -> None:
    shared, visits, at_once = SharedEvaluators(), list[int | None](), list[bool]()
    inside = Semaphore(1)

    class Loading:
        def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
            at_once.append(inside.acquire(blocking=False))
            visits.append(stopper.limits.visits)
            choice = make_brain("random", WISH.options).choose(position, stopper)
            inside.release()
            return choice

    coming = [Preparation(WISH, None, Loading, None, shared) for _ in range(8)]
    assert all(preparation.wait(20) is not None for preparation in coming)
    assert at_once == [True] * 8
    assert visits == [1] * 8


def test_a_search_that_nobody_wants_any_more_ends() -> None:
    begun = Event()

    class Endless:
        def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
            begun.set()
            while not stopper.should_stop(0):
                pass
            return make_brain("random", WISH.options).choose(position, stopper)

    preparation = Preparation(WISH, Endless(), Endless, None)
    assert begun.wait(20)
    assert preparation.wait(0.01) is None
    preparation.abandon()
    assert preparation.wait(20) is not None


def test_what_goes_wrong_is_told_to_whoever_waits_each_time() -> None:
    readiness = Readiness()
    wish = Wish("mcts", Options(weights="/no/such/file"), make_game("gomoku", 9))
    assert "mcts" in BRAINS
    for _ in range(2):
        with pytest.raises(EngineError):
            readiness.within(wish, None)


def test_loading_ahead_comes_before_the_brain() -> None:
    readiness = Readiness()
    readiness.preload(make_game("othello"))
    readiness.preload(make_game("gomoku"))
    assert readiness.within(WISH, None) is not None


def test_what_a_brain_has_loaded_costs_no_collection_time_afterwards() -> None:
    script = """
import gc, time
from extremum.engine.games.game import Color
from extremum.engine.session import Session

session = Session()
session.set_option("visits", "100")
session.genmove(Color.BLACK)
begun = time.process_time()
gc.collect()
print(time.process_time() - begun, gc.get_freeze_count())
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    seconds, frozen = told.stdout.split()
    assert float(seconds) < 0.02  # 0.07 with all of it
    assert int(frozen) > 50_000


def test_another_brain_in_the_same_process_does_not_look_at_all_that_was_loaded() -> None:
    script = """
import gc, time
from extremum.engine.preparation import spare_the_loaded

loaded = [[] for _ in range(1_000_000)]
spare_the_loaded()
times = []
for look in (gc.get_freeze_count, spare_the_loaded):
    begun = time.process_time()
    look()
    times.append(time.process_time() - begun)
print(*times)
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    everything, again = map(float, told.stdout.split())
    assert again < everything / 10
