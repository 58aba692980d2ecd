"""Moves that are wanted while a brain is still being loaded."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

from extremum.engine.brains import make_brain
from extremum.engine.brains.brain import Brain
from extremum.engine.clock import TimeControl
from extremum.engine.games.game import Color, Game, Position
from extremum.engine.options import Options
from extremum.engine.preparation import Preparation
from extremum.engine.search.analysis import Choice, Reporter, ignore
from extremum.engine.search.opened import Opened
from extremum.engine.search.stopper import Stopper, never
from extremum.engine.session import Interrupted, Session
from tests.doubles import FakeTime

BLACK, WHITE = Color.BLACK, Color.WHITE


def test_on_a_clock_the_loading_of_a_brain_counts_and_without_one_it_does_not() -> None:
    now = FakeTime()
    elapsed = []

    class SlowToLoad(Session):
        def _within(self, seconds: float | None, interrupted: Interrupted = never) -> Brain:
            now.advance(5.0)
            return self

        def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
            elapsed.append(stopper.elapsed)
            return make_brain("random", self.options).choose(position, stopper, report)

    session = SlowToLoad(now=now)
    session.genmove(BLACK)
    session.clock.set_control(TimeControl(main=60))
    session.genmove(WHITE)
    assert elapsed == [0.0, 5.0]


def test_a_clock_that_runs_out_while_a_brain_loads_gets_a_hasty_move() -> None:
    class NeverReady(Session):
        def _within(self, seconds: float | None, interrupted: Interrupted = never) -> Brain | None:
            assert seconds is not None
            waits.append(seconds)
            return None

    waits: list[float] = []
    session = NeverReady()
    session.clock.set_control(TimeControl(period=1.0))
    four = [(BLACK, 7 * 15 + column) for column in (3, 4, 5, 6)]
    session.play_sequence([*four, (WHITE, 7 * 15 + 2)])
    assert session.genmove(WHITE) == 7 * 15 + 7
    assert 0.8 < waits[0] < 1.0
    session.set_mode("weakest")
    session.undo()
    assert session.genmove(WHITE) != 7 * 15 + 7


def test_whoever_wants_the_move_before_a_brain_is_loaded_gets_a_hasty_one() -> None:
    loading, loaded = Event(), Event()
    loader = Thread(target=loaded.wait, daemon=True)
    loader.start()

    class Loading(Session):
        def _within(self, seconds: float | None, interrupted: Interrupted = never) -> Brain | None:
            make = partial(make_brain, "random", self.options)
            return Preparation(self._wish(), None, make, loader).wait(seconds, interrupted)

    def interrupted() -> bool:
        asked.append(loading.is_set())
        loading.set()
        return asked[-1]  # not when it is first asked

    asked: list[bool] = []
    session = Loading()
    session.play_sequence([(BLACK, 7 * 15 + column) for column in (3, 4, 5, 6)] + [(WHITE, 7 * 15 + 2)])
    assert session.genmove(WHITE, interrupted) == 7 * 15 + 7
    assert asked == [False, True]
    assert not session.be_ready(None, interrupted)
    loaded.set()
    assert session.be_ready(None)


def test_a_clock_that_runs_out_while_a_brain_loads_gets_a_hasty_suggestion() -> None:
    waiting = Event()

    class NeverOpened:
        def open(self, options: Options, game: Game) -> Opened:
            raise AssertionError("it is never its turn")

        @contextmanager
        def in_turn(self) -> Iterator[None]:
            waiting.wait(5.0)
            yield

    session = Session(evaluators=NeverOpened())
    session.clock.set_control(TimeControl(period=0.2))
    session.play_sequence([(BLACK, 7 * 15 + column) for column in (3, 4, 5, 6)] + [(WHITE, 7 * 15 + 2)])
    begun = time.monotonic()
    assert session.suggest(WHITE) == 7 * 15 + 7
    assert time.monotonic() < begun + 1.0
    waiting.set()
