"""Evaluators for searches that are strands of one thread."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from ..evaluators.lockstep import Strands
from ..evaluators.wishes import Wish, fulfil, wish_of
from ..games.game import Game
from .opened import Opened, pace

if TYPE_CHECKING:
    from ..evaluators.evaluator import Evaluator
    from ..options import Options


class StrandedEvaluators:
    """Opens every evaluator once; whoever asks for the same one shares its batches with the other strands."""

    def __init__(self, strands: Strands) -> None:
        self._strands = strands
        self._single: dict[Wish, Evaluator] = {}
        self._shared: dict[Wish, Evaluator] = {}
        self._paces: dict[tuple[Wish, Game], float] = {}

    def open(self, options: Options, game: Game) -> Opened:
        """The evaluator that all share, loaded for the first who asks."""
        wish = wish_of(options, game)
        if wish not in self._single:
            self._single[wish] = fulfil(wish)
            self._shared[wish] = self._strands.shared(self._single[wish])
        if (wish, game) not in self._paces:
            self._paces[wish, game] = pace(self._single[wish], game)
        return Opened(self._shared[wish], self._paces[wish, game])

    def in_turn(self) -> AbstractContextManager[object]:
        """At once: strands are never at work at the same time."""
        return nullcontext()
