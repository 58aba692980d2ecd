"""What a brain is made of, in words for a game record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import EngineError
from ..games.game import Game

if TYPE_CHECKING:
    from ..options import Options

NONE, KERNELS = "none", "kernels"
LEARNED = ("dqn", "evolved")  # brains whose files are of a kind of the same name


@dataclass(frozen=True, slots=True)
class Description:
    """What computes, and by which file; `none` where there is none."""

    runtime: str
    weights: str


def describe(brain: str, options: Options, game: Game) -> Description:
    """The parts of a brain for a game, of which the misère is one; weights that cannot be had are told as refused."""
    try:
        return _described(brain, options, game)
    except EngineError as refusal:
        return Description(NONE, f"{NONE}, {refusal}")


def _described(brain: str, options: Options, game: Game) -> Description:
    if brain == "mcts":
        return _described_net(options, game)
    has_tables = brain == "alphabeta" and options.evaluation == "patterns" and (game.name, game.size) == ("othello", 8)
    if brain not in LEARNED and not has_tables:
        return Description(KERNELS, NONE)
    from ..evaluators.wishes import find_file  # kernels, which are not loaded to say that there are no weights

    return Description(KERNELS, find_file(options.weights, game, brain if brain in LEARNED else "patterns")[0].name)


def _described_net(options: Options, game: Game) -> Description:
    from ..evaluators.wishes import wish_of  # kernels

    wish = wish_of(options, game)
    device = wish.device if wish.name == "torch" else "cpu"
    return Description(f"{wish.name}, device {device}", NONE if wish.path is None else wish.path.name)
