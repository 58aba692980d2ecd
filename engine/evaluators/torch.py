"""Nets in torch: on a GPU where there is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..kernels.encode import encode
from ..nets.checkpoint import Checkpoint, load_checkpoint
from ..nets.runtime import TorchRuntime
from .evaluator import Evaluation, States, evaluation_of
from .inputs import checked_size


class TorchEvaluator:
    """A net on a device."""

    def __init__(self, checkpoint: Checkpoint, device: str = "auto", precision: str = "auto", threads: int = 1) -> None:
        self.description = checkpoint.description
        self._runtime = TorchRuntime(checkpoint, device, precision, threads)

    @classmethod
    def load(
        cls, path: Path, game: str, *, sha256: str | None = None, device: str = "auto", threads: int = 1
    ) -> TorchEvaluator:
        """The net in a `.safetensors` file; EngineError when it does not fit or the device is not there."""
        return cls(load_checkpoint(path, game, sha256), device, threads=threads)

    @property
    def device(self) -> str:
        """Where the net is: what `auto` has found."""
        return self._runtime.device.type

    @property
    def works_aside(self) -> bool:
        """True when the device works while the processor does something else."""
        return self.device != "cpu"

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch."""
        return self.begin(states)()

    def begin(self, states: States) -> Callable[[], Evaluation]:
        """Start on a batch and return what waits for its evaluation; a GPU works meanwhile."""
        slot = self._runtime.borrow(len(states), checked_size(self.description, states))
        encode(states, slot.inputs)
        self._runtime.begin(slot)
        return lambda: evaluation_of(*self._runtime.collect(slot))
