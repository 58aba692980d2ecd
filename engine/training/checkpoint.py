"""All that is needed to go on with a run, in one file that is written whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch  # noqa: TID253, learning is torch's
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor  # noqa: TID253, learning is torch's

from ..errors import EngineError
from .files import write_whole
from .learner import Learner

VERSION = 1


@dataclass(slots=True)
class Counters:
    """How far a run has come."""

    seconds: float = 0.0
    cycles: int = 0
    shard: int = 0  # the last one that counts below
    owed: float = 0.0  # rows still to be learned from
    kept: int = 0  # nets that were kept
    matches: int = 0  # rounds of matches with fixed opponents
    rollouts: int = 1000  # visits of the opponent that plays by rollouts


def save_training(path: Path, learner: Learner, counters: Counters, rng: np.random.Generator) -> None:
    """Write a checkpoint; EngineError, and the last one stays, when the disk does not take it."""
    tensors = {f"net/{name}": weight for name, weight in learner.net.state_dict().items()}
    tensors |= {f"average/{name}": weight for name, weight in learner.average.state_dict().items()}
    tensors |= {f"optimizer/{name}": value for name, value in _moments(learner)}
    texts = {
        "version": str(VERSION),
        "counters": json.dumps(asdict(counters)),
        "learner": json.dumps({"steps": learner.steps, "factor": learner.factor}),
        "rng": json.dumps(rng.bit_generator.state),
    }
    kept = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    write_whole(path, _writer(kept, texts | learner.description.texts()))


def load_training(path: Path, learner: Learner, rng: np.random.Generator) -> Counters:
    """Bring learner and generator to where a checkpoint left them; EngineError when it does not fit."""
    texts, tensors = _read(path)
    if texts.get("version", "") != str(VERSION):
        raise EngineError(f"checkpoint '{path}' has version {texts.get('version')}, this is {VERSION}")
    for name, text in learner.description.texts().items():
        if texts.get(name) != text:
            raise EngineError(f"checkpoint '{path}' has {name} '{texts.get(name)}', not '{text}'")
    try:
        learner.net.load_state_dict(_under("net/", tensors))
        learner.average.load_state_dict(_under("average/", tensors))
        _set_moments(learner, _under("optimizer/", tensors))
        state = json.loads(texts["learner"])
        learner.steps, learner.factor = state["steps"], state["factor"]
        rng.bit_generator.state = json.loads(texts["rng"])
        return Counters(**json.loads(texts["counters"]))
    except (KeyError, RuntimeError, TypeError, ValueError):
        raise EngineError(f"checkpoint '{path}' is damaged") from None


def _writer(tensors: dict[str, Tensor], texts: dict[str, str]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        try:
            save_file(tensors, path, metadata=texts)
        except SafetensorError as error:  # its own words for a full disk
            raise OSError(0, str(error)) from None

    return write


def _read(path: Path) -> tuple[dict[str, str], dict[str, Tensor]]:
    try:
        with safe_open(path, "pt") as file:
            return file.metadata() or {}, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, no dict
    except SafetensorError:
        raise EngineError(f"checkpoint '{path}' is damaged") from None
    except OSError as error:
        raise EngineError(f"checkpoint '{path}' cannot be read: {error.strerror or error}") from None


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _moments(learner: Learner) -> list[tuple[str, Tensor]]:
    state = learner.optimizer.state
    names: dict[Tensor, str] = {weight: name for name, weight in learner.net.named_parameters()}
    return [(f"{names[weight]}/{key}", value) for weight, values in state.items() for key, value in values.items()]


def _set_moments(learner: Learner, moments: dict[str, Tensor]) -> None:
    weights = dict(learner.net.named_parameters())
    for path, value in moments.items():
        name, key = path.rsplit("/", 1)
        weight = weights[name]
        value = value if key == "step" else torch.empty_like(weight).copy_(value)
        learner.optimizer.state[weight][key] = value
