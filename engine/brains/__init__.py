"""The players: each chooses a move within what a stopper allows."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..errors import EngineError

if TYPE_CHECKING:
    from ..options import Options
    from .brain import Brain

# A new brain is one file here and one line in this table; its class takes the options.
BRAINS = {
    "alphabeta": "alphabeta:AlphaBetaBrain",
    "minimax": "minimax:MinimaxBrain",
    "random": "random:RandomBrain",
    "rollout": "rollout:RolloutBrain",
}

AUTO = "auto"

# The best measured brain by game and objective.
_BEST = {
    ("gomoku", 1): "alphabeta",
    ("gomoku", -1): "alphabeta",
    ("othello", 1): "alphabeta",
    ("othello", -1): "alphabeta",
}


def brain_names() -> list[str]:
    """Every name `set_brain` takes."""
    return [AUTO, *BRAINS]


def resolve(name: str, game: str, objective: int) -> str:
    """The brain a name stands for."""
    return _BEST[game, objective] if name == AUTO else name


def make_brain(name: str, options: Options) -> Brain:
    """Make a brain; imports what it needs only now."""
    if name not in BRAINS:
        raise EngineError(f"unknown brain '{name}': one of {', '.join(brain_names())}")
    module, kind = BRAINS[name].split(":")
    brain: Brain = getattr(import_module(f".{module}", __name__), kind)(options)
    return brain
