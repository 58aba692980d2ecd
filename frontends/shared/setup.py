"""What a person chooses before a game: the game, who sits where, and the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

GAMES = ("gomoku", "othello")
RULES = ("freestyle", "standard", "renju")
SIZES = {"gomoku": tuple(range(3, 21)), "othello": (6, 8)}
LONGEST_MOVE = 3600.0  # seconds
LONGEST_GAME = 86400.0
OVERTIMES = ("fischer", "byoyomi", "canadian")
MOST_PERIODS = 99


class SetupError(ValueError):
    """A choice that cannot be; its text is a key of the texts, its values go into that."""

    def __init__(self, key: str, *values: str) -> None:
        super().__init__(key)
        self.values = values


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays one color."""

    is_engine: bool = False
    level: int = 100
    brain: str = "auto"

    def __post_init__(self) -> None:
        _check(type(self.is_engine) is bool, "bad_seat")
        _check(type(self.level) is int and 0 <= self.level <= 100, "bad_level")
        _check(isinstance(self.brain, str) and self.brain.replace("-", "").replace("_", "").isalnum(), "bad_brain")

    @property
    def losing(self) -> bool:
        """True where the engine plays to lose."""
        return self.level < 50


@dataclass(frozen=True, slots=True)
class Setup:
    """A game that can begin."""

    game: str = "gomoku"
    size: int = 15
    rule: str = "freestyle"
    in_a_row: int = 5
    black: Seat = field(default_factory=Seat)
    white: Seat = field(default_factory=lambda: Seat(is_engine=True))
    movetime: float = 1.0  # seconds of an engine's move where there is no clock
    main: float = 0.0  # seconds of each side's clock; 0 is no clock
    overtime: str = "fischer"  # what there is beside it: time added a move, or periods that follow it
    increment: float = 0.0  # seconds added a move
    period: float = 30.0  # seconds of a period
    count: int = 5  # periods of byo-yomi, or moves to make in a Canadian period

    def __post_init__(self) -> None:
        _check(self.game in GAMES, "bad_game")
        _check(type(self.size) is int and self.size in SIZES[self.game], "bad_size")
        _check(self.rule in RULES, "bad_rule")
        _check(isinstance(self.black, Seat) and isinstance(self.white, Seat), "bad_seat")
        for seconds, least, most in (
            (self.movetime, 0.01, LONGEST_MOVE),
            (self.main, 0, LONGEST_GAME),
            (self.increment, 0, LONGEST_MOVE),
        ):
            _check(type(seconds) in (int, float) and least <= seconds <= most, "bad_time")
        _check(self.overtime in OVERTIMES and type(self.period) in (int, float), "bad_overtime")
        _check(1 <= self.period <= LONGEST_MOVE, "bad_overtime")
        _check(type(self.count) is int and 1 <= self.count <= MOST_PERIODS, "bad_overtime")
        if self.game == "gomoku":
            _check(type(self.in_a_row) is int and 3 <= self.in_a_row <= self.size, "bad_row")
            _check(self.rule != "renju" or self.in_a_row == 5, "bad_renju")

    def seat(self, color: str) -> Seat:
        """Who plays that color."""
        return self.black if color == "black" else self.white

    def with_seat(self, color: str, seat: Seat) -> Setup:
        """The same with somebody else at one color."""
        return replace(self, black=seat) if color == "black" else replace(self, white=seat)

    @property
    def has_clock(self) -> bool:
        """True where the sides' time is limited."""
        return self.main > 0 or self.increment > 0 or self.overtime != "fischer"

    @property
    def clock(self) -> str:
        """The time as `kata-time_settings` takes it."""
        if self.overtime != "fischer":
            return f"{self.overtime} {self.main:g} {self.period:g} {self.count}"
        return f"fischer {self.main:g} {self.increment:g}" if self.has_clock else "none"

    @property
    def against_weakest(self) -> str | None:
        """The person's color against an engine in weakest mode: whoever loses there has achieved something."""
        match (self.black.is_engine, self.white.is_engine):
            case (False, True) if self.white.level == 0:
                return "black"
            case (True, False) if self.black.level == 0:
                return "white"
        return None


def read_setup(values: Mapping[str, Any]) -> Setup:
    """A setup from a browser's words; raises SetupError."""
    _check(set(values) <= {each.name for each in fields(Setup)}, "bad_setup")
    seats = {name: read_seat(values[name]) for name in ("black", "white") if name in values}
    return Setup(**{**values, **seats})


def read_seat(values: Any) -> Seat:
    """A seat from a browser's words; raises SetupError."""
    _check(isinstance(values, dict) and set(values) <= {"is_engine", "level", "brain"}, "bad_seat")
    return Seat(**values)


def _check(condition: bool, key: str) -> None:
    if not condition:
        raise SetupError(key)
