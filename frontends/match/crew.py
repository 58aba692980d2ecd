"""Who plays the games of a match: so many processes, and so many games at once in each.

Where all engines are ours and count visits, and a net judges, many games share a process: their leaves meet in one
evaluator. A game with a clock has its process for itself unless somebody asks for the contrary.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

from ...engine.brains import ASKING, BRAINS
from ...engine.games.game import Game
from ...protocol.clients.client import Pace
from ..flags import BadFlagError
from .engines import OWN, Engine
from .settings import Settings

MANY = 16
THINKERS = {*BRAINS} - {"random"}  # whose moves take as long as they are given


@dataclass(frozen=True, slots=True)
class Crew:
    """The processes of a match."""

    workers: int = 1
    together: int = 1  # games at once in each
    pin: bool = False  # each to a processor of its own

    @classmethod
    def of(cls, settings: Settings, given: argparse.Namespace) -> Crew:
        """What the words of a command line ask for, or what suits the engines."""
        foreign = [engine.name for engine in settings.engines if engine.protocol != OWN]
        if (given.together or 1) > 1 and foreign:
            raise BadFlagError(f"--together is for engines of ours, and '{foreign[0]}' is none")
        return cls(given.j, given.together or (MANY if _is_shared(settings) else 1), given.pin)

    def for_games(self, count: int) -> Crew:
        """The same, no larger than so many games need."""
        workers = min(self.workers, count)
        return replace(self, workers=workers, together=min(self.together, -(-count // workers)))


def _is_shared(settings: Settings) -> bool:
    game = settings.make_game()
    if settings.terms().pace != Pace() or not all(_counts(engine, game) for engine in settings.engines):
        return False
    return any(engine.at_work(game) in ASKING for engine in settings.engines)


def _counts(engine: Engine, game: Game) -> bool:
    """True for an engine of ours that looks at no clock."""
    return engine.protocol == OWN and (engine.is_limited or engine.at_work(game) not in THINKERS)
