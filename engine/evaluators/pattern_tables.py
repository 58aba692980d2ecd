"""Othello's learned tables as a file: safetensors with the folded weights and the errors that cuts go by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError
from safetensors.numpy import load

from ..errors import EngineError
from ..kernels.othello_midgame import MOST_DEPTH
from ..kernels.othello_patterns import FOLDED, NUM_COLUMNS, NUM_STAGES, OWN_MOVES, SHAPES, STARTS
from ..nets.files import read_weights
from ..nets.manifest import SHIPPED, find_weights, read_manifest
from ..nets.tensors import save_tensors

FORMAT = "othello-patterns-1"
OBJECTIVES = {1: "ordinary", -1: "misere"}

_HEAD = 8  # bytes that tell the length of the header
_KEPT = np.unique(FOLDED)  # the columns that stand for others
_NAMES = [name for name, _ in SHAPES]
_FIRST_NAMES = _NAMES[:11]  # the shapes of files that do not name theirs


@dataclass(frozen=True, slots=True)
class PatternTables:
    """What the search with learned tables takes."""

    weights: npt.NDArray[np.int16]  # [NUM_STAGES, NUM_COLUMNS], hundredths of a disc
    errors: npt.NDArray[np.int64]  # [NUM_STAGES, MOST_DEPTH], standard deviations of shallow searches, likewise
    objective: int  # +1 the ordinary game, -1 its misère


@cache
def shipped_tables(objective: int) -> PatternTables:
    """The tables that come with the engine, read once; EngineError when they are missing or not the ones listed."""
    entry = find_weights(read_manifest(SHIPPED), "othello", 8, objective, "patterns")
    return load_tables(entry.path, objective, entry.sha256)


def save_tables(tables: PatternTables, path: Path, notes: Mapping[str, str] | None = None) -> None:
    """Write a file of tables, half as large as they are; OSError when the disk does not take it."""
    words = {"format": FORMAT, "objective": OBJECTIVES[tables.objective], "shapes": _joined(_NAMES), **(notes or {})}
    kept = tables.weights[:, _KEPT]  # mirror images share a weight
    save_tensors(path, {"weights": kept, "errors": tables.errors.astype(np.int32)}, words)


def load_tables(path: Path, objective: int, sha256: str | None = None) -> PatternTables:
    """Read a file of tables; EngineError when it is missing, damaged, of another kind or of the other objective."""
    data = read_weights(path, sha256)
    try:
        tensors = load(data)
    except (SafetensorError, KeyError, ValueError):  # the last two: types and shapes that numpy has not
        raise EngineError(f"weights '{path}' are damaged or no safetensors") from None
    length = int.from_bytes(data[:_HEAD], "little")
    words = json.loads(data[_HEAD : _HEAD + length]).get("__metadata__", {})
    if words.get("format") != FORMAT:
        raise EngineError(f"weights '{path}' are no {FORMAT}")
    if words.get("objective") != OBJECTIVES[objective]:
        raise EngineError(
            f"weights '{path}' are for the {words.get('objective')} game, not the {OBJECTIVES[objective]}"
        )
    columns = _columns_of(words.get("shapes", _joined(_FIRST_NAMES)), path)
    kept = _tensor(tensors, "weights", np.dtype(np.int16), (NUM_STAGES, len(columns)), path)
    errors = _tensor(tensors, "errors", np.dtype(np.int32), (NUM_STAGES, MOST_DEPTH), path)
    weights = np.zeros((NUM_STAGES, NUM_COLUMNS), np.int16)
    weights[:, columns] = kept
    return PatternTables(np.ascontiguousarray(weights[:, FOLDED]), errors.astype(np.int64), objective)


def _joined(names: Sequence[str]) -> str:
    return ", ".join(names)


def _columns_of(shapes: str, path: Path) -> npt.NDArray[np.int64]:
    """The columns that a file of these shapes keeps, in its order; other shapes weigh nothing then."""
    kept, parts = _KEPT, []
    for name in shapes.split(", "):
        if name not in _NAMES:
            raise EngineError(f"weights '{path}' are of a shape that is unknown, '{name}': a newer version's")
        begin, end = STARTS[_NAMES.index(name)], STARTS[_NAMES.index(name) + 1]
        parts.append(kept[(kept >= begin) & (kept < end)])
    return np.concatenate([*parts, kept[kept >= OWN_MOVES]])


def _tensor(
    tensors: Mapping[str, npt.NDArray[np.generic]],
    name: str,
    kind: np.dtype[np.generic],
    shape: tuple[int, ...],
    path: Path,
) -> npt.NDArray[np.generic]:
    tensor = tensors.get(name)
    if tensor is None or tensor.dtype != kind or tensor.shape != shape:
        raise EngineError(f"weights '{path}' lack '{name}' of {kind} and shape {shape}")
    return tensor
