"""The manifest of the shipped weights: which file serves which game, board and objective, and how it was made."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import EngineError

SUFFIXES = {  # the longer one first
    "patterns": ".patterns.safetensors",
    "safetensors": ".safetensors",
    "int8": ".int8.onnx",
    "onnx": ".onnx",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of weights."""

    path: Path
    sha256: str
    game: str
    sizes: tuple[int, ...]
    objective: str  # ordinary, misere or both
    config: str
    trained: str  # how
    strength: str  # as measured

    @property
    def kind(self) -> str:
        """A key of SUFFIXES."""
        return next(kind for kind, suffix in SUFFIXES.items() if self.path.name.endswith(suffix))

    def serves(self, game: str, size: int, objective: int) -> bool:
        """True when the weights were made for this game, +1 the ordinary one and -1 its misère."""
        wanted = "ordinary" if objective > 0 else "misere"
        return self.game == game and size in self.sizes and self.objective in (wanted, "both")


def read_manifest(path: Path) -> list[Entry]:
    """The entries in their order, the preferred ones first; EngineError when the manifest is missing or wrong."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EngineError(f"manifest '{path}' is missing") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EngineError(f"manifest '{path}' cannot be read: {error}") from None
    rows = table.get("weights", [])
    if not isinstance(rows, list):
        raise EngineError(f"manifest '{path}' has no list of weights")
    return [_entry(row, path, number) for number, row in enumerate(rows, start=1)]


def find_weights(entries: list[Entry], game: str, size: int, objective: int, kind: str) -> Entry:
    """The first file of this kind that serves; EngineError when there is none."""
    for entry in entries:
        if entry.kind == kind and entry.serves(game, size, objective):
            return entry
    misere = "" if objective > 0 else "misère "
    raise EngineError(f"there are no {kind} weights for {misere}{game} {size}x{size}")


def _entry(row: Mapping[str, object], path: Path, number: int) -> Entry:
    if not isinstance(row, dict):
        raise EngineError(f"manifest '{path}', weights {number}: not a table")
    texts = {key: _text(row, key, path, number) for key in ("file", "sha256", "game", "objective", "config")}
    sizes = row.get("sizes")
    if not isinstance(sizes, list) or not sizes or not all(type(size) is int for size in sizes):
        raise EngineError(f"manifest '{path}', weights {number}: 'sizes' is no list of numbers")
    name = texts.pop("file")
    if not name.endswith(tuple(SUFFIXES.values())):
        raise EngineError(f"manifest '{path}', weights {number}: '{name}' is neither safetensors nor onnx")
    words = {key: _text(row, key, path, number) for key in ("trained", "strength")}
    return Entry(path=path.parent / name, sizes=tuple(sizes), **texts, **words)


def _text(row: Mapping[str, object], key: str, path: Path, number: int) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise EngineError(f"manifest '{path}', weights {number}: '{key}' is missing or no text")
    return value
