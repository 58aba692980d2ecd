"""Nets in plain numpy, where no deep-learning runtime is installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..errors import EngineError
from ..nets.checkpoint import Checkpoint, load_checkpoint
from ..nets.forward import POOL_CENTER, POOL_SCALE, forward
from .evaluator import Evaluation, Floats, States, evaluation_of
from .inputs import draw_planes, refuse_device

CHUNK = 16  # positions computed at a time: their maps fit into the cache


class NumpyEvaluator:
    """A net as matrix products; how many threads they use is numpy's affair."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.description = checkpoint.description
        self._operations = _Arrays(checkpoint.weights)

    @classmethod
    def load(
        cls, path: Path, game: str, *, sha256: str | None = None, device: str = "auto", threads: int = 1
    ) -> NumpyEvaluator:
        """The net in a `.safetensors` file; EngineError when it does not fit."""
        refuse_device("numpy", device)
        return cls(load_checkpoint(path, game, sha256))

    def evaluate(self, states: States) -> Evaluation:
        """The evaluation of a batch."""
        planes = draw_planes(self.description, states).transpose(0, 2, 3, 1)
        chunks = [self._forward(planes[start : start + CHUNK]) for start in range(0, len(planes), CHUNK)]
        logits, wdl = (np.concatenate(parts) for parts in zip(*chunks, strict=True))
        return evaluation_of(logits, wdl)

    def _forward(self, planes: Floats) -> tuple[Floats, Floats]:
        try:
            return forward(self._operations, self.description, planes)
        except KeyError as error:
            raise EngineError(f"the weights have no layer {error}") from None


class _Arrays:
    """The operations on arrays; maps are [batch, size, size, channels]."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        layers = {name.removesuffix(".weight") for name in weights if name.endswith(".weight")}
        self._matrices = {layer: _matrix(weights[f"{layer}.weight"]) for layer in layers}
        self._biases = {layer: weights[f"{layer}.bias"] for layer in layers}

    def conv(self, name: str, maps: Floats) -> Floats:
        matrices = self._matrices[name]
        product = maps @ matrices[0] if len(matrices) == 1 else _convolved(maps, matrices)
        product += self._biases[name]
        return product

    def linear(self, name: str, vectors: Floats) -> Floats:
        product: Floats = vectors @ self._matrices[name][0] + self._biases[name]
        return product

    def relu(self, values: Floats) -> Floats:
        return np.maximum(values, 0)

    def add(self, maps: Floats, others: Floats) -> Floats:
        return maps + others

    def add_to_channels(self, maps: Floats, vectors: Floats) -> Floats:
        return maps + vectors[:, None, None, :]

    def pooled(self, maps: Floats) -> Floats:
        mean = maps.mean(axis=(1, 2))
        scaled = mean * np.float32((maps.shape[1] - POOL_CENTER) / POOL_SCALE)
        return np.concatenate([mean, scaled, maps.max(axis=(1, 2))], axis=1)

    def flat(self, maps: Floats) -> Floats:
        return maps.transpose(0, 3, 1, 2).reshape(len(maps), -1)

    def join(self, vectors: Floats, others: Floats) -> Floats:
        return np.concatenate([vectors, others], axis=1)


def _matrix(weight: Floats) -> Floats:
    """A layer's weights as matrices to multiply with from the right, one for each row of its kernel."""
    kernel = weight if weight.ndim == 4 else weight[:, :, None, None]  # [outputs, inputs, rows, columns]
    outputs, inputs, rows, columns = kernel.shape
    return np.ascontiguousarray(kernel.transpose(2, 3, 1, 0)).reshape(rows, columns * inputs, outputs)


def _convolved(maps: Floats, matrices: Floats) -> Floats:
    """A 3x3 convolution: each cell beside its two neighbors in the row, then a product for each of three rows."""
    batch, size, _, channels = maps.shape
    rows = np.zeros((batch, size + 2, size, 3, channels), np.float32)
    rows[:, 1:-1, 1:, 0] = maps[:, :, :-1]
    rows[:, 1:-1, :, 1] = maps
    rows[:, 1:-1, :-1, 2] = maps[:, :, 1:]
    cells = rows.reshape(batch, (size + 2) * size, 3 * channels)
    above, here, below = (cells[:, row * size : (row + size) * size] @ matrices[row] for row in range(3))
    above += here
    above += below
    convolved: Floats = above.reshape(batch, size, size, -1)
    return convolved
