"""The manifest of the shipped weights: which file serves which game, rule, board and objective, and how it was made."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..errors import EngineError
from ..games import make_game

SHIPPED = Path(__file__).resolve().parents[2] / "weights" / "manifest.toml"
SUFFIXES = {  # the longer one first
    "patterns": ".patterns.safetensors",
    "dqn": ".dqn.safetensors",
    "evolved": ".evolved.safetensors",
    "exploiter": ".exploiter.safetensors",
    "safetensors": ".safetensors",
    "int8": ".int8.onnx",
    "onnx": ".onnx",
}

DEVICES = ("cpu", "cuda", "mps")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of weights."""

    path: Path
    sha256: str
    game: str
    rules: tuple[str, ...]  # of the game that it was trained for; where none are named, the usual one
    sizes: tuple[int, ...]
    objective: str  # ordinary, misere or both
    config: str
    trained: str  # how
    strength: str  # as measured

    @property
    def kind(self) -> str:
        """A key of SUFFIXES."""
        return _kind(self.path.name)

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return self.path.name.removesuffix(SUFFIXES[self.kind])

    def serves(self, game: str, size: int, objective: int, rule: str | None = None) -> bool:
        """True when the weights were made for this game, +1 the ordinary one and -1 its misère; None the usual rule."""
        is_game = self.game == game and (rule or make_game(game).rule) in self.rules
        return is_game and size in self.sizes and self.objective in (_named(objective), "both")


@dataclass(frozen=True, slots=True)
class Best:
    """The brain that came out ahead somewhere."""

    game: str
    rule: str
    sizes: tuple[int, ...]
    objective: str
    brain: str
    measured: str  # by which match
    device: str | None = None  # of nets, where that makes a difference

    def holds(self, game: str, rule: str, size: int, objective: int, device: str = "auto") -> bool:
        """True where that was measured; `auto` is the cpu."""
        is_device = self.device in (None, "cpu" if device == "auto" else device)
        is_game = (self.game, self.rule, self.objective) == (game, rule, _named(objective)) and size in self.sizes
        return is_game and is_device


def read_manifest(path: Path) -> list[Entry]:
    """The entries in their order, the preferred ones first; EngineError when the manifest is missing or wrong."""
    return list(_entries(path, _changed(path)))


def read_best(path: Path) -> list[Best]:
    """Where which brain is the best measured one; EngineError when the manifest is missing or wrong."""
    return list(_bests(path, _changed(path)))


def find_weights(entries: list[Entry], game: str, size: int, objective: int, kind: str) -> Entry:
    """The first file of this kind that serves; EngineError when there is none."""
    for entry in entries:
        if entry.kind == kind and entry.serves(game, size, objective):
            return entry
    misere = "" if objective > 0 else "misère "
    raise EngineError(f"there are no {kind} weights for {misere}{game} {size}x{size}")


def kinds_named(weights: str, game: str, path: Path = SHIPPED) -> set[str]:
    """The kinds of files that a name may mean in a game: those shipped, else what a file's suffix says."""
    shipped = {one.kind for one in read_manifest(path) if one.game == game and weights in (one.path.name, one.stem)}
    return shipped or {_kind(weights)}


def _kind(name: str) -> str:
    """The kind of a file; one without a suffix can only be a net."""
    return next((kind for kind, suffix in SUFFIXES.items() if name.endswith(suffix)), "safetensors")


def _named(objective: int) -> str:
    return "ordinary" if objective > 0 else "misere"


# To read the manifest takes longer than a short move, so it is read once for each time it was written.


@lru_cache(maxsize=8)
def _entries(path: Path, changed: int) -> tuple[Entry, ...]:
    return tuple(_entry(row, path, number) for number, row in enumerate(_rows(path, changed, "weights"), start=1))


@lru_cache(maxsize=8)
def _bests(path: Path, changed: int) -> tuple[Best, ...]:
    return tuple(_best(row, path, number) for number, row in enumerate(_rows(path, changed, "best"), start=1))


def _changed(path: Path) -> int:
    """When the manifest was written."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        raise EngineError(f"manifest '{path}' is missing") from None
    except OSError as error:
        raise EngineError(f"manifest '{path}' cannot be read: {error}") from None


def _rows(path: Path, changed: int, name: str) -> list[object]:
    try:
        rows = _parsed(path, changed).get(name, [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EngineError(f"manifest '{path}' cannot be read: {error}") from None
    if not isinstance(rows, list):
        raise EngineError(f"manifest '{path}' has no list of {name}")
    return rows


@lru_cache(maxsize=8)
def _parsed(path: Path, changed: int) -> Mapping[str, object]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _best(row: object, path: Path, number: int) -> Best:
    where = f"manifest '{path}', best {number}"
    table = _table(row, where)
    keys = ("game", "rule", "objective", "brain", "measured")
    sizes, texts = _sizes(table, where), {key: _text(table, key, where) for key in keys}
    return Best(sizes=sizes, device=_device(table, where), **texts)


def _entry(row: object, path: Path, number: int) -> Entry:
    where = f"manifest '{path}', weights {number}"
    table = _table(row, where)
    name = _text(table, "file", where)
    if not name.endswith(tuple(SUFFIXES.values())):
        raise EngineError(f"{where}: '{name}' is neither safetensors nor onnx")
    keys = ("sha256", "game", "objective", "config", "trained", "strength")
    texts = {key: _text(table, key, where) for key in keys}
    return Entry(
        path=path.parent / name, sizes=_sizes(table, where), rules=_rules(table, texts["game"], where), **texts
    )


def _table(row: object, where: str) -> Mapping[str, object]:
    if not isinstance(row, dict):
        raise EngineError(f"{where}: not a table")
    return row


def _sizes(row: Mapping[str, object], where: str) -> tuple[int, ...]:
    sizes = row.get("sizes")
    if not isinstance(sizes, list) or not sizes or not all(type(size) is int for size in sizes):
        raise EngineError(f"{where}: 'sizes' is no list of numbers")
    return tuple(sizes)


def _device(row: Mapping[str, object], where: str) -> str | None:
    if "device" not in row:
        return None
    device = _text(row, "device", where)
    if device not in DEVICES:
        raise EngineError(f"{where}: unknown device '{device}': one of {', '.join(DEVICES)}")
    return device


def _rules(row: Mapping[str, object], game: str, where: str) -> tuple[str, ...]:
    """The rules, each of which the game must know."""
    rules = row.get("rules", [])
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise EngineError(f"{where}: 'rules' is no list of names")
    try:
        return tuple(make_game(game, None, rule).rule for rule in rules or [None])
    except EngineError as refusal:
        raise EngineError(f"{where}: {refusal}") from None


def _text(row: Mapping[str, object], key: str, where: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise EngineError(f"{where}: '{key}' is missing or no text")
    return value
