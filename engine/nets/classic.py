"""The textbook net: three convolutions over four planes and fully connected heads, for one board size."""

from __future__ import annotations

import torch  # noqa: TID253, torch is at home here
from torch import Tensor, nn  # noqa: TID253, torch is at home here

from .description import Classic, Description
from .outputs import Outputs


class ClassicNet(nn.Module):
    """Three convolutions, then a policy and a value."""

    def __init__(self, description: Description) -> None:
        super().__init__()
        shape = description.shape
        assert isinstance(shape, Classic)
        (size,) = description.sizes
        widths = (description.num_planes, *shape.channels)
        self.first, self.second, self.third = (nn.Conv2d(widths[i], widths[i + 1], 3, padding=1) for i in range(3))
        self.policy_maps = nn.Conv2d(widths[3], shape.policy_channels, 1)
        self.policy = nn.Linear(shape.policy_channels * size * size, description.num_moves(size))
        self.value_maps = nn.Conv2d(widths[3], shape.value_channels, 1)
        self.hidden = nn.Linear(shape.value_channels * size * size, shape.hidden)
        self.wdl = nn.Linear(shape.hidden, 3)

    def forward(self, inputs: Tensor) -> Outputs:
        """Both heads."""
        return Outputs(*self.infer(inputs))

    def infer(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of the moves, and of win, draw and loss."""
        maps = inputs
        for layer in (self.first, self.second, self.third):
            maps = torch.relu(layer(maps))
        policy = self.policy(torch.relu(self.policy_maps(maps)).flatten(1))
        hidden = torch.relu(self.hidden(torch.relu(self.value_maps(maps)).flatten(1)))
        return policy, self.wdl(hidden)
