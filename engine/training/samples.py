"""What self-play makes and the learner learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of one game, size, rule and objective with what was found out about them, one row each.

    All is for the side to move. Outcomes and values are in the terms of its objective; ownership and score are plain
    facts of the final board, the same in both.
    """

    states: npt.NDArray[np.uint64]  # [rows, STATE_WORDS]
    policy: npt.NDArray[np.float16]  # [rows, num_moves] what the search made of the prior; sums to 1
    surprise: npt.NDArray[np.float32]  # [rows] the divergence of the policy from the prior
    reply: npt.NDArray[np.int16]  # [rows] the opponent's next move, -1 when there was none
    outcome: npt.NDArray[np.int8]  # [rows] +1, 0 or -1
    value: npt.NDArray[np.float32]  # [rows] an average of the search's values over the next plies
    ownership: npt.NDArray[np.int8]  # [rows, area] Othello: +1 where an own disc ends, -1 an opponent's; [rows, 0] else
    score: npt.NDArray[np.int8]  # [rows] Othello: the final margin in discs; 0 else
    weight: npt.NDArray[np.float32]  # [rows] 1 ordinarily, less in decided games

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, rows: slice | npt.NDArray[np.generic]) -> Samples:
        return Samples(*(getattr(self, field.name)[rows] for field in fields(self)))


def join(parts: Sequence[Samples]) -> Samples:
    """Samples of one kind, one after the other."""
    return Samples(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Samples)))
