"""Reference players: fixed ways to choose a move, the same in both modes, against which the engine is measured.

Their names tell what they do; none searches longer when it is given more time. They want to win (`beginner`, `greedy`,
`strong`), to lose in one naive way or another (`naive-loser`, `careful-loser`, `greedy-loser`, `textbook-loser`,
`mirror`, `monte-carlo`), or to play badly, which is not the same (`argmin`, `argmin-q`, `sign-flip`, `help`,
`never-five`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from ..errors import EngineError
from ..games.game import Move, Position
from ..games.misere import MiserePosition
from ..search.analysis import Analysis, Candidate, Choice, Reporter, ignore
from ..search.stopper import Stopper
from .random import seed_or_new

if TYPE_CHECKING:
    from ..options import Options

# Chooses a move of the ordinary position; the number is the depth that the client wished, 0 for none.
Player: TypeAlias = Callable[[Position, random.Random, int], Move]


class ReferenceBrain:
    """Plays as one of the reference players."""

    def __init__(self, name: str, options: Options) -> None:
        self._name = name
        self._rng = random.Random(seed_or_new(options.seed))
        self._depth = options.depth

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Choose at once."""
        ordinary = position.ordinary if isinstance(position, MiserePosition) else position
        move = _player(self._name, ordinary.game.name)(ordinary, self._rng, self._depth)
        candidate = Candidate(move, visits=0, value=0.0, prior=1.0, lcb=-1.0, line=(move,))
        analysis = Analysis((candidate,), visits=0, seconds=stopper.elapsed, depth=0)
        report(lambda: analysis)
        return Choice(move, analysis)


def _player(name: str, game: str) -> Player:
    players: Mapping[str, Player] = import_module(f".reference_{game}", __package__).PLAYERS
    if name not in players:
        raise EngineError(f"'{name}' does not play {game}: one of {', '.join(players)}")
    return players[name]
