"""Positions seen from the eight sides of the board."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..games.symmetry import SYMMETRIES, permutation
from ..kernels import batches
from ..kernels.direct import direct
from ..kernels.layout import SIZE
from .ahead import Begin, Collect
from .evaluator import Evaluation, Evaluator, States

Symmetries: TypeAlias = npt.NDArray[np.int64]  # [batch]

_turn, _turn_back = direct(batches.turn), direct(batches.turn_back)


@runtime_checkable
class Turning(Protocol):
    """An evaluator that turns boards on its own way to the net, which costs next to nothing."""

    def evaluate_through(self, states: States, symmetries: Symmetries) -> Evaluation:
        """What is said of a batch, each position seen through its symmetry."""


def views_of(evaluator: Evaluator) -> Callable[[States, Symmetries], Evaluation]:
    """How an evaluator is asked for a batch whose positions are seen through symmetries."""

    def turn_and_evaluate(states: States, symmetries: Symmetries) -> Evaluation:
        return turned_back(evaluator.evaluate(turned_states(states, symmetries)), int(states[0, SIZE]), symmetries)

    return evaluator.evaluate_through if isinstance(evaluator, Turning) else turn_and_evaluate


def begin_through(begin: Begin, states: States, symmetries: Symmetries) -> Collect:
    """Start on a batch whose positions are seen through symmetries."""
    seen = begin(turned_states(states, symmetries))
    return lambda: turned_back(seen(), int(states[0, SIZE]), symmetries)


def turned_states(states: States, symmetries: Symmetries) -> States:
    """The states as they are seen through their symmetries."""
    views = np.empty(states.shape, np.uint64)
    _turn(np.ascontiguousarray(states), symmetries, goals_of(int(states[0, SIZE])), views)
    return views


def turned_back(seen: Evaluation, size: int, symmetries: Symmetries) -> Evaluation:
    """An evaluation of turned states as it is for the states themselves."""
    logits = np.empty(seen.logits.shape, np.float32)
    _turn_back(np.ascontiguousarray(seen.logits, np.float32), symmetries, goals_of(size), logits)
    return Evaluation(logits, seen.value, seen.draw)


@cache
def goals_of(size: int) -> npt.NDArray[np.int16]:
    """Where each point goes, and a pass, which stays one: [symmetry, move]."""
    return np.array([(*permutation(size, symmetry), size * size) for symmetry in SYMMETRIES], np.int16)
