"""Players of a run's matches: its nets behind the search that `mcts` plays with, and opponents that do not change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from ..brains import make_brain
from ..brains.brain import Brain
from ..evaluators.evaluator import Evaluator
from ..games.game import Game, Position
from ..options import Options
from ..search.opened import Opened, pace
from ..search.stopper import Limits, Stopper
from .publish import open_net

VISITS = 100  # of a net's search
BATCH = 32  # what `mcts` takes by itself where evaluations are quick; said, so that a match does not depend on the pace
MEMORY = 16  # megabytes of each player
DEPTHS = (2, 4)  # of alpha-beta
ROLLOUTS = 5000  # visits of the opponent that does not grow
LOSERS = {"gomoku": ("naive-loser", "careful-loser"), "othello": ("greedy-loser", "textbook-loser")}  # of the misère


@dataclass(frozen=True, slots=True)
class Player:
    """A brain with what it may spend on a move."""

    name: str
    brain: Brain
    limits: Limits

    def choose(self, position: Position) -> int:
        """The move it plays."""
        return self.brain.choose(position, Stopper(self.limits)).move


def net_player(name: str, evaluator: Evaluator, seed: int, visits: int = VISITS) -> Player:
    """A net that plays as `mcts` does: its search with its proofs, its symmetries and its second looks."""
    options = Options(seed=max(1, seed), memory=MEMORY, batch=BATCH)
    return Player(name, make_brain("mcts", options, _AtHand(evaluator)), Limits(visits=visits))


def kept_player(path: Path, game: str, seed: int, device: str = "cpu", threads: int = 1) -> Player:
    """A net from its file of weights."""
    return net_player(path.stem, open_net(path.with_suffix(""), game, "auto", device, threads), seed)


def fixed_opponents(game: Game, rollouts: int, seed: int) -> Iterator[Player]:
    """Those who stay the same: rollouts, alpha-beta, and in the misère those who try to lose."""
    for visits in dict.fromkeys((rollouts, ROLLOUTS)):
        yield Player(f"rollout {visits}", make_brain("rollout", _options(seed, textbook=True)), Limits(visits=visits))
    for depth in DEPTHS:
        yield Player(f"alphabeta depth {depth}", make_brain("alphabeta", _options(seed)), Limits(depth=depth))
    for name in LOSERS[game.name] if game.objective < 0 else ():
        yield Player(name, make_brain(name, _options(seed)), Limits(visits=1))


def _options(seed: int, *, textbook: bool = False) -> Options:
    return Options(seed=max(1, seed), memory=MEMORY, textbook=textbook)


class _AtHand:
    """Gives a brain the evaluator that is there already, whatever its options say."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def open(self, options: Options, game: Game) -> Opened:
        """The evaluator, for the caller alone."""
        return Opened(self._evaluator, pace(self._evaluator, game))

    def in_turn(self) -> AbstractContextManager[object]:
        """At once: there is nobody else."""
        return nullcontext()
