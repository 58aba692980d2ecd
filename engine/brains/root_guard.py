"""A second look at the move that a search of Gomoku prefers: it must not leave the opponent a win by threats."""

from __future__ import annotations

from ..games.game import Move, Position
from ..search.analysis import Analysis
from ..search.stopper import Stopper
from .root_threats import MOST_NODES, RootThreats, has_threats

FIRST_LOOK = 0.25  # of the limits: before that the preferred move changes too often
LOOK, SHORT_LOOK = 0.1, 0.05  # of the limits, for one look: on a clock, and where visits are counted
ALL_LOOKS = 0.35  # of the limits, for all of them together
FOUND = 0.25  # of a look, where visits are counted: wins that are there are mostly found soon
UNLIMITED, UNLIMITED_NODES = 2_000, 100_000  # visits before the first look, and its nodes, where there is no limit


class RootGuard:
    """Remembers for a search which moves were looked at; the search for threats is another one's."""

    def __init__(self, threats: RootThreats) -> None:
        self._threats = threats
        self._stopper: Stopper | None = None  # of the search at hand
        self._passed: set[Move] = set()
        self._spent = 0.0  # of the limits

    def refutation(self, position: Position, move: Move, stopper: Stopper, visits: int) -> int:
        """The plies of the opponent's proven win after a move, 0 where none is found or no look is due."""
        if stopper is not self._stopper:
            self._stopper, self._passed, self._spent = stopper, set(), 0.0
        if move in self._passed or not has_threats(position) or not self._is_due(stopper, visits):
            return 0
        after = position.play(move)
        if after.outcome() is not None:
            return 0
        win = self._look(after, stopper)
        if win is None:
            self._passed.add(move)
            return 0
        return len(win.best.line)

    def _look(self, after: Position, stopper: Stopper) -> Analysis | None:
        """The opponent's win, if one is found; what is found soon costs little."""
        begun = stopper.share_spent
        share = SHORT_LOOK if stopper.seconds is None else LOOK
        win = self._threats.look(after, stopper, share, MOST_NODES if _is_limited(stopper) else UNLIMITED_NODES)
        counted = share if win is None else FOUND * share
        self._spent += counted if stopper.seconds is None else stopper.share_spent - begun
        return win

    def _is_due(self, stopper: Stopper, visits: int) -> bool:
        limit = stopper.limits.visits
        if not _is_limited(stopper):
            return visits >= UNLIMITED
        share = max(stopper.share_spent, 0.0 if limit is None else visits / limit)
        return share >= FIRST_LOOK and self._spent < ALL_LOOKS


def _is_limited(stopper: Stopper) -> bool:
    return stopper.seconds is not None or stopper.limits.visits is not None
