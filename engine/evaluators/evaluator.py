"""What an evaluator takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ..kernels import batches
from ..kernels.direct import direct

States: TypeAlias = npt.NDArray[np.uint64]  # [batch, STATE_WORDS] contiguous, of one game and one size
Floats: TypeAlias = npt.NDArray[np.float32]

_judge = direct(batches.judge)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The priors and values of a batch of positions."""

    logits: Floats  # [batch, num_moves] illegal moves included: their logits mean nothing
    value: Floats  # [batch] -1..+1 for the side to move
    draw: Floats  # [batch] the probability of a draw

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, part: slice) -> Evaluation:
        return Evaluation(self.logits[part], self.value[part], self.draw[part])


class Evaluator(Protocol):
    """Says how good positions are; may be called from many threads."""

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of at least one position; blocks until it is there."""


def device_of(evaluator: Evaluator) -> str:
    """Where an evaluator computes, which only those that have a choice tell."""
    return str(getattr(evaluator, "device", "cpu"))


def evaluation_of(logits: Floats, wdl: Floats) -> Evaluation:
    """An evaluation from a net's two outputs, the second one the logits of win, draw and loss."""
    value, draw = np.empty(len(wdl), np.float32), np.empty(len(wdl), np.float32)
    _judge(np.ascontiguousarray(wdl, np.float32), value, draw)
    return Evaluation(logits, value, draw)
