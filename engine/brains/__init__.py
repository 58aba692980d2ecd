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
    "mcts": "mcts:MctsBrain",
    "minimax": "minimax:MinimaxBrain",
    "random": "random:RandomBrain",
    "rollout": "rollout:RolloutBrain",
}

# Players of the measuring panels, fixed policies that are no rivals of the brains above.
REFERENCES = (
    "argmin",
    "argmin-q",
    "beginner",
    "careful-loser",
    "greedy",
    "greedy-loser",
    "help",
    "mirror",
    "monte-carlo",
    "naive-loser",
    "never-five",
    "sign-flip",
    "strong",
    "textbook-loser",
)

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
    return [AUTO, *BRAINS, *REFERENCES]


def refuse_unknown(name: str) -> None:
    """Raise EngineError for a name that is no brain's; of the reference players it tells only that there are some."""
    if name not in brain_names():
        choices = ", ".join((AUTO, *BRAINS))
        raise EngineError(f"unknown brain '{name}': one of {choices}, or a reference player (list_brains)")


def resolve(name: str, game: str, objective: int) -> str:
    """The brain a name stands for."""
    return _BEST[game, objective] if name == AUTO else name


def make_brain(name: str, options: Options) -> Brain:
    """Make a brain; imports what it needs only now."""
    refuse_unknown(name)
    if name in REFERENCES:
        from .reference import ReferenceBrain

        return ReferenceBrain(name, options)
    module, kind = BRAINS[name].split(":")
    brain: Brain = getattr(import_module(f".{module}", __name__), kind)(options)
    return brain
