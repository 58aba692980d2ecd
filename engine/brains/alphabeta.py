"""Alpha-beta search with a hash table that is kept from move to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..games.game import Position
from ..search.analysis import Choice, Reporter, ignore
from ..search.stopper import Stopper
from .deepener import Deepener

if TYPE_CHECKING:
    from ..options import Options


class AlphaBetaBrain:
    """Chooses the move with the best score, looking at nothing that cannot change it."""

    def __init__(self, options: Options) -> None:
        self._deepener = Deepener(options, prune=True, weights=options.weights)

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Search deeper and deeper until the stopper stops it or the result is proven."""
        return self._deepener.choose(position, stopper, report)
