"""Nets as ONNX files: the forward pass written down as a graph, for any batch and, where the net allows, any size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, checker, helper, numpy_helper

from .checkpoint import Checkpoint
from .description import Classic
from .forward import POOL_CENTER, POOL_SCALE, forward

INPUT, LOGITS, WDL = "planes", "logits", "wdl"
SIZE = "size"  # the name of the free dimension
OPSET, IR_VERSION = 17, 10


def export(checkpoint: Checkpoint) -> ModelProto:
    """The net as an ONNX model in single precision."""
    graph = _Graph(checkpoint.weights)
    description = checkpoint.description
    logits, wdl = forward(graph, description, INPUT)
    graph.call("Identity", [logits], LOGITS)
    graph.call("Identity", [wdl], WDL)
    size = description.sizes[0] if isinstance(description.shape, Classic) else SIZE
    inputs = [_value(INPUT, ["batch", description.num_planes, size, size])]
    outputs = [_value(LOGITS, ["batch", None]), _value(WDL, ["batch", 3])]
    body = helper.make_graph(graph.nodes, "net", inputs, outputs, graph.constants)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    helper.set_model_props(model, description.texts())
    checker.check_model(model)
    return model


def _value(name: str, shape: list[str | int | None]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


class _Graph:
    """Writes operations down as nodes; a value is the name of a tensor."""

    def __init__(self, weights: Mapping[str, npt.NDArray[np.float32]]) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._weights = weights
        self._factor = ""

    def call(self, operator: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        output = output or f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def conv(self, name: str, maps: str) -> str:
        edge = self._weights[f"{name}.weight"].shape[-1] // 2
        return self.call("Conv", [maps, *self._layer(name)], f"{name}.maps", pads=[edge] * 4)

    def linear(self, name: str, vectors: str) -> str:
        return self.call("Gemm", [vectors, *self._layer(name)], f"{name}.vectors", transB=1)

    def relu(self, values: str) -> str:
        return self.call("Relu", [values])

    def add(self, maps: str, others: str) -> str:
        return self.call("Add", [maps, others])

    def add_to_channels(self, maps: str, vectors: str) -> str:
        axes = self._constant("spatial_axes", np.array([2, 3], np.int64))
        return self.call("Add", [maps, self.call("Unsqueeze", [vectors, axes])])

    def pooled(self, maps: str) -> str:
        mean = self.call("Flatten", [self.call("GlobalAveragePool", [maps])])
        highest = self.call("Flatten", [self.call("GlobalMaxPool", [maps])])
        return self.call("Concat", [mean, self.call("Mul", [mean, self._size_factor()]), highest], axis=1)

    def flat(self, maps: str) -> str:
        return self.call("Flatten", [maps])

    def join(self, vectors: str, others: str) -> str:
        return self.call("Concat", [vectors, others], axis=1)

    def _size_factor(self) -> str:
        """(size - center) / scale; a constant once the size is known."""
        if not self._factor:
            axis = self._constant("width", np.array([3], np.int64))
            size = self.call("Gather", [self.call("Shape", [INPUT]), axis])
            center = self._constant("center", np.array([POOL_CENTER], np.float32))
            scale = self._constant("scale", np.array([POOL_SCALE], np.float32))
            above = self.call("Sub", [self.call("Cast", [size], to=TensorProto.FLOAT), center])
            self._factor = self.call("Div", [above, scale])
        return self._factor

    def _layer(self, name: str) -> list[str]:
        return [self._constant(f"{name}.{part}", self._weights[f"{name}.{part}"]) for part in ("weight", "bias")]

    def _constant(self, name: str, value: npt.NDArray[np.generic]) -> str:
        if all(constant.name != name for constant in self.constants):
            self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name
