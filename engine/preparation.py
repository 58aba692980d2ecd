"""Brains made ready in a thread, so that whoever is short of time need not wait for one."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from math import inf
from threading import Thread
from typing import TYPE_CHECKING

from .brains import make_brain
from .brains.brain import Brain
from .games.game import Game
from .options import Options
from .search.stopper import Limits, Stopper, never

if TYPE_CHECKING:
    from .search.opened import Evaluators

POLL = 0.02  # seconds between two looks at whether somebody still waits
WARMING = 100  # visits of a search that only loads what searches need
COMMON = {"gomoku": ".search.threats"}


@dataclass(frozen=True, slots=True)
class Wish:
    """Who is to play what: the game is the misère where that is played."""

    brain: str
    options: Options
    game: Game


class Readiness:
    """The brain at work and the one that is coming; they ask the evaluators given, if there are any to share.

    One thing is loaded at a time: two threads that load code take the interpreter's lock from each other at every step,
    and are many times slower than one after the other.
    """

    def __init__(self, evaluators: Evaluators | None = None) -> None:
        self._evaluators = evaluators
        self._brain: Brain | None = None
        self._made: Wish | None = None  # what it is ready for
        self._coming: Preparation | None = None
        self._last: Thread | None = None  # that loads anything

    def renewed(self) -> Readiness:
        """The same without the brain at work: the next one begins anew."""
        new = Readiness(self._evaluators)
        new._coming, new._last = self._coming, self._last
        return new

    def abandon(self) -> None:
        """Give up the brain that is coming: nobody will ask for it."""
        if self._coming is not None:
            self._coming.abandon()

    def preload(self, game: Game) -> None:
        """Load in the background what every brain needs for a game, before it is known which."""
        if self._last is None and game.name in COMMON:
            self._last = Thread(target=import_module, args=(COMMON[game.name], __package__), daemon=True)
            self._last.start()

    def has(self, wish: Wish) -> bool:
        """True when the brain of a wish is at work already."""
        return self._brain is not None and self._made == wish

    def within(self, wish: Wish, seconds: float | None, interrupted: Callable[[], bool] = never) -> Brain | None:
        """The brain of a wish; None when it is not ready so soon or nobody waits, while it goes on getting ready."""
        if self.has(wish):
            return self._brain
        if self._coming is None or self._coming.wish != wish:
            self.abandon()
            is_same = self._made is not None and (self._made.brain, self._made.options) == (wish.brain, wish.options)
            make = partial(make_brain, wish.brain, wish.options, self._evaluators)
            self._coming = Preparation(wish, self._brain if is_same else None, make, self._last, self._evaluators)
            self._last = self._coming.thread
            self._brain = None  # its memory, before the next one takes as much
        try:
            brain = self._coming.wait(seconds, interrupted)
        except BaseException:
            self._coming = None
            raise
        if brain is not None:
            self._brain, self._made, self._coming = brain, wish, None
        return brain


class Preparation:
    """A brain on its way: made, or taken over from another game, and warmed by a search that nobody waits for."""

    def __init__(
        self,
        wish: Wish,
        brain: Brain | None,
        make: Callable[[], Brain],
        after: Thread | None,
        shared: Evaluators | None = None,
    ) -> None:
        """Begins when the thread before it has ended, and it is its turn among those who share."""
        self.wish = wish
        self._brain = brain
        self._make = make
        self._in_turn = nullcontext if shared is None else shared.in_turn
        # Always as many for the same brain: what it has seen by then is part of how it plays.
        self._visits = WARMING if shared is None else 1
        self._error: BaseException | None = None
        self.is_wanted = True
        self.thread = Thread(target=self._run, args=(after,), name="preparation", daemon=True)
        self.thread.start()

    def wait(self, seconds: float | None = None, interrupted: Callable[[], bool] = never) -> Brain | None:
        """The brain, None when it is not ready so soon or nobody waits; whatever went wrong on the way is raised."""
        end = inf if seconds is None else time.monotonic() + seconds
        while self.thread.is_alive():
            if time.monotonic() >= end or interrupted():
                return None
            self.thread.join(min(POLL, max(0.0, end - time.monotonic())))
        if self._error is not None:
            raise self._error
        return self._brain

    def abandon(self) -> None:
        """Go no further than what is being loaded at the moment."""
        self.is_wanted = False

    def _run(self, after: Thread | None) -> None:
        if after is not None:
            after.join()
        try:
            with self._in_turn():
                self._brain = self._made() if self.is_wanted else None
            spare_the_loaded()
        except BaseException as error:  # whoever waits is told
            self._error = error

    def _made(self) -> Brain:
        """The brain after a first search, which loads what a game needs."""
        brain = self._brain or self._make()
        if self.is_wanted:
            brain.choose(self.wish.game.start(), Stopper(Limits(visits=self._visits), lambda: not self.is_wanted))
        return brain


@cache
def spare_the_loaded() -> None:
    """Keep what the first brain has loaded out of later collections: to look at it all takes most of a short move.

    Once a process: to freeze again what games have left behind, or only to count what is frozen, takes as long.
    """
    gc.freeze()
