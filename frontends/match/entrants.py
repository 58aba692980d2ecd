"""Who plays on a ladder: levels, brains and reference players, each allowed about the same effort."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...engine.brains import BRAINS
from ...engine.brains.level import STRONGEST, VISITS, has_dial, limits_at
from ...engine.games.game import Game
from ...engine.search.stopper import Limits
from . import own
from .engines import OWN, Engine, read_engines

ZERO = "random"  # whose rating is zero
UNIT = "mcts"  # whose visits are counted
# Fixed policies that want to win, and such that want to lose, by game; the brains come from their table.
WINNERS = {"gomoku": ("beginner", "strong"), "othello": ("greedy", "strong depth=2")}
LOSERS = {
    "gomoku": ("naive-loser", "careful-loser", "argmin", "mirror"),
    "othello": ("greedy-loser", "textbook-loser depth=2", "textbook-loser depth=4", "sign-flip depth=2"),
}


def winning(game: Game, visits: int, added: Sequence[str]) -> list[Engine]:
    """Those who want to win, random first; a brain that cannot play the game stays away."""
    return able([ZERO, *WINNERS[game.name], *_brains("")], game, visits) + limited(added, game, visits)


def losing(game: Game, visits: int, added: Sequence[str]) -> list[Engine]:
    """Those who want to lose, random first; a brain that cannot play the misère stays away."""
    return able([ZERO, *LOSERS[game.name], *_brains(" mode=weakest")], game, visits) + limited(added, game, visits)


def dial(levels: Sequence[int], game: Game, visits: int) -> list[Engine]:
    """A player for each level: between the poles with the dial's own visits, at 100 with those it grows to.

    The misère at 0 is on the clock as 100 is, and has visits as the others who want to lose.
    """
    found = read_engines(level_name(level) for level in levels)
    return [_dialed(engine, game, visits) for engine in found]


def level_name(level: int) -> str:
    """The engine of a level."""
    return f"level={level}"


def levels_of(engines: Iterable[Engine]) -> list[int]:
    """The levels among the engines."""
    return [engine.level for engine in engines if engine.name == level_name(engine.level)]


def references(game: Game) -> list[Engine]:
    """Fixed players who want to lose, and random."""
    return read_engines([ZERO, *LOSERS[game.name]])


def limited(texts: Sequence[str], game: Game, visits: int) -> list[Engine]:
    """Engines under their plain names; a search of ours without a limit has visits that take about equally long."""
    found = read_engines(texts) if texts else []
    return [_limited(replace(engine, name=text), game, visits) for text, engine in zip(texts, found, strict=True)]


def able(texts: Sequence[str], game: Game, visits: int) -> list[Engine]:
    """The same without those of ours that cannot play the game."""
    return [engine for engine in limited(texts, game, visits) if _is_able(engine, game)]


def _dialed(engine: Engine, game: Game, visits: int) -> Engine:
    brain = engine.at_work(game)
    if has_dial(engine.level, brain):
        own = limits_at(engine.level, brain, Limits(), is_timed=False).visits
    elif engine.level == STRONGEST:
        own = VISITS[brain][-1]
    else:
        return _limited(engine, game, visits)
    return replace(engine, options=(("visits", str(own)),))


def _limited(engine: Engine, game: Game, visits: int) -> Engine:
    if engine.protocol != OWN or {"visits", "depth", "movetime"} & dict(engine.options).keys():
        return engine
    brain = engine.at_work(game)
    if brain not in BRAINS or brain == ZERO:
        return engine
    # What the dial gives them at its upper end is about a fifth of a second for each.
    share = VISITS[brain][-1] / VISITS[UNIT][-1] if brain in VISITS else 1.0
    return replace(engine, options=(*engine.options, ("visits", str(round(share * visits)))))


def _brains(mode: str) -> list[str]:
    return [brain + mode for brain in BRAINS if brain != ZERO]


def _is_able(engine: Engine, game: Game) -> bool:
    if engine.protocol != OWN:
        return True
    refused = own.refusal(engine, game)
    if refused is not None:
        print(f"extremum: {engine.name} does not play: {refused}", file=sys.stderr)
    return refused is None
