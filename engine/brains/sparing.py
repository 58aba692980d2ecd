"""A brain that refuses in a line where memory does not suffice."""

from __future__ import annotations

from ..games.game import Position
from ..memory import refused_when_out
from ..search.analysis import Choice, Reporter, ignore
from ..search.stopper import Stopper
from .brain import Brain


class SparingBrain:
    """Plays as another one does; what that one cannot allocate is a refusal."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Choose as the other one does; EngineError when memory runs out."""
        with refused_when_out():
            return self._brain.choose(position, stopper, report)
