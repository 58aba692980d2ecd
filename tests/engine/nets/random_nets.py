"""Nets with random weights, for tests that need some net and not a good one."""

import torch  # noqa: TID253, its nets are what is tested

from extremum.engine.nets.build import make_net, take_checkpoint
from extremum.engine.nets.checkpoint import Checkpoint
from extremum.engine.nets.description import Description


def random_checkpoint(game: str, config: str, *sizes: int, objective: str = "both", seed: int = 1) -> Checkpoint:
    """Weights of which none is zero, so that every layer shows in the answers."""
    description = Description(game, config, sizes, objective)
    torch.manual_seed(seed)
    net = make_net(description)
    with torch.no_grad():
        for name, weight in net.named_parameters():
            if name.endswith("bias"):
                weight.normal_(0, 0.1)
                if name == "value_maps.bias":
                    weight.abs_().add_(0.3)  # lest the few maps of a classic net be zero everywhere
            elif not weight.any():
                weight.normal_(0, 0.03)
    return take_checkpoint(net, description)
