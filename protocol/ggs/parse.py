"""What the Othello service says: requests, matches and boards."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...engine.games.game import Color
from ..ggf import read_clock, read_time

SIGNS = {"*": Color.BLACK, "O": Color.WHITE}
_KIND = re.compile(r"(s?)(\d{1,2})(k?)(?:r(\d{1,2}))?(a?)([bw?]?)", re.IGNORECASE)
_PLAYER = re.compile(r"(\S+)\s+\(\s*-?[\d.]+\s*([*O])\)\s+(\S+)")
_ROW = re.compile(r"\s*\d{1,2}\s((?:[-*O]\s?)+)\d{1,2}\s*")
_TO_MOVE = re.compile(r"\s*([*O]) to move\s*")


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a match, `s8r16` or `8ab`."""

    size: int
    is_synchro: bool = False
    has_komi: bool = False
    random_discs: int | None = None
    is_anti: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A challenge."""

    identity: str
    challenger: str
    clock: tuple[float, float, float]  # the shortest of both sides: at first, for each move, extension
    kind: Kind
    is_stored: bool
    challenged: str | None  # None is everybody


@dataclass(frozen=True, slots=True)
class Clock:
    """What a side has left; below zero the extension runs."""

    name: str
    main: float
    increment: float
    extension: float


@dataclass(frozen=True, slots=True)
class Board:
    """A game as it stands."""

    game: str  # its identity, `.5` or `.5.1`
    kind: Kind
    clocks: dict[Color, Clock]
    cells: tuple[Color | None, ...]
    side_to_move: Color | None  # None after the end

    def color_of(self, name: str) -> Color | None:
        """The color that somebody plays, None for nobody's."""
        return next((color for color, clock in self.clocks.items() if clock.name == name), None)


def read_kind(text: str) -> Kind | None:
    """A match type, None where it is none."""
    found = _KIND.fullmatch(text)
    if found is None:
        return None
    discs = None if found[4] is None else int(found[4])
    return Kind(int(found[2]), bool(found[1]), bool(found[3]), discs, bool(found[5]))


def read_request(text: str) -> Request | None:
    """A request from what follows its sign: an identity, the challenger, clocks, a type and perhaps the challenged."""
    words = text.split()
    if len(words) < 6 or not words[0].startswith("."):
        return None
    challenger, rest = words[2], words[3:]
    clocks = [clock for word in rest if "/" in word and (clock := read_clock(word)) is not None]
    kinds = [(place, kind) for place, word in enumerate(rest) if "/" not in word and (kind := read_kind(word))]
    if not clocks or not kinds:
        return None
    place, kind = kinds[0]
    behind = [word for word in rest[place + 1 :] if "/" not in word and not word.startswith(".")]
    shortest = min(clocks)
    challenged = behind[2] if len(behind) >= 3 else None
    return Request(words[0], challenger, shortest, kind, behind[:1] == ["S"], challenged)


def read_match(text: str) -> tuple[str, list[str]] | None:
    """The identity and the players of `match .5 1720 alice 1720 bob 8b U`."""
    words = text.split()
    return (words[1], [words[3], words[5]]) if len(words) >= 6 and words[1].startswith(".") else None


def read_board(text: str, body: tuple[str, ...]) -> Board | None:
    """The last board of a `join` or an `update` with its clocks; None where there is none."""
    words = text.split()
    kind = read_kind(words[2]) if len(words) > 2 else None
    if kind is None:
        return None
    clocks: dict[Color, Clock] = {}
    rows: list[str] = []
    side: Color | None = None
    for line in body:
        if found := _PLAYER.fullmatch(line.strip()):
            clocks[SIGNS[found[2]]] = _read_clock(found[1], found[3])
        elif found := _ROW.fullmatch(line):
            rows.append("".join(found[1].split()))
        elif found := _TO_MOVE.fullmatch(line):
            side = SIGNS[found[1]]
    last = rows[-kind.size :]
    if len(last) < kind.size or any(len(row) != kind.size for row in last) or len(clocks) < 2:
        return None
    return Board(words[1], kind, clocks, tuple(SIGNS.get(sign) for row in last for sign in row), side)


def _read_clock(name: str, text: str) -> Clock:
    parts = [read_time(part.partition(",")[0]) or 0.0 for part in [*text.split("/"), "", ""][:3]]
    return Clock(name, *parts)
