"""What says how good positions are: a batch of states in, priors and values out."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import EngineError

if TYPE_CHECKING:
    from .evaluator import Evaluator

# A new evaluator is one file here and one line in this table; its class has a `load` like the others.
EVALUATORS = {
    "native": "native:NativeEvaluator",
    "numpy": "numpy:NumpyEvaluator",
    "onnx": "onnx:OnnxEvaluator",
    "patterns": "weightless:PatternsEvaluator",
    "rollout": "weightless:RolloutEvaluator",
    "short": "native:ShortEvaluator",
    "torch": "torch:TorchEvaluator",
}
WEIGHTLESS = ("patterns", "rollout")


def make_evaluator(
    name: str, path: Path | None, game: str, sha256: str | None = None, device: str = "auto", threads: int = 1
) -> Evaluator:
    """Load weights, None where none are needed, into an evaluator; imports what it needs only now.

    EngineError when something does not fit.
    """
    if name not in EVALUATORS:
        raise EngineError(f"unknown evaluator '{name}': one of {', '.join(EVALUATORS)}")
    if path is None and name not in WEIGHTLESS:
        raise EngineError(f"the {name} evaluator needs weights")
    module, kind = EVALUATORS[name].split(":")
    try:
        evaluator: Evaluator = getattr(import_module(f".{module}", __name__), kind).load(
            path, game, sha256=sha256, device=device, threads=threads
        )
    except ModuleNotFoundError as error:
        raise EngineError(f"the {name} evaluator needs {error.name}, which is not installed") from None
    return evaluator
