from __future__ import annotations

import threading
from pathlib import Path

import pytest

from extremum.engine.bounds import Bounds
from extremum.engine.brains import make_brain
from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.options import Options
from extremum.engine.search.opened import KeptEvaluators, OwnEvaluators, SharedEvaluators
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.session import Session

pytestmark = pytest.mark.slow
PATTERNS = Options(evaluator="patterns", seed=1, memory=4, batch=8)
GOMOKU = make_game("gomoku", 8)


def test_whoever_asks_for_the_same_evaluator_shares_it() -> None:
    shared = SharedEvaluators()
    first, second = (shared.open(PATTERNS, GOMOKU) for _ in range(2))
    assert first.evaluator is second.evaluator
    assert shared.open(Options(evaluator="rollout"), GOMOKU).evaluator is not first.evaluator
    assert first.pace > 0
    own = OwnEvaluators()
    assert own.open(PATTERNS, GOMOKU).evaluator is not own.open(PATTERNS, GOMOKU).evaluator


def test_only_an_evaluator_of_ones_own_has_helpers_asking() -> None:
    kept = KeptEvaluators()
    first, second = (kept.open(PATTERNS, GOMOKU) for _ in range(2))
    assert first.is_own
    assert first.evaluator is second.evaluator
    assert OwnEvaluators().open(PATTERNS, GOMOKU).is_own
    assert not SharedEvaluators().open(PATTERNS, GOMOKU).is_own


def test_searches_at_the_same_time_meet_in_batches() -> None:
    shared = SharedEvaluators()
    brains = [make_brain("mcts", PATTERNS, shared) for _ in range(3)]
    position = GOMOKU.start().play(27)

    def search(number: int) -> None:
        brains[number].choose(position.play(number), Stopper(Limits(visits=600)))

    threads = [threading.Thread(target=search, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    traffic = shared.traffic()
    assert traffic.positions >= 3 * 400
    assert traffic.positions / traffic.batches > 8  # more than one search ever asks for
    assert traffic.waiting == 0


def test_an_evaluator_that_cannot_be_opened_is_refused_each_time(tmp_path: Path) -> None:
    shared = SharedEvaluators()
    for _ in range(2):
        with pytest.raises(EngineError):
            shared.open(Options(weights=str(tmp_path / "missing.onnx")), GOMOKU)


def test_bounds_are_kept() -> None:
    session = Session(bounds=Bounds(seconds=0.5, memory=16, is_guest=True))
    assert (session.options.memory, session.options.movetime) == (16, 0.5)
    for name, value in (
        ("memory", "17"),
        ("movetime", "0.6"),
        ("ponder", "true"),
        ("weights", "/etc/passwd"),
        ("threads", "2"),
    ):
        before = session.options
        with pytest.raises(EngineError):
            session.set_option(name, value)
        assert session.options == before
    with pytest.raises(EngineError, match=r"^unacceptable threads: 2 is more than 1, the most on this server$"):
        session.set_option("threads", "2")
    session.set_option("weights", "gomoku-8")
    session.set_option("threads", "0")  # as many as are good for it
    assert session.options.threads == 1
    assert session.bounds.limits(Limits(seconds=None, visits=5)) == Limits(0.5, 5)
    assert session.bounds.limits(Limits(seconds=0.1, most=3.0)) == Limits(0.1, most=0.5)
    assert Bounds().limits(Limits(visits=5)) == Limits(visits=5)


def test_guests_of_a_server_that_chooses_its_threads_cannot_set_them() -> None:
    session = Session(Options(), bounds=Bounds(is_guest=True))
    with pytest.raises(EngineError, match=r"^threads cannot be set on this server$"):
        session.set_option("threads", "64")
