"""The net that plays: the learner's average as files of the run, opened as an evaluator."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..evaluators import make_evaluator
from ..evaluators.evaluator import Evaluator
from ..evaluators.inputs import draw_planes
from ..evaluators.wishes import QUICKEST
from ..nets.checkpoint import Checkpoint, save_checkpoint
from ..nets.export import export
from .files import write_bytes, write_whole
from .replay import Replay

CALIBRATION = 256  # positions


def publish(net: Path, checkpoint: Checkpoint, replay: Replay, rng: np.random.Generator) -> None:
    """Write `net` with its three endings; the one in eight bits only once there are games to calibrate it by."""
    write_weights(net.with_suffix(".safetensors"), checkpoint)
    write_bytes(net.with_suffix(".onnx"), export(checkpoint).SerializeToString())
    if replay.num_rows:
        write_bytes(net.with_suffix(".int8.onnx"), quantized(checkpoint, replay, rng))


def open_net(net: Path, game: str, evaluator: str, device: str, threads: int) -> Evaluator:
    """The published net; `auto` takes our own kernels where the learner is on the CPU, and otherwise its device."""
    if evaluator == "auto":
        evaluator = QUICKEST if device == "cpu" else "torch"
    if evaluator in ("short", "native", "torch"):
        return make_evaluator(evaluator, net.with_suffix(".safetensors"), game, device=device, threads=threads)
    small = net.with_suffix(".int8.onnx")
    path = net.with_suffix(".onnx") if evaluator == "onnx" or not small.exists() else small
    return make_evaluator("onnx", path, game, device="cpu", threads=threads)


def write_weights(path: Path, checkpoint: Checkpoint) -> None:
    """Write a file of weights; EngineError when the disk does not take it."""
    write_whole(path, lambda partial: save_checkpoint(checkpoint, partial))


def quantized(checkpoint: Checkpoint, replay: Replay, rng: np.random.Generator) -> bytes:
    """The net in eight bits, calibrated on all kinds of games."""
    from ..nets.quantize import quantize

    planes = [draw_planes(checkpoint.description, states) for states in replay.states(CALIBRATION, rng)]
    model: bytes = quantize(checkpoint, *planes).SerializeToString()
    return model
