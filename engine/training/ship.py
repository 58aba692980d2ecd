"""What a run made among the shipped weights: its files, and their entries in the manifest."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import EngineError
from ..games import make_game
from ..nets.checkpoint import Checkpoint, load_checkpoint
from ..nets.export import export
from ..nets.files import digest, read_weights
from ..nets.manifest import SHIPPED, SUFFIXES, read_manifest
from .files import write_bytes, write_whole
from .mix import read_mix
from .publish import quantized, write_weights
from .replay import Replay
from .run import read_log, read_settings
from .small_run import read_kind

ENDINGS = {"dqn": "dqn", "evolve": "evolved", "exploit": "exploiter"}  # of what a method's run makes


def ship(folder: Path, name: str, strength: str = "", weights: Path = SHIPPED.parent) -> list[Path]:
    """Write what a run has come to as weights/NAME.*, and its entries into the manifest; returns the files."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise EngineError(f"unacceptable name '{name}': small letters, digits and hyphens")
    kind = read_kind(folder)
    strength = strength or measured(folder)
    return (
        _ship_net(folder, name, strength, weights)
        if kind["method"] == "net"
        else _ship_small(folder, name, strength, weights, kind)
    )


def _ship_net(folder: Path, name: str, strength: str, weights: Path) -> list[Path]:
    """The present net, in its three kinds of files."""
    settings = read_settings(folder)
    mix = read_mix(settings.mix)
    checkpoint = load_checkpoint(folder / "net.safetensors", mix.name)
    replay = Replay(folder / "replay", mix.name)
    paths = _write(checkpoint, replay, weights / name, settings.seed)
    trained = f"extremum train --mix {settings.mix} --net {settings.net} --seed {settings.seed} --sims {settings.sims}"
    trained += f" --hours {settings.hours:g}: {replay.num_games} games, {replay.num_rows} positions"
    description = checkpoint.description
    about: dict[str, object] = {
        "game": description.game,
        "rules": mix.rules,
        "sizes": list(description.sizes),
        "objective": description.objective,
    }
    about |= {"config": description.config, "trained": trained, "strength": strength}
    _enter(weights / "manifest.toml", [_row(path, about) for path in paths])
    return paths


def _ship_small(folder: Path, name: str, strength: str, weights: Path, kind: dict[str, Any]) -> list[Path]:
    """The one file of a small run."""
    suffix = SUFFIXES.get(ENDINGS.get(kind["method"], ""))
    found = sorted(folder.glob(f"*{suffix}")) if suffix else []
    if not found or suffix is None:
        raise EngineError(f"run directory '{folder}' has no weights to ship")
    games = max((line["games"] for line in read_log(folder) if "games" in line), default=0)
    said = " ".join(f"--{key} {kind[key]}" for key in ("genome", "game", "size", "depth", "seed") if key in kind)
    misere = " --misere" if kind.get("objective") == "misere" else ""
    path = weights / f"{name}{suffix}"
    write_bytes(path, found[0].read_bytes())
    about = {
        "game": kind["game"],
        "rules": [make_game(kind["game"]).rule],
        "sizes": [kind["size"]],
        "objective": kind.get("objective", "misere"),
    }
    about |= {"config": kind.get("genome", kind["method"]), "strength": strength}
    about |= {"trained": f"extremum train --method {kind['method']} {said}{misere}: {games:.0f} games"}
    _enter(weights / "manifest.toml", [_row(path, about)])
    return [path]


def measured(folder: Path) -> str:
    """The last match with each opponent, from the run's log."""
    last: dict[str, str] = {}
    for line in read_log(folder):
        if line.get("kind") == "match":
            points = f"{line['score']:.1%} ±{line['error']:.1%}"
            last[line["opponent"]] = f"{points} of {line['wins'] + line['draws'] + line['losses']} games"
    return "; ".join(f"{points} against {opponent}" for opponent, points in last.items()) or "not measured"


def _write(checkpoint: Checkpoint, replay: Replay, stem: Path, seed: int) -> list[Path]:
    rng = np.random.default_rng(seed)
    small, model = quantized(checkpoint, replay, rng), export(checkpoint).SerializeToString()
    paths: list[Path] = []
    for ending, data in ((".int8.onnx", small), (".onnx", model)):
        paths.append(stem.with_name(stem.name + ending))
        write_bytes(paths[-1], data)
    paths.append(stem.with_name(stem.name + ".safetensors"))
    write_weights(paths[-1], checkpoint)
    return paths


def _row(path: Path, about: Mapping[str, object]) -> str:
    """A file's entry in the manifest."""
    values: dict[str, object] = {"file": path.name, "sha256": digest(read_weights(path))}
    values |= {key: about[key] for key in ("game", "rules", "sizes", "objective", "config", "trained", "strength")}
    return "\n".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()) + "\n"


def _enter(manifest: Path, rows: list[str]) -> None:
    """Put rows where those of the same files stood, or at the end; all else stays as it was written."""
    if manifest.exists():
        read_manifest(manifest)
    text = manifest.read_text(encoding="utf-8") if manifest.exists() else ""
    head, *blocks = re.split(r"^\[\[weights\]\]\n", text, flags=re.MULTILINE)
    files = [tomllib.loads(block)["file"] for block in blocks]
    for row in rows:
        name = tomllib.loads(row)["file"]
        if name in files:
            blocks[files.index(name)] = row + "\n"
        else:
            blocks.append(row + "\n")
    whole = "[[weights]]\n".join(part.rstrip("\n") + "\n\n" for part in (head, *blocks)).strip("\n") + "\n"
    write_whole(manifest, lambda partial: partial.write_text(whole, encoding="utf-8"))
