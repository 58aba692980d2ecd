"""Where searches get their evaluators from: each its own, or all of them the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from ..evaluators.wishes import Wish, fulfil, wish_of
from ..games.game import Game

if TYPE_CHECKING:
    from ..evaluators.batched import BatchedEvaluator
    from ..evaluators.evaluator import Evaluator
    from ..options import Options


@dataclass(frozen=True, slots=True)
class Opened:
    """An evaluator ready for use."""

    evaluator: Evaluator
    pace: float  # seconds that an evaluation takes for each position of a small batch, when it is alone
    in_use: Callable[[], AbstractContextManager[object]] = nullcontext  # entered for the time of a search
    is_own: bool = False  # the caller's alone, who may ask from many threads at once


@dataclass(frozen=True, slots=True)
class Traffic:
    """What the shared evaluators have done."""

    positions: int = 0
    batches: int = 0
    waiting: int = 0  # positions


class Evaluators(Protocol):
    """Opens evaluators; EngineError, in a line, when the weights are missing or do not fit."""

    def open(self, options: Options, game: Game) -> Opened:
        """The evaluator that the options ask for; may be called from many threads."""

    def in_turn(self) -> AbstractContextManager[object]:
        """Entered while a brain is made that will ask them."""


class OwnEvaluators:
    """Opens an evaluator anew each time."""

    def open(self, options: Options, game: Game) -> Opened:
        """The evaluator, for the caller alone."""
        evaluator = fulfil(wish_of(options, game))
        return Opened(evaluator, pace(evaluator, game), is_own=True)

    def in_turn(self) -> AbstractContextManager[object]:
        """At once: there is nobody else."""
        return nullcontext()


class Loaded:
    """Evaluators by the wishes for them, each made once; their paces are taken once for each game."""

    def __init__(self) -> None:
        self._evaluators: dict[Wish, Evaluator] = {}
        self._paces: dict[tuple[Wish, Game], float] = {}

    def get(self, wish: Wish, game: Game) -> tuple[Evaluator, float]:
        """An evaluator and its pace in a game."""
        if wish not in self._evaluators:
            self._evaluators[wish] = fulfil(wish)
        if (wish, game) not in self._paces:
            self._paces[wish, game] = pace(self._evaluators[wish], game)
        return self._evaluators[wish], self._paces[wish, game]


class KeptEvaluators:
    """Opens every evaluator once, for searches of one process that are seldom at work at the same time."""

    def __init__(self) -> None:
        self._loaded = Loaded()

    def open(self, options: Options, game: Game) -> Opened:
        """The evaluator, loaded for the first who asks."""
        return Opened(*self._loaded.get(wish_of(options, game), game), is_own=True)

    def in_turn(self) -> AbstractContextManager[object]:
        """At once: who makes a brain has nothing else to do."""
        return nullcontext()


class SharedEvaluators:
    """Opens every evaluator once; whoever asks for the same one shares its batches."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._turn = Lock()
        self._loaded = Loaded()
        self._batched: dict[Wish, BatchedEvaluator] = {}
        # Evaluators begin their threads here: a thread has its maker's priority, and that of a search may be low.
        self._home = ThreadPoolExecutor(1, "evaluators")
        self._home.submit(int)

    def open(self, options: Options, game: Game) -> Opened:
        """The evaluator that all share, loaded by the first who asks."""
        batched, seconds = self._home.submit(self._open, wish_of(options, game), game).result()
        return Opened(batched, seconds, batched.member)

    def in_turn(self) -> AbstractContextManager[object]:
        """One after the other: many who load at once are slower than that, and keep everybody else from the machine."""
        return self._turn

    def traffic(self) -> Traffic:
        """What all of them have done so far."""
        with self._lock:
            shared = list(self._batched.values())
        return Traffic(
            sum(each.positions for each in shared),
            sum(each.batches for each in shared),
            sum(each.waiting for each in shared),
        )

    def _open(self, wish: Wish, game: Game) -> tuple[BatchedEvaluator, float]:
        from ..evaluators.batched import BatchedEvaluator  # numpy, before the first search

        evaluator, seconds = self._loaded.get(wish, game)
        if wish not in self._batched:
            with self._lock:
                self._batched[wish] = BatchedEvaluator(evaluator)
        return self._batched[wish], seconds


def pace(evaluator: Evaluator, game: Game) -> float:
    """Seconds that an evaluation takes for each position of a batch: the best of some, for others use the machine."""
    from ..kernels.vectors import LANES  # numba
    from .states import state_of  # numpy

    states = state_of(game.start())[None].repeat(LANES, axis=0)
    evaluator.evaluate(states)
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        evaluator.evaluate(states)
        times.append(time.perf_counter() - begun)
    return min(times) / len(states)
