"""Evaluations that are begun and collected later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

from .evaluator import Evaluation, States

Collect: TypeAlias = Callable[[], Evaluation]  # waits for what was begun; to be called once


@runtime_checkable
class Beginning(Protocol):
    """An evaluator whose device works while its caller does something else."""

    def begin(self, states: States) -> Collect:
        """Start on a batch, which must not change until it is collected."""
