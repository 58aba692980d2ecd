"""Nets on the CPU by ONNX Runtime, in single precision or in eight bits: whatever the file holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import EngineError
from ..nets.description import read_description
from ..nets.files import read_weights
from .evaluator import Evaluation, States, evaluation_of
from .inputs import draw_planes, refuse_device

FATAL = 4  # the level of ONNX Runtime's own log: what matters is raised as well


class OnnxEvaluator:
    """One session, shared by all threads; every call computes on the caller's thread unless it was given more."""

    def __init__(self, model: bytes, where: str = "model", game: str | None = None, threads: int = 1) -> None:
        self._session = _open_session(model, where, threads)
        texts = self._session.get_modelmeta().custom_metadata_map
        self.description = read_description(texts, where, game)

    @classmethod
    def load(
        cls, path: Path, game: str, *, sha256: str | None = None, device: str = "auto", threads: int = 1
    ) -> OnnxEvaluator:
        """The net in an `.onnx` file; EngineError when it is missing, damaged or for another game."""
        refuse_device("onnx", device)
        return cls(read_weights(path, sha256), str(path), game, threads)

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch."""
        logits, wdl = self._session.run(None, {"planes": draw_planes(self.description, states)})
        return evaluation_of(logits, wdl)


def _open_session(model: bytes, where: str, threads: int) -> Any:
    import onnxruntime  # type: ignore[import-untyped]  # it carries no types
    from onnxruntime.capi import onnxruntime_pybind11_state as refusals  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = FATAL
    # A spinning thread takes the core from whoever has work; with one thread it would be the search's own.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except (refusals.InvalidProtobuf, refusals.InvalidGraph, refusals.InvalidArgument, refusals.Fail):
        raise EngineError(f"weights '{where}' are damaged or no onnx") from None
