"""Torch nets from descriptions and checkpoints, and back."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import torch  # noqa: TID253, torch is at home here

from ..errors import EngineError
from .checkpoint import Checkpoint
from .classic import ClassicNet
from .description import Classic, Description
from .residual import ResidualNet

Net: TypeAlias = ResidualNet | ClassicNet


def make_net(description: Description) -> Net:
    """A net to be trained, with fresh weights from torch's generator."""
    return ClassicNet(description) if isinstance(description.shape, Classic) else ResidualNet(description)


def load_net(checkpoint: Checkpoint) -> Net:
    """A net with a checkpoint's weights."""
    net = make_net(checkpoint.description)
    weights = {name: torch.from_numpy(np.array(weight)) for name, weight in checkpoint.weights.items()}
    try:
        net.load_state_dict(weights)
    except RuntimeError:
        raise EngineError(f"the weights do not fit a net of shape '{checkpoint.description.config}'") from None
    return net


def take_checkpoint(net: Net, description: Description) -> Checkpoint:
    """A copy of a net's weights."""
    weights = {name: weight.detach().cpu().float().numpy().copy() for name, weight in net.state_dict().items()}
    return Checkpoint(description, weights)
