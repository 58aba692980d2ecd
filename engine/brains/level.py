"""The level dial: how a move is chosen between the weakest play and the strongest, by chance and visits, never by time.

0 is the misère on the clock. Up to 50 each move is by chance with probability level / 50, else the misère's at fixed
visits. From 50 a move is drawn by softmax over what each is worth one ply deep, ever more sharply; from 55 a win at
hand is taken, from 60 a loss at hand is avoided and the last points are searched. From 80 the brain plays every move
with visits that grow by a constant factor; 100 is the brain on the clock.
"""

from __future__ import annotations

import random
from dataclasses import replace
from math import exp, exp2

from ..games.game import Move, Position
from ..search.analysis import Analysis, Candidate, Choice, Reporter, ignore
from ..search.stopper import Limits, Stopper
from .brain import Brain

CHANCE, SEARCH, STRONGEST = 50, 80, 100
TAKES_WIN, AVOIDS_LOSS = 55, 60
SURE = 8.0  # the most that an evaluation says, in the units of the game's scale; a proven result is worth more

# Visits of the brains that have a dial: of their misère below 50, at 80, and what they would be at 100.
VISITS = {
    "alphabeta": (5_000, 200, 200_000),
    "mcts": (200, 1, 800),
    "minimax": (2_000, 200, 20_000),
    "rollout": (4_000, 100, 20_000),
}


def has_dial(level: int, brain: str) -> bool:
    """True when a level is between the poles and changes how this brain plays."""
    return 0 < level < STRONGEST and brain in VISITS


def limits_at(level: int, brain: str, limits: Limits, *, is_timed: bool) -> Limits:
    """What the brain may spend at a level: its visits, no more than was allowed anyway, and time only on a clock."""
    if not is_timed:
        limits = replace(limits, seconds=None, most=None)
    misere, least, most = VISITS[brain]
    growth = max(0.0, (level - SEARCH) / (STRONGEST - SEARCH))
    visits = misere if level < CHANCE else round(least * (most / least) ** growth)
    return replace(limits, visits=visits if limits.visits is None else min(limits.visits, visits))


class LevelBrain:
    """Plays with a brain at a level between the poles; its positions are of the misère below 50."""

    def __init__(self, level: int, brain: Brain, rng: random.Random) -> None:
        self._level = level
        self._brain = brain
        self._rng = rng

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Choose as the level does, within a stopper that has its limits."""
        if self._level < CHANCE and self._rng.random() < self._level / CHANCE:
            return unsearched(self._rng.choice(position.legal_moves()))
        if not CHANCE <= self._level < SEARCH or _is_searched(self._level, position):
            return self._brain.choose(position, stopper, report)
        return unsearched(self._drawn(position))

    def _drawn(self, position: Position) -> Move:
        """A move by softmax over its worth."""
        from .one_ply import one_ply  # numpy and a kernel, which a session does not load before its first search

        worth = _without_blunders(self._level, one_ply(position))
        sharpness, best = sharpness_at(self._level), max(worth.values())
        return self._rng.choices(list(worth), [exp(sharpness * (each - best)) for each in worth.values()])[0]


def unsearched(move: Move) -> Choice:
    """A move that nothing more is known of."""
    candidate = Candidate(move, visits=0, value=0.0, prior=1.0, lcb=0.0, line=(move,))
    return Choice(move, Analysis((candidate,), visits=0, seconds=0.0, depth=0))


def sharpness_at(level: int) -> float:
    """How strongly the better move is preferred: not at all at 50, then doubled every four levels."""
    return (exp2((level - CHANCE) / 4) - 1) / 4


def _without_blunders(level: int, worth: dict[Move, float]) -> dict[Move, float]:
    """The moves that a level considers."""
    if level >= TAKES_WIN and (wins := {move: each for move, each in worth.items() if each > SURE}):
        return wins
    if level >= AVOIDS_LOSS and (safe := {move: each for move, each in worth.items() if each >= -SURE}):
        return safe
    return worth


def _is_searched(level: int, position: Position) -> bool:
    """True on an empty board and for the last points, at 60 the last 4, at 79 the last 11: the brain's own to play."""
    stones = (position.black | position.white).bit_count()
    last = 4 + (level - AVOIDS_LOSS) * 8 // (SEARCH - AVOIDS_LOSS) if level >= AVOIDS_LOSS else 0
    return (stones == 0 and level > CHANCE) or position.game.size**2 - stones <= last
