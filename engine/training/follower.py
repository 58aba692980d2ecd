"""Games of another run, learned from before a run plays its own: a large net begins with what a small one played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .samples import Samples
from .shards import Part, Shard, list_shards, read_shard, unpack

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..evaluators.evaluator import Evaluator
    from ..games.game import Game
    from .loop import Player


class Follower:
    """Hands out the games of a replay that grows or does not, block by block; when there are no more it plays on."""

    def __init__(self, replay: Path, known: int, make_player: Callable[[], Player]) -> None:
        """The first `known` games are left out, for they were learned from already."""
        self._replay = replay
        self._known = known
        self._make_player = make_player  # which takes much memory
        self._player: Player | None = None
        self._evaluator_of: Callable[[Game], Evaluator] | None = None
        self._budget: tuple[int, int] | None = None

    def use(self, evaluator_of: Callable[[Game], Evaluator]) -> None:
        """Play on with another net, once the time has come."""
        self._evaluator_of = evaluator_of
        if self._player is not None:
            self._player.use(evaluator_of)

    def set_budget(self, budget: tuple[int, int]) -> None:
        """Consider so many moves with so many simulations then."""
        self._budget = budget
        if self._player is not None:
            self._player.set_budget(budget)

    def step(self) -> list[Samples]:
        """The next block of games, or those of own play."""
        if self._player is not None:
            return self._player.step()
        shard = self._next()
        if shard is None:
            self._player = self._made()
            return self._player.step()
        self._known += shard.num_games
        return [game for part in read_shard(shard) for game in _games_of(part)]

    def _made(self) -> Player:
        player = self._make_player()
        if self._evaluator_of is not None:
            player.use(self._evaluator_of)
        if self._budget is not None:
            player.set_budget(self._budget)
        return player

    def _next(self) -> Shard | None:
        begin = 0
        for shard in list_shards(self._replay):
            if begin >= self._known:
                return shard
            begin += shard.num_games
        return None


def _games_of(part: Part) -> list[Samples]:
    """Each game's rows, as they were before they were packed."""
    samples = replace(part.samples, states=unpack(part.samples.states))
    return [samples[part.games == number] for number in np.unique(part.games)]
