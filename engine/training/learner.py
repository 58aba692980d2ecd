"""The learner: a net, its average over time, and the steps that improve both."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from dataclasses import dataclass

import torch  # noqa: TID253, learning is torch's
from torch import Tensor  # noqa: TID253, learning is torch's

from ..errors import EngineError
from ..nets.build import Net, make_net, take_checkpoint
from ..nets.checkpoint import Checkpoint
from ..nets.description import Description
from ..nets.runtime import choose_device
from .losses import Targets, divergence, entropy_of, losses_of, targets_of, total_of
from .replay import Batch

PEAK, FLOOR = 2e-3, 0.1  # the highest learning rate unless another is wished, and the last one as a share of it
WARM_UP = 200  # steps
DECAY, CLIP, AVERAGING = 1e-4, 1.0, 0.999
# The layers that know who is winning: in the other objective that is no beginning but a mistake to be unlearned.
VALUE_HEAD = ("value_maps", "hidden", "wdl", "short_term", "score")
HALVES = ("avx512_bf16", "amx_bf16")  # what processors call it
TARGET_KL, FACTOR, FACTORS = 0.02, 1.5, (0.1, 10.0)


@dataclass(frozen=True, slots=True)
class Step:
    """What a step of learning measured."""

    losses: dict[str, float]
    entropy: float  # of the target policies


class Learner:
    """Improves a net batch by batch; `progress` is how much of the planned run is over, 0..1."""

    def __init__(
        self, description: Description, device: str = "auto", threads: int = 1, seed: int = 1, peak: float = PEAK
    ) -> None:
        self.device = choose_device(device)
        if self.device.type == "cpu":
            torch.set_num_threads(threads)
        torch.manual_seed(seed)
        self.description = description
        self.net = make_net(description).to(self.device)
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's types lack it
        self.average: Net = deepcopy(self.net).requires_grad_(False)
        self.optimizer = torch.optim.AdamW(_groups(self.net), lr=peak)
        self._peak = peak
        self.steps = 0
        self.factor = 1.0  # of the learning rate; moves only where the divergence steers it

    def start_from(self, checkpoint: Checkpoint) -> None:
        """Take over weights, of the other objective without its value head; EngineError for those of another net."""
        mine = self.description
        theirs = checkpoint.description
        if (theirs.game, theirs.config) != (mine.game, mine.config):
            raise EngineError(f"the weights are of {theirs.game} {theirs.config}, not {mine.game} {mine.config}")
        weights = {name: torch.from_numpy(weight.copy()) for name, weight in checkpoint.weights.items()}
        if {mine.objective, theirs.objective} == {"ordinary", "misere"}:
            fresh = self.net.state_dict()
            weights |= {name: fresh[name] for name in fresh if name.split(".")[0] in VALUE_HEAD}
        try:
            self.net.load_state_dict(weights)
        except RuntimeError:
            raise EngineError(f"the weights do not fit a net of shape '{mine.config}'") from None
        self.average.load_state_dict(self.net.state_dict())

    def learn(self, batch: Batch, progress: float) -> Step:
        """Make one step."""
        targets = targets_of(batch, self.device)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(progress)
        self.optimizer.zero_grad(set_to_none=True)
        losses = self._losses(targets)
        total = total_of(losses)
        if not torch.isfinite(total.detach()):
            raise EngineError(f"learning diverged at step {self.steps}: the loss is {float(total.detach())}")
        total.backward()  # type: ignore[no-untyped-call]  # torch's own
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), CLIP)
        self.optimizer.step()
        self.steps += 1
        self._average()
        return Step({name: float(loss.detach()) for name, loss in losses.items()}, float(entropy_of(targets.policy)))

    def rate(self, progress: float) -> float:
        """The learning rate: a warm-up, then half a cosine down to the floor."""
        warm = min(1.0, (self.steps + 1) / WARM_UP)
        cosine = (1 + math.cos(math.pi * min(1.0, max(0.0, progress)))) / 2
        return warm * self._peak * (FLOOR + (1 - FLOOR) * cosine) * self.factor

    def measure(self, batch: Batch) -> dict[str, float]:
        """The losses of the average on a batch, without learning from it and in full precision."""
        targets = targets_of(batch, self.device)
        with torch.inference_mode():
            losses = losses_of(self.average(targets.planes), targets)
        return {name: float(loss) for name, loss in losses.items()}

    def logits(self, batch: Batch) -> Tensor:
        """The policies of the net as it is, to be compared with what they become."""
        with torch.inference_mode():
            logits: Tensor = self.net.infer(targets_of(batch, self.device).planes)[0]
        return logits

    def steer(self, moved: float) -> None:
        """Adapt the learning rate to how far the policies moved."""
        if moved > 2 * TARGET_KL:
            self.factor = max(FACTORS[0], self.factor / FACTOR)
        elif moved < TARGET_KL / 2:
            self.factor = min(FACTORS[1], self.factor * FACTOR)

    def averaged(self) -> Checkpoint:
        """The weights to play with."""
        return take_checkpoint(self.average, self.description)

    def _losses(self, targets: Targets) -> dict[str, Tensor]:
        with self._autocast():
            return losses_of(self.net(targets.planes), targets)

    def _average(self) -> None:
        """Move the average a little; at first a lot, lest it remember the net that knew nothing."""
        decay = min(AVERAGING, (self.steps + 1) / (self.steps + 10))
        with torch.no_grad():
            for mine, latest in zip(self.average.parameters(), self.net.parameters(), strict=True):
                mine.lerp_(latest, 1 - decay)

    def _autocast(self) -> AbstractContextManager[object]:
        if not has_halves(self.device):
            return nullcontext()
        return torch.autocast(self.device.type, dtype=torch.bfloat16)


def has_halves(device: torch.device) -> bool:
    """True when the device multiplies numbers of half the bits (bfloat16) faster than whole ones."""
    if device.type == "cpu":
        capabilities = torch.cpu.get_capabilities()
        return any(capabilities.get(feature, False) for feature in HALVES)
    return device.type == "cuda"


def moved(before: Tensor, after: Tensor) -> float:
    """How far policies moved."""
    return float(divergence(before, after))


def _groups(net: Net) -> list[dict[str, object]]:
    weights = [weight for weight in net.parameters() if weight.ndim > 1]
    biases = [weight for weight in net.parameters() if weight.ndim <= 1]
    return [{"params": weights, "weight_decay": DECAY}, {"params": biases, "weight_decay": 0.0}]
