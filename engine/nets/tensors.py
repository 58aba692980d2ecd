"""Files of named arrays with words about them: safetensors, which cannot run code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save_file

from ..errors import EngineError
from .files import read_weights

_HEAD = 8  # bytes that tell the length of the header


def save_tensors(path: Path, arrays: Mapping[str, NDArray[Any]], texts: Mapping[str, str]) -> None:
    """Write a file; OSError when the disk does not take it."""
    try:
        save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, path, dict(texts))
    except SafetensorError as error:  # its own words for a full disk
        raise OSError(0, str(error)) from None


def load_tensors(path: Path, sha256: str | None = None) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """The arrays of a file and the words about them; EngineError when it is missing, damaged or another one."""
    data = read_weights(path, sha256)
    try:
        arrays = load(data)
    except (SafetensorError, KeyError, ValueError):  # the last two: types and shapes that numpy has not
        raise EngineError(f"weights '{path}' are damaged or no safetensors") from None
    length = int.from_bytes(data[:_HEAD], "little")
    return arrays, json.loads(data[_HEAD : _HEAD + length]).get("__metadata__", {})


def refuse_other_format(path: Path, texts: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Raise EngineError unless the words about a file are the wanted ones."""
    for name, value in wanted.items():
        if texts.get(name) != value:
            raise EngineError(f"weights '{path}' have {name} '{texts.get(name)}', not '{value}'")
