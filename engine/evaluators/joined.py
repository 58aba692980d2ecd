"""Requests of several searches that are evaluated as one batch; boards are turned for all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np

from ..kernels.layout import KIND, SIZE
from .ahead import Begin, Collect
from .evaluator import Evaluation, Evaluator, States
from .views import Symmetries, begin_through, views_of

Kind: TypeAlias = tuple[int, int, bool]  # game, size, and whether positions are seen through symmetries


class Request(Protocol):
    """What a search waits for."""

    @property
    def states(self) -> States:
        """The positions, one at least."""

    @property
    def symmetries(self) -> Symmetries | None:
        """Those through which they are seen."""


def kind_of(request: Request) -> Kind:
    """Requests of one kind can be joined."""
    return int(request.states[0, KIND]), int(request.states[0, SIZE]), request.symmetries is not None


def evaluate_joined(evaluator: Evaluator, requests: Sequence[Request]) -> Evaluation:
    """The evaluation of requests of one kind."""
    states, symmetries = _join(requests)
    return evaluator.evaluate(states) if symmetries is None else views_of(evaluator)(states, symmetries)


def begin_joined(begin: Begin, requests: Sequence[Request]) -> Collect:
    """Start on requests of one kind."""
    states, symmetries = _join(requests)
    return begin(states) if symmetries is None else begin_through(begin, states, symmetries)


def _join(requests: Sequence[Request]) -> tuple[States, Symmetries | None]:
    states = np.concatenate([request.states for request in requests])
    symmetries = [request.symmetries for request in requests if request.symmetries is not None]
    return states, np.concatenate(symmetries) if symmetries else None
