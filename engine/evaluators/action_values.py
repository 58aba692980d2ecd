"""Action values of Othello as a file, and what they say of a position, in plain numpy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError
from ..games.symmetry import SYMMETRIES, permutation
from ..kernels.dqn_games import draw_discs
from ..kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from ..nets.planes import NUM_VALUE_PLANES, VALUE_MOVES
from ..nets.tensors import load_tensors, refuse_other_format, save_tensors
from .pattern_tables import OBJECTIVES

FORMAT = "othello-dqn-1"
LAYERS = ("first", "second", "advantage", "value")

Weights = Mapping[str, NDArray[np.float32]]


class ActionValues:
    """What each move is worth to the side to move, the mean over the eight symmetries."""

    def __init__(self, weights: Weights, size: int) -> None:
        self._weights, self._size = weights, size
        self._permutations = np.array([permutation(size, symmetry) for symmetry in SYMMETRIES], np.int64)

    def of(self, state: NDArray[np.uint64]) -> NDArray[np.float32]:
        """The values of all points, -1..+1; those of points that are no moves mean nothing."""
        side, count = int(state[SIDE]), len(SYMMETRIES)
        discs = np.array([[state[BLACK_DISCS + side], state[WHITE_DISCS - side]]] * count, np.uint64)
        planes = np.empty((count, NUM_VALUE_PLANES, self._size**2), np.float32)
        draw_discs(discs, np.arange(count), self._permutations, planes)
        values: NDArray[np.float32] = self.forward(planes)[np.arange(count)[:, None], self._permutations].mean(axis=0)
        return values

    def forward(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """The values of all points of a batch, as the net that learned them computes them."""
        hidden = np.maximum(self._linear("first", planes.reshape(len(planes), -1)), 0)
        hidden = np.maximum(self._linear("second", hidden), 0)
        advantage, legal = self._linear("advantage", hidden), planes[:, VALUE_MOVES]
        mean = (advantage * legal).sum(1, keepdims=True) / np.maximum(legal.sum(1, keepdims=True), 1)
        values: NDArray[np.float32] = np.tanh(self._linear("value", hidden) + advantage - mean)
        return values

    def _linear(self, layer: str, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        # No matrix product: for so little the threads of one cost more than they bring, the more so beside other work.
        product: NDArray[np.float32] = np.einsum("bi,oi->bo", vectors, self._weights[f"{layer}.weight"])
        return product + self._weights[f"{layer}.bias"]


def save_values(path: Path, weights: Weights, size: int, objective: int) -> None:
    """Write a file of weights."""
    save_tensors(path, weights, _words(size, objective))


def load_values(path: Path, size: int, objective: int, sha256: str | None = None) -> ActionValues:
    """Read a file of weights; EngineError when it is missing, damaged, or for something else."""
    arrays, texts = load_tensors(path, sha256)
    refuse_other_format(path, texts, _words(size, objective))
    for layer in LAYERS:
        if f"{layer}.weight" not in arrays or f"{layer}.bias" not in arrays:
            raise EngineError(f"weights '{path}' have no layer '{layer}'")
    return ActionValues({name: array.astype(np.float32) for name, array in arrays.items()}, size)


def _words(size: int, objective: int) -> dict[str, str]:
    return {"format": FORMAT, "size": str(size), "objective": OBJECTIVES[objective]}
