"""Small stand-ins for what a test does not want to wait for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from extremum.engine.brains.brain import Brain
from extremum.engine.games.game import Move, Position
from extremum.engine.search.analysis import Analysis, Candidate, Choice, Reporter, ignore
from extremum.engine.search.stopper import Stopper, never
from extremum.engine.session import Interrupted, Session


class FakeTime:
    """A clock that a test sets; each look at it may cost a step."""

    def __init__(self, seconds: float = 0.0, step: float = 0.0) -> None:
        self.seconds = seconds
        self._step = step

    def __call__(self) -> float:
        self.seconds += self._step
        return self.seconds

    def advance(self, seconds: float) -> None:
        self.seconds += seconds


class RecordingSend:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def __call__(self, message: bytes) -> None:
        self.messages.append(message)

    @property
    def text(self) -> str:
        return b"".join(self.messages).decode()


class FakeWaiting:
    """What waits behind a command, as a test wants it."""

    def __init__(self, *, message: bool = False, interrupt: bool = False) -> None:
        self.message = message
        self.interrupt = interrupt

    def interrupted(self) -> bool:
        return self.interrupt

    def has_message(self) -> bool:
        return self.message


class ScriptedBrain:
    """Plays the moves of its script, then the first legal ones, reporting each once."""

    def __init__(self, moves: Sequence[Move] = ()) -> None:
        self._moves = list(moves)

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        move = self._moves.pop(0) if self._moves else position.legal_moves()[0]
        analysis = analysis_of(position, move, visits=1)
        report(lambda: analysis)
        return Choice(move, analysis)


class ThinkingBrain:
    """Thinks in slices of a millisecond until it is stopped, reporting each slice."""

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        visits = 0
        move = position.legal_moves()[0]
        while not stopper.should_stop(visits):
            time.sleep(0.001)
            visits += 1
            analysis = analysis_of(position, move, visits)
            report(lambda analysis=analysis: analysis)  # type: ignore[misc]  # bound now, not when the loop is over
        return Choice(move, analysis_of(position, move, visits))


class SessionWith(Session):
    """A session whose moves a given brain chooses."""

    def __init__(self, brain: Brain, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(now=now)
        self._given = brain

    def _within(self, seconds: float | None, interrupted: Interrupted = never) -> Brain:
        return self._given


class NeverReady(Session):
    """A session whose brain is loaded for ever; it counts the seconds that would be waited for it."""

    waited = 0.0

    def _within(self, seconds: float | None, interrupted: Interrupted = never) -> Brain | None:
        if not interrupted():
            assert seconds is not None, "nothing would end this"
            self.waited += seconds
        return None


def analysis_of(position: Position, best: Move, visits: int) -> Analysis:
    others = [move for move in position.legal_moves() if move != best]
    candidates = [Candidate(move, visits, 0.5, 0.25, 0.4, (move, *others[:1])) for move in [best, *others[:2]]]
    return Analysis(tuple(candidates), visits, visits / 1000, 1)
