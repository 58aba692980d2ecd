"""Nets in eight bits: the trunk's convolutions and sums as integers, the heads in single precision."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnxruntime.quantization import (  # type: ignore[import-untyped]  # noqa: TID253, it is at home here
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_static,
)

from ..errors import EngineError
from .checkpoint import Checkpoint
from .export import INPUT, export

BATCH = 64
OPERATORS = ["Conv", "Add", "Relu"]
FIRST_OF_HEADS = "neck.maps"  # what comes from here on is little work, and needs its precision


def quantize(checkpoint: Checkpoint, *planes: npt.NDArray[np.float32]) -> onnx.ModelProto:
    """The net as an ONNX model in eight bits, its ranges taken from the planes of typical positions on each board.

    EngineError when the folder for temporary files, which the quantizer needs, does not take them.
    """
    model = export(checkpoint)
    try:
        with tempfile.TemporaryDirectory() as folder:
            quantized = _quantized(model, Path(folder) / "net.onnx", _Reader(*planes))
    except OSError as error:
        raise EngineError(f"cannot write to '{_temporary()}': {error.strerror or error}") from None
    onnx.helper.set_model_props(quantized, checkpoint.description.texts())
    return quantized


def _quantized(model: onnx.ModelProto, path: Path, reader: CalibrationDataReader) -> onnx.ModelProto:
    """The model by way of a file, as the quantizer has it."""
    nodes = [node.name for node in model.graph.node]
    heads = nodes[nodes.index(FIRST_OF_HEADS) :] if FIRST_OF_HEADS in nodes else []
    with _quiet():
        quantize_static(
            model,
            path,
            reader,
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=OPERATORS,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            reduce_range=True,  # weights of 7 bits: with 8 the sums of two products overflow without VNNI
            nodes_to_exclude=heads,
        )
    return onnx.load(path)


def _temporary() -> str:
    """The folder for temporary files, where there is one that can be written to."""
    try:
        return tempfile.gettempdir()
    except OSError:
        return "the folder for temporary files"


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the quantizer's advice to prepare a graph, which this one does not need."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


class _Reader(CalibrationDataReader):  # type: ignore[misc]  # it has no types
    """Hands out positions in batches."""

    def __init__(self, *planes: npt.NDArray[np.float32]) -> None:
        self._batches: Iterator[npt.NDArray[np.float32]] = iter(
            [board[start : start + BATCH] for board in planes for start in range(0, len(board), BATCH)]
        )

    def get_next(self) -> dict[str, npt.NDArray[np.float32]] | None:
        """The next batch, until there is none."""
        batch = next(self._batches, None)
        return None if batch is None else {INPUT: batch}
