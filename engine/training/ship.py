"""What a run made among the shipped weights: its files, its curves, and their entries in the manifest."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import EngineError
from ..evaluators.onnx import OnnxEvaluator
from ..games import make_game
from ..nets.checkpoint import Checkpoint, load_checkpoint
from ..nets.export import export
from ..nets.files import digest, read_weights
from ..nets.manifest import SHIPPED, SUFFIXES, read_manifest
from .agreement import NEAR, value_error
from .files import write_in_turn
from .history import command_of, measured
from .mix import Mix, read_mix
from .plot import picture
from .publish import quantized
from .replay import Replay
from .request import ignore
from .run import read_log, read_settings
from .small_run import read_kind

# What a method's run makes, by a key of the manifest's suffixes.
ENDINGS = {"dqn": "dqn", "evolve": "evolved", "exploit": "exploiter", "patterns": "patterns"}

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is to be shipped, files by the ends of their names."""

    files: dict[str, bytes]
    about: dict[str, object]  # the same for all of them
    ending: str = ""  # of the picture's name, before .png
    dropped: list[str] = field(default_factory=list)  # the ends of names of files that are no longer good


def ship(
    folder: Path, name: str, strength: str = "", weights: Path = SHIPPED.parent, report: Report = ignore
) -> list[Path]:
    """Write what a run has come to as weights/NAME.*, and its entries into the manifest; returns the files.

    EngineError, and nothing changed, when the disk does not take all of it. No listed file ever has another hash than
    its entry says: while files are replaced, they are not listed.
    """
    kind = read_kind(folder)
    if kind["method"] == "misere":
        from .ship_misere import ship_table

        return [ship_table(folder, name, kind, report)]
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise EngineError(f"unacceptable name '{name}': small letters, digits and hyphens")
    parcel = _net(folder, kind, report) if kind["method"] == "net" else _small(folder, kind)
    parcel.about["strength"] = strength or measured(folder)
    replaced = [f"{name}{end}" for end in (*parcel.files, *parcel.dropped) if (weights / f"{name}{end}").exists()]
    if replaced:
        report(f"in the place of what was there: {', '.join(replaced)}")
    return _send(parcel, name, weights, picture(folder))


def _net(folder: Path, kind: dict[str, Any], report: Report) -> Parcel:
    """The present net, in its kinds of files."""
    settings = read_settings(folder)
    mix = read_mix(settings.mix)
    path = folder / "net.safetensors"
    checkpoint = load_checkpoint(path, mix.name)
    replay = Replay(folder / "replay", mix.name)
    exact = export(checkpoint).SerializeToString()
    small = _in_eight_bits(checkpoint, exact, replay, mix, report) if replay.num_rows else None
    files = {SUFFIXES["int8"]: small} if small is not None else {}
    files |= {SUFFIXES["onnx"]: exact, SUFFIXES["safetensors"]: read_weights(path)}
    description = checkpoint.description
    trained = f"{command_of(folder, kind)}: {replay.num_games} games, {replay.num_rows} positions"
    about = _about(description.game, mix.rules, list(description.sizes), description.objective)
    about |= {"config": description.config, "trained": trained}
    return Parcel(files, about, dropped=[SUFFIXES["int8"]] if small is None else [])


def _in_eight_bits(checkpoint: Checkpoint, exact: bytes, replay: Replay, mix: Mix, report: Report) -> bytes | None:
    """The net in eight bits, or None when that says something else."""
    model = quantized(checkpoint, replay, np.random.default_rng(1))
    small, whole = (OnnxEvaluator(data, "the net", mix.name) for data in (model, exact))
    error = max(value_error(small, whole, game) for game, _ in mix.shares)
    if error < NEAR:
        return model
    report(f"no file in eight bits: values differ by {error:.3f} on average, {NEAR} is allowed")
    return None


def _small(folder: Path, kind: dict[str, Any]) -> Parcel:
    """The one file of a small run."""
    suffix = SUFFIXES.get(ENDINGS.get(kind["method"], ""))
    found = sorted(folder.glob(f"*{suffix}")) if suffix else []
    if not found or suffix is None:
        raise EngineError(f"run directory '{folder}' has no weights to ship")
    games = max((line["games"] for line in read_log(folder) if "games" in line), default=0)
    rules, objective = [make_game(kind["game"]).rule], kind.get("objective", "misere")
    about = _about(kind["game"], rules, [kind["size"]], objective)
    about |= {"config": kind.get("genome", kind["method"])}
    about |= {"trained": f"{command_of(folder, kind)}: {games:.0f} games"}
    return Parcel({suffix: read_weights(found[0])}, about, suffix.removesuffix(".safetensors"))


def _about(game: str, rules: list[str], sizes: list[int], objective: str) -> dict[str, object]:
    return {"game": game, "rules": rules, "sizes": sizes, "objective": objective}


def _send(parcel: Parcel, name: str, weights: Path, curves: bytes | None) -> list[Path]:
    """Replace files and manifest so that a kill in between leaves files unlisted, never with a wrong hash."""
    manifest = weights / "manifest.toml"
    rows = {f"{name}{end}": _row(f"{name}{end}", data, parcel.about) for end, data in parcel.files.items()}
    dropped = [f"{name}{end}" for end in parcel.dropped]
    before, between, after = _manifests(manifest, rows, dropped)
    files = [(weights / f"{name}{end}", data) for end, data in parcel.files.items()]
    files += [(weights / f"{name}{parcel.ending}.png", curves)] if curves is not None else []
    first = [(manifest, between.encode())] if between != before else []
    write_in_turn([*first, *files, (manifest, after.encode())])
    for stale in dropped:
        (weights / stale).unlink(missing_ok=True)
    return [path for path, _ in files]


def _row(file: str, data: bytes, about: dict[str, object]) -> str:
    """A file's entry in the manifest."""
    values: dict[str, object] = {"file": file, "sha256": digest(data)}
    values |= {key: about[key] for key in ("game", "rules", "sizes", "objective", "config", "trained", "strength")}
    return "\n".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()) + "\n"


def _manifests(manifest: Path, rows: dict[str, str], dropped: list[str]) -> tuple[str, str, str]:
    """The manifest as it is, without these files, and with their rows where theirs stood, or at the end.

    All else stays as it was written.
    """
    if manifest.exists():
        read_manifest(manifest)
    text = manifest.read_text(encoding="utf-8") if manifest.exists() else ""
    head, *blocks = re.split(r"^\[\[weights\]\]\n", text, flags=re.MULTILINE)
    listed = {tomllib.loads(block)["file"]: block for block in blocks}
    others = {file: block for file, block in listed.items() if file not in (*rows, *dropped)}
    entered = {file: block for file, block in (listed | rows).items() if file not in dropped}
    return text, _text(head, others) if len(others) < len(listed) else text, _text(head, entered)


def _text(head: str, blocks: dict[str, str]) -> str:
    return "[[weights]]\n".join(part.rstrip("\n") + "\n\n" for part in (head, *blocks.values())).strip("\n") + "\n"
