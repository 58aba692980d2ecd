"""A run's net among the shipped weights: three files, and their entries in the manifest."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import numpy as np

from ..errors import EngineError
from ..nets.checkpoint import Checkpoint, load_checkpoint
from ..nets.description import Description
from ..nets.export import export
from ..nets.files import digest, read_weights
from ..nets.manifest import SHIPPED, read_manifest
from .files import write_bytes, write_whole
from .mix import read_mix
from .publish import quantized, write_weights
from .replay import Replay
from .run import read_log, read_settings


def ship(folder: Path, name: str, strength: str = "", weights: Path = SHIPPED.parent) -> list[Path]:
    """Write a run's present net as weights/NAME.*, and its entries into the manifest; returns the files."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise EngineError(f"unacceptable name '{name}': small letters, digits and hyphens")
    settings = read_settings(folder)
    mix = read_mix(settings.mix)
    checkpoint = load_checkpoint(folder / "net.safetensors", mix.name)
    replay = Replay(folder / "replay", mix.name)
    paths = _write(checkpoint, replay, weights / name, settings.seed)
    trained = f"extremum train --mix {settings.mix} --net {settings.net} --seed {settings.seed} --sims {settings.sims}"
    trained += f" --hours {settings.hours:g}: {replay.num_games} games, {replay.num_rows} positions"
    strength = strength or measured(folder)
    rows = [_row(path, checkpoint.description, mix.rules, trained, strength) for path in paths]
    _enter(weights / "manifest.toml", rows)
    return paths


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


def _row(path: Path, description: Description, rules: list[str], trained: str, strength: str) -> str:
    """A file's entry in the manifest."""
    values = {
        "file": path.name,
        "sha256": digest(read_weights(path)),
        "game": description.game,
        "rules": rules,
        "sizes": list(description.sizes),
        "objective": description.objective,
        "config": description.config,
        "trained": trained,
        "strength": strength,
    }
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
    whole = "[[weights]]\n".join([head, *blocks]).rstrip("\n") + "\n"
    write_whole(manifest, lambda partial: partial.write_text(whole, encoding="utf-8"))
