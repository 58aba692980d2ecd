"""What a torch net says of a batch of positions."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor  # noqa: TID253, torch is at home here


class Outputs(NamedTuple):
    """The heads; those of training only are None where the net has none."""

    policy: Tensor  # [batch, num_moves] logits
    wdl: Tensor  # [batch, 3] logits of win, draw and loss for the side to move
    soft_policy: Tensor | None = None  # [batch, num_moves] logits of the flattened target
    reply: Tensor | None = None  # [batch, num_moves] logits of the opponent's next move
    short_term: Tensor | None = None  # [batch] the value some plies ahead, -1..1
    ownership: Tensor | None = None  # [batch, size, size] logits: the disc there ends as the side to move's
    score: Tensor | None = None  # [batch] the final margin, in boards
