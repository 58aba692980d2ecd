"""Tree search on evaluations: of a net, of patterns or of rollouts; what can be proven is proven."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..evaluators import WEIGHTLESS
from ..evaluators.evaluator import device_of
from ..evaluators.symmetric import AveragedEvaluator, turned
from ..games.game import Game, Position
from ..kernels.puct import Puct
from ..kernels.vectors import LANES
from ..processors import num_threads
from ..search.analysis import Analysis, Choice, Reporter, ignore
from ..search.mcts import MEGABYTE, Search
from ..search.opened import Evaluators, Opened, OwnEvaluators
from ..search.stopper import Stopper
from .random import seed_or_new
from .root_endgame import RootEndgame
from .root_guard import RootGuard
from .root_threats import RootThreats

if TYPE_CHECKING:
    from ..options import Options

SMALLEST_BATCH, LARGEST_BATCH, GPU_BATCH = LANES, 32, 64  # that are taken unasked
GOOD_BATCH = 0.002  # seconds: beside it, what a batch costs the tree is little
LONGEST_BATCH = 0.02  # seconds: a batch is not interrupted; a small one that is wanted never depends on the pace
THREATS_A_PLAYOUT = 6_000  # nodes of a search for threats, before few playouts; many are worth less, but limited
DISCS_A_PLAYOUT = 2_000  # nodes of a solver in the time of a playout with a net


@dataclass(frozen=True, slots=True)
class _Player:
    """What plays one game."""

    game: Game
    opened: Opened
    search: Search


class MctsBrain:
    """Chooses the move that the tree trusts most; what it loads for a game it keeps until another one is played."""

    def __init__(self, options: Options, evaluators: Evaluators | None = None) -> None:
        self._options = options
        self._evaluators = evaluators or OwnEvaluators()
        self._seed = seed_or_new(options.seed)
        threats = RootThreats(THREATS_A_PLAYOUT)
        self._endgame = RootEndgame(options, DISCS_A_PLAYOUT)
        self._proofs = (threats, self._endgame)
        self._guard = RootGuard(threats)
        self._player: _Player | None = None

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Search until the stopper stops it, the move cannot change or the result is proven."""
        player = self._player_of(position.game)
        found = self._prove(position, stopper)
        if found is not None:
            report(lambda: found)
            return Choice(found.best.move, found)
        with player.opened.in_use():
            return self._choose(player, position, stopper, report)

    def _choose(self, player: _Player, position: Position, stopper: Stopper, report: Reporter) -> Choice:
        """Search; where memory runs out, what is known by then decides."""
        try:
            return player.search.choose(position, stopper, report)
        except MemoryError:
            if player.search.tree.visits == 0:
                raise
            logging.getLogger(__name__).warning("out of memory: the search ends early")
            analysis = player.search.tree.analysis(stopper.elapsed)
            return Choice(analysis.best.move, analysis)

    def _prove(self, position: Position, stopper: Stopper) -> Analysis | None:
        """What can be proven at once."""
        return next(filter(None, (proof.find(position, stopper) for proof in self._proofs)), None)

    def _player_of(self, game: Game) -> _Player:
        if self._player is None or self._player.game != game:
            self._player = None  # its memory, before the next one takes as much
            self._endgame.prepare(game)
            opened = self._evaluators.open(self._options, game)
            self._player = _Player(game, opened, self._make_search(opened))
        return self._player

    def _make_search(self, opened: Opened) -> Search:
        options = self._options
        evaluator, pace = opened.evaluator, opened.pace
        is_net = options.evaluator not in WEIGHTLESS
        batch = good_batch(device_of(evaluator), pace, options.batch)
        puct = Puct(collisions=batch, tactics=True)
        if not is_net:
            return Search(evaluator, options.memory * MEGABYTE, batch, puct, pace=pace, guard=self._guard)
        views = turned(evaluator, np.random.default_rng(self._seed))
        root = AveragedEvaluator(evaluator)
        helpers = num_threads(options.threads) - 1 if opened.is_own else 0
        return Search(views, options.memory * MEGABYTE, batch, puct, root, pace, self._guard, options.visits, helpers)


def good_batch(device: str, pace: float, wanted: int = 0) -> int:
    """How many leaves to judge at a time, as many as are wanted or else a good number, but not for long.

    That is large where evaluations are quick, for then the work around them counts; leaves of one batch know little.
    """
    longest = int(LONGEST_BATCH / pace)
    if wanted:
        return min(wanted, max(SMALLEST_BATCH, longest))
    usual = GPU_BATCH if device in ("cuda", "mps") else min(LARGEST_BATCH, int(GOOD_BATCH / pace))
    whole = max(usual // SMALLEST_BATCH, 1) * SMALLEST_BATCH  # as many as kernels take side by side
    return max(1, min(whole, longest))
