"""The residual net: no normalization, global pooling, heads that fit a board of any size."""

from __future__ import annotations

import math

import torch  # noqa: TID253, torch is at home here
from torch import Tensor, nn  # noqa: TID253, torch is at home here

from . import planes
from .description import Description, Residual
from .forward import POOL_CENTER, POOL_SCALE
from .outputs import Outputs

POOLS = 3  # what pooling makes of a channel
HIDDEN = 64


class ResidualNet(nn.Module):
    """A trunk of residual blocks, a neck that is pooled once, and the heads."""

    def __init__(self, description: Description) -> None:
        super().__init__()
        shape = description.shape
        assert isinstance(shape, Residual)
        channels, pooled = shape.channels, POOLS * shape.channels
        self.stem = _conv3(planes.num_planes(description.game), channels)
        self.blocks = nn.ModuleList(
            Block(channels, shape.blocks, looks_around=block in shape.pooled) for block in range(shape.blocks)
        )
        self.neck = _conv1(channels, channels)
        self.policy_bias = nn.Linear(pooled, channels)
        self.hidden = nn.Linear(pooled, HIDDEN)
        self.wdl = nn.Linear(HIDDEN, 3)
        self.short_term = nn.Linear(HIDDEN, 1)
        self.policy, self.soft_policy, self.reply = (_conv1(channels, 1) for _ in range(3))
        self.has_pass = planes.has_pass(description.game)
        if self.has_pass:
            self.policy_pass, self.soft_policy_pass, self.reply_pass = (nn.Linear(pooled, 1) for _ in range(3))
        self.counts_discs = description.game == "othello"
        if self.counts_discs:
            self.ownership = _conv1(channels, 1)
            self.score = nn.Linear(HIDDEN, 1)

    def forward(self, inputs: Tensor) -> Outputs:
        """Every head, for training."""
        maps, active, pooled = self._neck(inputs)
        hidden = torch.relu(self.hidden(pooled))
        return Outputs(
            policy=self._moves("policy", maps, pooled),
            wdl=self.wdl(hidden),
            soft_policy=self._moves("soft_policy", maps, pooled),
            reply=self._moves("reply", maps, pooled),
            short_term=torch.tanh(self.short_term(hidden)).squeeze(1),
            ownership=self.ownership(active).squeeze(1) if self.counts_discs else None,
            score=self.score(hidden).squeeze(1) if self.counts_discs else None,
        )

    def infer(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of the moves, and of win, draw and loss: all that a search asks."""
        maps, _, pooled = self._neck(inputs)
        return self._moves("policy", maps, pooled), self.wdl(torch.relu(self.hidden(pooled)))

    def _neck(self, inputs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The maps of the policies, those before they saw the whole board, and these pooled."""
        trunk = self.stem(inputs)
        for block in self.blocks:
            trunk = trunk + block(torch.relu(trunk))
        neck = self.neck(torch.relu(trunk))
        active = torch.relu(neck)
        pooled = global_pool(active)
        return torch.relu(neck + self.policy_bias(pooled)[:, :, None, None]), active, pooled

    def _moves(self, head: str, maps: Tensor, pooled: Tensor) -> Tensor:
        logits: Tensor = self.get_submodule(head)(maps).flatten(1)
        if not self.has_pass:
            return logits
        return torch.cat([logits, self.get_submodule(f"{head}_pass")(pooled)], dim=1)


class Block(nn.Module):
    """Two convolutions, the first with what the whole board says where it looks around."""

    def __init__(self, channels: int, num_blocks: int, *, looks_around: bool) -> None:
        super().__init__()
        self.first = _conv3(channels, channels)
        self.second = _conv3(channels, channels)
        self.around = nn.Linear(POOLS * channels, channels) if looks_around else None
        # Without normalization a block starts as the identity, and the sum of all blocks at the size of one.
        with torch.no_grad():
            self.first.weight.mul_(1 / math.sqrt(2 * num_blocks))
            self.second.weight.zero_()

    def forward(self, active: Tensor) -> Tensor:
        """What is added to the trunk."""
        maps = self.first(active)
        if self.around is not None:
            maps = maps + self.around(global_pool(active))[:, :, None, None]
        return self.second(torch.relu(maps))  # type: ignore[no-any-return]  # modules are called untyped


def global_pool(maps: Tensor) -> Tensor:
    """Each channel's mean, mean scaled by the board's size, and maximum."""  # [batch, 3 * channels]
    mean = maps.mean(dim=(2, 3))
    return torch.cat([mean, mean * ((maps.shape[3] - POOL_CENTER) / POOL_SCALE), maps.amax(dim=(2, 3))], dim=1)


def _conv3(inputs: int, outputs: int) -> nn.Conv2d:
    return _scaled(nn.Conv2d(inputs, outputs, 3, padding=1))


def _conv1(inputs: int, outputs: int) -> nn.Conv2d:
    return _scaled(nn.Conv2d(inputs, outputs, 1))


def _scaled(layer: nn.Conv2d) -> nn.Conv2d:
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)
    return layer
