"""The players: each chooses a move within what a stopper allows."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import EngineError
from ..games import make_game
from ..games.game import Game
from ..memory import refuse_too_much, refused_when_out
from ..nets.manifest import SHIPPED, Best, kinds_named, read_best
from .sparing import SparingBrain

if TYPE_CHECKING:
    from ..options import Options
    from ..search.opened import Evaluators
    from .brain import Brain

# A new brain is one file here and one line in this table; its class takes the options, and the evaluators where it
# is one of those that ask them.
BRAINS = {
    "alphabeta": "alphabeta:AlphaBetaBrain",
    "dqn": "dqn:DqnBrain",
    "evolved": "evolved:EvolvedBrain",
    "mcts": "mcts:MctsBrain",
    "minimax": "minimax:MinimaxBrain",
    "random": "random:RandomBrain",
    "rollout": "rollout:RolloutBrain",
}
ASKING = {"mcts"}
HUNGRY = {"alphabeta", "mcts", "minimax", "rollout"}  # take as much memory as the option says

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

# One more of them, with weights of its own.
TRAINED_REFERENCES = {"exploiter": "exploiter:ExploiterBrain"}

AUTO = "auto"

# Ahead of `rollout` in both games and both modes; the manifest of the weights has where something else is better.
USUALLY_BEST = "alphabeta"
OF_NETS = "mcts"
OF_OTHERS = {"patterns": "alphabeta", "dqn": "dqn", "evolved": "evolved"}  # kinds of weights


def brain_names() -> list[str]:
    """Every name `set_brain` takes."""
    return [AUTO, *BRAINS, *sorted((*REFERENCES, *TRAINED_REFERENCES))]


def refuse_unknown(name: str) -> None:
    """Raise EngineError for a name that is no brain's; of the reference players it tells only that there are some."""
    if name not in brain_names():
        choices = ", ".join((AUTO, *BRAINS))
        raise EngineError(f"unknown brain '{name}': one of {choices}, or a reference player (list_brains)")


def resolve(name: str, game: Game, objective: int, device: str = AUTO, weights: str = AUTO) -> str:
    """The brain a name stands for: `auto` is the best measured one of this game, where nets run on this device.

    Unless weights are named that it does not take: then it is the one that they are for. What is named for the ordinary
    game says nothing of its misère.
    """
    if name != AUTO:
        return name
    found = best_measured(game, objective, device)
    best = USUALLY_BEST if found is None else found.brain
    if weights == AUTO or objective < 0:
        return best
    takers = {OF_OTHERS.get(kind, OF_NETS) for kind in kinds_named(weights, game.name)}
    return best if best in takers else min(takers)


def best_measured(game: Game, objective: int, device: str = AUTO, path: Path = SHIPPED) -> Best | None:
    """Where something is better than the usual best, and by which match; what names a device comes first."""
    if game != make_game(game.name, game.size, game.rule):
        return None
    found = [best for best in _measured(path) if best.holds(game.name, game.rule, game.size, objective, device)]
    return min(found, key=lambda best: best.device is None, default=None)


def make_brain(name: str, options: Options, evaluators: Evaluators | None = None) -> Brain:
    """Make a brain; imports what it needs only now. It opens its own evaluators unless it is given some to share."""
    refuse_unknown(name)
    _refuse_absent(options.device)
    if name in HUNGRY:
        refuse_too_much(options.memory)
    with refused_when_out():
        return SparingBrain(_made(name, options, evaluators))


def _refuse_absent(device: str) -> None:
    """Refuse a device that is not there, also for a brain that would not use it: `auto` may stand for one that does."""
    if device in ("auto", "cpu"):
        return
    try:
        from ..nets.runtime import choose_device
    except ModuleNotFoundError as error:
        raise EngineError(f"the device '{device}' needs {error.name}, which is not installed") from None
    choose_device(device)


def _made(name: str, options: Options, evaluators: Evaluators | None) -> Brain:
    if name in REFERENCES:
        from .reference import ReferenceBrain

        return ReferenceBrain(name, options)
    module, kind = (BRAINS | TRAINED_REFERENCES)[name].split(":")
    given = (options, evaluators) if name in ASKING else (options,)
    brain: Brain = getattr(import_module(f".{module}", __name__), kind)(*given)
    return brain


@cache
def _measured(path: Path) -> list[Best]:
    return read_best(path)
