"""Endgames of Othello and of misère Gomoku, solved before a search of their trees begins."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from ..games.game import Game, Position
from ..search.analysis import Analysis, ignore
from ..search.deepening import NODES_A_SECOND
from ..search.stopper import Limits, Stopper
from .deepener import Deepener, seconds_to_solve
from .root_misere import has_endings, is_ending

if TYPE_CHECKING:
    from ..options import Options

SHARE = 0.5  # of the limits: once the game is solved, its other moves take no time
LONGEST = 4.0  # seconds, where there is no limit
MEMORY = 8  # megabytes of the solver's table, at most
VISITS_A_MEGABYTE = 64  # that share its nodes where visits are limited


class RootEndgame:
    """Solves what a share of a search's limits is expected to suffice for; a visit is worth so many nodes."""

    def __init__(self, options: Options, nodes_a_visit: float) -> None:
        enough = MEMORY if options.visits == 0 else 1 + options.visits // VISITS_A_MEGABYTE
        self._options = replace(options, memory=min(MEMORY, enough))
        self._nodes_a_visit = nodes_a_visit
        self._deepener: Deepener | None = None
        self._prepared: Game | None = None  # what the solver is loaded for

    def prepare(self, game: Game) -> None:
        """Load what solving takes, before a clock runs."""
        if game == self._prepared or not (game.name == "othello" or has_endings(game)):
            return
        self._prepared = game
        self._deepener = self._deepener or Deepener(self._options, prune=True)
        self._deepener.choose(game.start(), Stopper(Limits(depth=1)), ignore)

    def find(self, position: Position, stopper: Stopper) -> Analysis | None:
        """The best move with its proven result; None says nothing."""
        seconds, nodes = self._may_spend(stopper)
        if not is_ending(position) and not self._can_be_solved(position, seconds, nodes):
            return None
        self.prepare(position.game)
        assert self._deepener is not None
        limits = Limits(
            None if seconds == inf else seconds, None if nodes == inf else round(nodes), barred=stopper.limits.barred
        )
        part = stopper.part(limits)
        if is_ending(position):
            return self._deepener.prove(position, part)
        found = self._deepener.choose(position, part, ignore).analysis
        return None if found.best.proven is None else replace(found, seconds=stopper.elapsed)

    def _can_be_solved(self, position: Position, seconds: float, nodes: float) -> bool:
        """True for an endgame of Othello that will hardly take more."""
        if position.game.name != "othello":
            return False
        return 2 * seconds_to_solve(position, self._options.evaluation) <= min(seconds, nodes / NODES_A_SECOND)

    def _may_spend(self, stopper: Stopper) -> tuple[float, float]:
        """Seconds and nodes; of what is not limited any number."""
        visits = inf if stopper.limits.visits is None else stopper.limits.visits
        unlimited = LONGEST if visits == inf else inf
        left = unlimited if stopper.seconds is None else max(stopper.seconds - stopper.elapsed, 0.0)
        return SHARE * left, SHARE * visits * self._nodes_a_visit
