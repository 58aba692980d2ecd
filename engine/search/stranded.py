"""Evaluators for searches that are strands of one thread."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from ..evaluators.lockstep import Strands
from ..evaluators.wishes import Wish, wish_of
from ..games.game import Game
from .opened import Loaded, Opened

if TYPE_CHECKING:
    from ..evaluators.evaluator import Evaluator
    from ..options import Options


class StrandedEvaluators:
    """Opens every evaluator once; whoever asks for the same one shares its batches with the other strands."""

    def __init__(self, strands: Strands) -> None:
        self._strands = strands
        self._loaded = Loaded()
        self._shared: dict[Wish, Evaluator] = {}

    def open(self, options: Options, game: Game) -> Opened:
        """The evaluator that all share, loaded for the first who asks."""
        wish = wish_of(options, game)
        evaluator, seconds = self._loaded.get(wish, game)
        if wish not in self._shared:
            self._shared[wish] = self._strands.shared(evaluator)
        return Opened(self._shared[wish], seconds)

    def in_turn(self) -> AbstractContextManager[object]:
        """At once: strands are never at work at the same time."""
        return nullcontext()
