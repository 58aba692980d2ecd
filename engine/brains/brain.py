"""What every brain can do."""

from __future__ import annotations

from typing import Protocol

from ..games.game import Position
from ..search.analysis import Choice, Reporter, ignore
from ..search.stopper import Stopper


class Brain(Protocol):
    """Something that chooses a move."""

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Choose among the legal moves, of which there is at least one."""
