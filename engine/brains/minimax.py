"""Plain minimax, the yardstick of alpha-beta: the same evaluation, no cutoffs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..games.game import Position
from ..search.analysis import Choice, Reporter, ignore
from ..search.stopper import Stopper
from .deepener import Deepener

if TYPE_CHECKING:
    from ..options import Options


class MinimaxBrain:
    """Chooses the move with the best score, looking at everything to the same depth."""

    def __init__(self, options: Options) -> None:
        self._deepener = Deepener(options, prune=False)

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Search deeper and deeper until the stopper stops it or the result is proven."""
        return self._deepener.choose(position, stopper, report)
