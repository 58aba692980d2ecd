"""Evaluations that are begun and collected later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from .evaluator import Evaluation, Evaluator, States

Collect: TypeAlias = Callable[[], Evaluation]  # waits for what was begun; to be called once
Begin: TypeAlias = Callable[[States], Collect]


@runtime_checkable
class Beginning(Protocol):
    """An evaluator that may have a device of its own."""

    @property
    def works_aside(self) -> bool:
        """True when the device works while the processor does something else."""

    def begin(self, states: States) -> Collect:
        """Start on a batch, which must not change until it is collected."""


def begin_of(evaluator: Evaluator) -> Begin | None:
    """How to begin where a device does the work, None elsewhere."""
    return evaluator.begin if isinstance(evaluator, Beginning) and evaluator.works_aside else None
