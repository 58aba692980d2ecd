"""Chance: every legal move is as likely as any other."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ..games.game import Position
from ..search.analysis import Analysis, Candidate, Choice, Reporter, ignore
from ..search.stopper import Stopper

if TYPE_CHECKING:
    from ..options import Options


def seed_or_new(seed: int) -> int:
    """The seed, or a new one for 0."""
    return seed or random.SystemRandom().randrange(1, 2**31)


class RandomBrain:
    """Chooses uniformly among the legal moves."""

    def __init__(self, options: Options) -> None:
        self._rng = random.Random(seed_or_new(options.seed))

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Choose at once."""
        moves = position.legal_moves()
        move = self._rng.choice(moves)
        candidate = Candidate(move, visits=0, value=0.0, prior=1 / len(moves), lcb=-1.0, line=(move,))
        analysis = Analysis((candidate,), visits=0, seconds=stopper.elapsed, depth=0)
        report(lambda: analysis)
        return Choice(move, analysis)
