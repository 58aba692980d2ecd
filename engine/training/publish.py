"""The net that plays: the learner's average as files of the run, opened as an evaluator."""

from __future__ import annotations

from collections.abc import Collection
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
MODELS = {"onnx": ".onnx", "int8": ".int8.onnx"}  # beside the weights, for those who do not play from these


def publish(
    net: Path,
    checkpoint: Checkpoint,
    replay: Replay,
    rng: np.random.Generator,
    models: Collection[str] = tuple(MODELS),
) -> None:
    """Write `net` with its endings, those of models that are not asked for removed: they would be an earlier net's.

    There is none in eight bits before there are games to calibrate it by.
    """
    for suffix in MODELS.values():
        net.with_suffix(suffix).unlink(missing_ok=True)
    write_weights(net.with_suffix(".safetensors"), checkpoint)
    if "onnx" in models:
        write_bytes(net.with_suffix(MODELS["onnx"]), export(checkpoint).SerializeToString())
    if "int8" in models and replay.num_rows:
        write_bytes(net.with_suffix(MODELS["int8"]), quantized(checkpoint, replay, rng))


def models_for(evaluator: str) -> tuple[str, ...]:
    """The models that this evaluator plays from; the one in eight bits needs a substitute before the first games."""
    return {"onnx": ("onnx",), "int8": ("onnx", "int8")}.get(evaluator, ())


def open_net(net: Path, game: str, evaluator: str, device: str, threads: int) -> Evaluator:
    """The published net; `auto` takes our own kernels where the learner is on the CPU, and otherwise its device."""
    if evaluator == "auto":
        evaluator = QUICKEST if device == "cpu" else "torch"
    if evaluator not in MODELS:
        return make_evaluator(evaluator, net.with_suffix(".safetensors"), game, device=device, threads=threads)
    wanted, substitute = net.with_suffix(MODELS[evaluator]), net.with_suffix(MODELS["onnx"])
    path = wanted if wanted.exists() else substitute
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
