"""The games that a run plays, and how often each: `gomoku:8:0.3,gomoku:15:renju:0.5,gomoku:15:misere:0.2`."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import EngineError
from ..games import make_game
from ..games.game import Game
from ..games.misere import Misere
from ..nets.description import Description

MISERE = "misere"
HOW = "GAME:SIZE[:RULE][:misere]:SHARE, separated by commas"


@dataclass(frozen=True, slots=True)
class Mix:
    """Games with their shares, which need not add up to one."""

    shares: tuple[tuple[Game, float], ...]

    @property
    def name(self) -> str:
        """The game that all of them are variants of."""
        return self.shares[0][0].name

    @property
    def main(self) -> Game:
        """The one with the largest share."""
        return max(self.shares, key=lambda share: share[1])[0]

    @property
    def rules(self) -> list[str]:
        """The rules that are played."""
        return sorted({game.rule for game, _ in self.shares})

    def description(self, net: str) -> Description:
        """A net for all of them; EngineError when the net could not tell them apart."""
        games = [game for game, _ in self.shares]
        objectives, rules = {game.objective for game in games}, {game.rule for game in games}
        if net == "classic" and len(objectives) * len(rules) > 1:
            raise EngineError("a classic net sees neither rule nor objective: it is for one of each")
        objective = "both" if len(objectives) > 1 else "ordinary" if objectives == {1} else "misere"
        return Description(self.name, net, tuple(sorted({game.size for game in games})), objective)


def read_mix(text: str) -> Mix:
    """A mix from its text; EngineError when it cannot be read, or is of two games."""
    mix = Mix(tuple(_share(words.strip()) for words in text.split(",")))
    names = {game.name for game, _ in mix.shares}
    if len(names) > 1:
        raise EngineError(f"a net plays one game, not {' and '.join(sorted(names))}")
    return mix


def mix_text(mix: Mix) -> str:
    """A mix as `read_mix` takes it."""
    return ",".join(_text(game, share) for game, share in mix.shares)


def _share(text: str) -> tuple[Game, float]:
    name, *words = text.split(":")
    if len(words) < 2 or not words[0].isdecimal():
        raise EngineError(f"cannot read '{text}': {HOW}")
    share = _number(words[-1], text)
    rules = [word for word in words[1:-1] if word != MISERE]
    if len(rules) > 1 or len(words[1:-1]) - len(rules) > 1:
        raise EngineError(f"cannot read '{text}': {HOW}")
    game = make_game(name, int(words[0]), rules[0] if rules else None)
    return Misere(game) if MISERE in words else game, share


def _number(word: str, text: str) -> float:
    try:
        share = float(word)
    except ValueError:
        share = 0.0
    if not 0 < share < float("inf"):
        raise EngineError(f"cannot read '{text}': the share '{word}' is no positive number")
    return share


def _text(game: Game, share: float) -> str:
    rule = [] if game.rule == make_game(game.name, game.size).rule else [game.rule]
    return ":".join([game.name, str(game.size), *rule, *([MISERE] if game.objective < 0 else []), f"{share:g}"])
