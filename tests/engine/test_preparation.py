from __future__ import annotations

from threading import Event, Thread

import pytest

from extremum.engine.brains import BRAINS, make_brain
from extremum.engine.errors import EngineError
from extremum.engine.games import make_game
from extremum.engine.options import Options
from extremum.engine.preparation import Preparation, Readiness, Wish

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
