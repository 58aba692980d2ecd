"""The evaluator that a client's options ask for, with the weights for the game at hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import EngineError
from ..games import make_game
from ..games.game import Game
from ..games.misere import Misere
from ..kernels.pairs import HAS_PAIRS
from ..nets.manifest import SHIPPED, SUFFIXES, Entry, read_manifest
from . import WEIGHTLESS, make_evaluator

if TYPE_CHECKING:
    from ..options import Options
    from .evaluator import Evaluator

AUTO = "auto"
_KINDS = {  # of files
    "short": ("safetensors",),
    "native": ("safetensors",),
    "onnx": ("onnx",),
    "int8": ("int8",),
    "torch": ("safetensors",),
    "numpy": ("safetensors",),
}
_ON_CPU, _ON_GPU = ("safetensors", "int8", "onnx"), ("safetensors",)  # the best first
QUICKEST = "short" if HAS_PAIRS else "native"  # on this processor
_RUNTIMES = {"onnx": "onnx", "int8": "onnx", "safetensors": QUICKEST}  # where no evaluator is named; torch on a GPU


@dataclass(frozen=True, slots=True)
class _Weights:
    path: Path
    sha256: str | None = None

    @property
    def kind(self) -> str:
        """The kind of file; EngineError when it is none of a net."""
        kind = next((kind for kind, suffix in SUFFIXES.items() if self.path.name.endswith(suffix)), None)
        if kind not in _RUNTIMES:
            raise EngineError(f"weights '{self.path}' are no net: neither safetensors nor onnx")
        return kind


@dataclass(frozen=True, slots=True)
class Wish:
    """Everything that tells one evaluator from another."""

    name: str
    path: Path | None
    game: str
    sha256: str | None
    device: str


def wish_of(options: Options, game: Game, manifest: Path = SHIPPED) -> Wish:
    """What the options ask for; EngineError, in a line, when there are no weights."""
    if options.evaluator in WEIGHTLESS:
        path = None if options.weights == AUTO else Path(options.weights)
        return Wish(options.evaluator, path, game.name, None, options.device)
    weights = _find(options, game, manifest)
    name = _runtime(options, weights)
    return Wish(name, weights.path, game.name, weights.sha256, options.device)


def fulfil(wish: Wish) -> Evaluator:
    """Make the evaluator; EngineError, in a line, when the weights do not fit."""
    return make_evaluator(wish.name, wish.path, wish.game, wish.sha256, wish.device)


def open_evaluator(options: Options, game: Game, manifest: Path = SHIPPED) -> Evaluator:
    """Make what the options ask for; EngineError, in a line, when the weights are missing or do not fit."""
    return fulfil(wish_of(options, game, manifest))


def find_file(weights: str, game: Game, kind: str, manifest: Path = SHIPPED) -> tuple[Path, str | None]:
    """The file of a kind that is named, or the first one shipped that serves, and its hash where that is known."""
    shipped = [entry for entry in read_manifest(manifest) if entry.kind == kind]
    serving = [entry for entry in shipped if entry.serves(game.name, game.size, game.objective)]
    if weights == AUTO and not serving:
        raise EngineError(f"there are no {kind} weights for {_name(game)}: set the option weights to a file")
    named = serving if weights == AUTO else [one for one in shipped if weights in (one.path.name, one.stem)]
    chosen = next((entry for entry in named if entry in serving), named[0] if named else None)
    return (chosen.path, chosen.sha256) if chosen else (Path(weights), None)


def _find(options: Options, game: Game, manifest: Path) -> _Weights:
    """The weights that are named, or the first of those shipped that serve."""
    shipped = read_manifest(manifest) if manifest.exists() else []
    if options.weights != AUTO:
        named = [entry for entry in shipped if options.weights in (entry.path.name, entry.stem)]
        chosen = _serving(options, game, named) or _taken(options, named) or named
        return _Weights(chosen[0].path, chosen[0].sha256) if chosen else _file(options.weights, game, shipped)
    serving = _serving(options, game, shipped)
    if not serving:
        raise EngineError(
            f"there are no weights for {_name(game)}: set the option weights to a file, or evaluator to patterns"
        )
    return _Weights(serving[0].path, serving[0].sha256)


def _file(weights: str, game: Game, shipped: list[Entry]) -> _Weights:
    """A file that is not shipped; EngineError for a mere word, which was meant as a name."""
    path = Path(weights)
    if path.suffix == "" and path.name == weights and not path.exists():
        nets = {one.stem: None for one in shipped if one.kind in _RUNTIMES and one.game == game.name}
        raise EngineError(f"unknown weights '{weights}': a file, or one of {', '.join(nets)}")
    if not path.exists():  # before a word about its name
        raise EngineError(f"weights '{path}' are missing")
    return _Weights(path)


def _serving(options: Options, game: Game, entries: list[Entry]) -> list[Entry]:
    """Those for this game and its rule, of a kind that the evaluator and the device take, the best first."""
    if not _has_usual_row(game):
        return []
    return _taken(options, [one for one in entries if one.serves(game.name, game.size, game.objective, game.rule)])


def _taken(options: Options, entries: list[Entry]) -> list[Entry]:
    kinds = _KINDS.get(options.evaluator) or (_ON_CPU if _is_on_cpu(options) else _ON_GPU)
    return [entry for kind in kinds for entry in entries if entry.kind == kind]


def _is_on_cpu(options: Options) -> bool:
    return options.device in (AUTO, "cpu")


def _runtime(options: Options, weights: _Weights) -> str:
    """The evaluator for a file; EngineError when it is of another kind than the named one takes."""
    if options.evaluator == AUTO:
        runtime = _RUNTIMES[weights.kind]
        return runtime if _is_on_cpu(options) or runtime == "onnx" else "torch"
    if weights.kind not in _KINDS[options.evaluator]:
        wanted = _KINDS[options.evaluator][0]
        raise EngineError(f"the {options.evaluator} evaluator takes {wanted}, not '{weights.path.name}'")
    return "onnx" if options.evaluator == "int8" else options.evaluator


def _has_usual_row(game: Game) -> bool:
    """True when a row is as long as nets are trained for."""
    return _ordinary(game) == make_game(game.name, game.size, game.rule)


def _ordinary(game: Game) -> Game:
    return game.ordinary if isinstance(game, Misere) else game


def _name(game: Game) -> str:
    """The game in words, with what is unusual about it."""
    words = [
        *(["misère"] if game.objective < 0 else []),
        game.name,
        *([game.rule] if game.rule != make_game(game.name).rule else []),
        f"{game.size}x{game.size}",
        *([] if _has_usual_row(game) else ["with another number in a row"]),
    ]
    return " ".join(words)
