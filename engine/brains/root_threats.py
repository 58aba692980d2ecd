"""Wins by threats, looked for before a search of ordinary Gomoku begins."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from ..games.game import Position
from ..search.analysis import Analysis
from ..search.stopper import Stopper

if TYPE_CHECKING:
    from ..search.threats import Tables

SHARE = 0.08  # of the limits
MOST_NODES = 2_000_000  # where there is no limit
LEAST_STONES = 4  # nobody threatens anything with fewer


class RootThreats:
    """Finds wins with a share of a search's limits; a visit of the search is worth so many nodes."""

    def __init__(self, nodes_a_visit: float) -> None:
        self._nodes_a_visit = nodes_a_visit
        self._tables: Tables | None = None

    def find(self, position: Position, stopper: Stopper) -> Analysis | None:
        """A proven win; None says nothing."""
        return self.look(position, stopper, SHARE) if has_threats(position) else None

    def look(self, position: Position, stopper: Stopper, share: float, most: int = MOST_NODES) -> Analysis | None:
        """The same with some share of the limits and so many nodes, in a position where fours win."""
        from ..search.threats import find_win, new_tables  # Othello need not load it

        if self._tables is None:
            self._tables = new_tables()
        if (position.black | position.white).bit_count() < LEAST_STONES:
            return None
        visits = stopper.limits.visits
        most = most if visits is None else min(most, round(share * visits * self._nodes_a_visit))
        seconds = inf if stopper.seconds is None else stopper.elapsed + share * stopper.seconds
        win = find_win(position, stopper, most, seconds, self._tables)
        return None if win is None else win.analysis(stopper.elapsed)


def has_threats(position: Position) -> bool:
    """True where fours win."""
    return position.game.name == "gomoku" and position.game.objective > 0
