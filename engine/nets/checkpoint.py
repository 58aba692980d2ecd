"""Weights on disk: safetensors with a description, so that a file of weights cannot run code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load

from ..errors import EngineError
from .description import Description, read_description
from .files import read_weights
from .tensors import save_tensors

HEAD = 8  # bytes that tell the length of the header


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A net's description and its weights, named by layer."""

    description: Description
    weights: Mapping[str, npt.NDArray[np.float32]]


def save_checkpoint(checkpoint: Checkpoint, path: Path) -> None:
    """Write a file of weights; OSError, and what stood there stays, when the disk does not take it."""
    partial = path.with_name(path.name + ".partial")
    try:
        save_tensors(partial, checkpoint.weights, checkpoint.description.texts())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def load_checkpoint(path: Path, game: str | None = None, sha256: str | None = None) -> Checkpoint:
    """Read a file of weights; EngineError when it is missing, damaged, of another game or not the expected one."""
    data = read_weights(path, sha256)
    try:
        weights = load(data)
    except (SafetensorError, KeyError, ValueError):  # the last two: types and shapes that numpy has not
        raise EngineError(f"weights '{path}' are damaged or no safetensors") from None
    length = int.from_bytes(data[:HEAD], "little")
    header = json.loads(data[HEAD : HEAD + length])
    description = read_description(header.get("__metadata__", {}), str(path), game)
    return Checkpoint(description, {name: weight.astype(np.float32) for name, weight in weights.items()})
