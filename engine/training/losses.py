"""What a net is to get right, and how much each of it counts."""

from __future__ import annotations

from dataclasses import dataclass

import torch  # noqa: TID253, learning is torch's
from torch import Tensor  # noqa: TID253, learning is torch's
from torch.nn import functional  # noqa: TID253, learning is torch's

from ..nets.outputs import Outputs
from .replay import Batch

WEIGHTS = {
    "policy": 1.0,
    "soft_policy": 2.0,
    "reply": 0.15,
    "wdl": 1.0,
    "short_term": 0.3,
    "ownership": 0.5,
    "score": 0.3,
}
SOFTNESS = 4.0  # the temperature of the soft policy
HORIZON = 0.3  # the share of the short-horizon value in the target of win, draw and loss


@dataclass(frozen=True, slots=True)
class Targets:
    """A batch on its device."""

    planes: Tensor
    policy: Tensor
    reply: Tensor
    outcome: Tensor
    value: Tensor
    ownership: Tensor
    score: Tensor


def targets_of(batch: Batch, device: torch.device) -> Targets:
    """The batch as tensors, its planes with the channels last."""
    planes = torch.from_numpy(batch.planes).to(device, memory_format=torch.channels_last)
    names = ("policy", "reply", "outcome", "value", "ownership", "score")
    return Targets(planes, *(torch.from_numpy(getattr(batch, name)).to(device) for name in names))


def losses_of(outputs: Outputs, targets: Targets) -> dict[str, Tensor]:
    """The loss of each head that the net has, unweighted."""
    losses = {
        "policy": _cross_entropy(outputs.policy, targets.policy),
        "wdl": _cross_entropy(outputs.wdl, wdl_of(targets.outcome, targets.value)),
    }
    if outputs.soft_policy is not None:
        losses["soft_policy"] = _cross_entropy(outputs.soft_policy, softened(targets.policy))
    if outputs.reply is not None and (targets.reply >= 0).any():
        losses["reply"] = functional.cross_entropy(outputs.reply.float(), targets.reply, ignore_index=-1)
    if outputs.short_term is not None:
        losses["short_term"] = functional.mse_loss(outputs.short_term.float(), targets.value)
    if outputs.ownership is not None:
        owned = (targets.ownership + 1) / 2
        losses["ownership"] = functional.binary_cross_entropy_with_logits(outputs.ownership.float(), owned)
    if outputs.score is not None:
        losses["score"] = functional.huber_loss(outputs.score.float(), targets.score)
    return losses


def total_of(losses: dict[str, Tensor]) -> Tensor:
    """The weighted sum."""
    return torch.stack([WEIGHTS[name] * loss for name, loss in losses.items()]).sum()


def wdl_of(outcome: Tensor, value: Tensor) -> Tensor:
    """The target of win, draw and loss: what happened, mixed with what the search thought some plies later.

    A value says nothing of draws; what it leaves open is shared out as games in the batch ended.
    """  # [batch, 3]
    happened = torch.stack([outcome > 0, outcome == 0, outcome < 0], dim=1).float()
    draw = (1 - value.abs()) * happened[:, 1].mean()
    thought = torch.stack([(1 - draw + value) / 2, draw, (1 - draw - value) / 2], dim=1)
    return (1 - HORIZON) * happened + HORIZON * thought


def softened(policy: Tensor) -> Tensor:
    """A policy at a higher temperature; what was impossible stays so."""
    powers = policy ** (1 / SOFTNESS)
    return powers / powers.sum(dim=1, keepdim=True)


def entropy_of(policy: Tensor) -> Tensor:
    """The mean entropy of policies."""
    return -torch.xlogy(policy, policy).sum(dim=1).mean()


def divergence(before: Tensor, after: Tensor) -> Tensor:
    """The mean divergence of policies from what they were, both as logits."""
    before, after = (functional.log_softmax(logits.float(), dim=1) for logits in (before, after))
    return (before.exp() * (before - after)).sum(dim=1).mean()


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    return -(target * functional.log_softmax(logits.float(), dim=1)).sum(dim=1).mean()
