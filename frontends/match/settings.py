"""What a match is made of; two runs with equal settings are one match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from ...engine.games import make_game
from ...engine.games.game import Game
from ...engine.games.misere import Misere
from ...protocol.clients.client import Pace
from .engines import Engine
from .referee import Terms
from .sprt import Sprt

FORMATS = ("round-robin", "gauntlet", "ladder")
# A match may be continued with more of these, the first of them being the same; the program is compared apart.
GROWING = ("rounds", "openings", "programs")


@dataclass(frozen=True, slots=True)
class Settings:
    """A match: who, what, under which terms, from where."""

    engines: tuple[Engine, ...]
    game: str
    size: int
    rule: str
    in_a_row: int
    format: str
    rounds: int  # each opening is a round: every pairing plays it twice, colors changed
    source: str  # of the openings
    openings: tuple[tuple[int, ...], ...]
    seed: int
    move: float
    main: float
    increment: float
    margin: float
    patience: float
    misere: bool
    sprt: Sprt | None = None
    programs: tuple[str, ...] = ()  # that have played for us, more than one only where somebody wanted it

    def terms(self) -> Terms:
        """What the referee goes by."""
        pace = Pace(self.move, self.main, self.increment)
        return Terms(self.make_game(), pace, self.margin, self.patience, self.misere)

    def make_game(self) -> Game:
        """The rules."""
        return make_game(self.game, self.size, self.rule, self.in_a_row or None)

    def opened_game(self) -> Game:
        """The game whose openings are to be near even: the misère where the loser has the point."""
        return Misere(self.make_game()) if self.misere else self.make_game()

    def to_json(self) -> dict[str, Any]:
        """A value for JSON."""
        value = asdict(self)
        value["engines"] = [engine.to_json() for engine in self.engines]
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Settings:
        """The settings that `to_json` wrote."""
        made = {
            "engines": tuple(Engine.from_json(entry) for entry in value["engines"]),
            "openings": tuple(tuple(opening) for opening in value["openings"]),
            "sprt": Sprt(**value["sprt"]) if value.get("sprt") else None,
            "programs": tuple(value.get("programs", ())),
        }
        return cls(**(dict(value) | made))

    def difference(self, begun: Settings) -> str | None:
        """The first thing that makes another match of the one that was begun, None where this one continues it."""
        for field in fields(self):
            if field.name not in GROWING and getattr(self, field.name) != getattr(begun, field.name):
                return field.name
        return None

    def has_openings_of(self, begun: Settings) -> bool:
        """True when the rounds that both have begin as they did in the match that was begun."""
        known = begun.openings[: self.rounds]
        return self.openings[: len(known)] == known

    def continuing(self, begun: Settings) -> Settings:
        """The same with the programs that have played before, and with all rounds and openings of either."""
        programs = tuple(dict.fromkeys((*begun.programs, *self.programs)))
        openings = max(self.openings, begun.openings, key=len)
        return replace(self, rounds=max(self.rounds, begun.rounds), openings=openings, programs=programs)
