"""The Generic Game Format of Othello: games as GGS and NBoard write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from ..engine.errors import EngineError
from ..engine.games.game import Color, Game, Move, Position
from .notation import COLUMNS, diagram, write_vertex
from .pastes import BLACKS, EMPTIES, WHITES, Paste, read_paste
from .records import Record

PASS = "PA"
SIGNS = {"X": "*", "O": "O", ".": "-"}
COLORS = {"B": Color.BLACK, "W": Color.WHITE}
LONGEST = 50_000  # characters of a game
_TAG = re.compile(r"([A-Za-z]{1,2})\[([^\]]*)\]")
_POINT = re.compile(r" *([A-Ta-t]\d{1,2}|[Pp][Aa](?:[Ss][Ss])?) *(?:/.*)?", re.DOTALL)
_CLOCK_TIME = re.compile(r"(-?)(?:(?:(?:(\d{1,9})\.)?(\d{1,9}):)?(\d{1,9}):)?(\d{1,9}(?:\.\d*)?)")
_OVERLONG = re.compile(r"\d{10}")


@dataclass(frozen=True, slots=True)
class GgfMove:
    """A move as text, with what was noted beside it."""

    color: Color
    point: str
    value: float | None  # discs
    seconds: float

    @property
    def is_pass(self) -> bool:
        """True for `PA`, `pa` and `pass`."""
        return self.point.upper().startswith(PASS)


@dataclass(frozen=True, slots=True)
class GgfGame:
    """One game of a file."""

    tags: Mapping[str, str]  # the first of each name; moves and the board are not among them
    board: Paste | None  # None where the file has none that can be read
    moves: tuple[GgfMove, ...]

    def seconds_left(self, color: Color) -> float | None:
        """What a side's clock shows after the game; None where the file tells of no clock."""
        text = self.tags.get("TB" if color is Color.BLACK else "TW") or self.tags.get("TI") or ""
        clock = read_clock(text) if text else None
        if clock is None and _OVERLONG.search(text):
            raise EngineError(f"no clock has as much time as '{text[:40]}'")
        if clock is None:
            return None
        own = [move.seconds for move in self.moves if move.color is color]
        return clock[0] + clock[1] * len(own) - sum(own)

    def record(self) -> Record:
        """The same as any game record."""
        board = self.board
        if board is None:
            raise EngineError("the GGF game has no board")
        moves = tuple((move.color, "" if move.is_pass else move.point) for move in self.moves)
        black, white = (tuple(_numbered(move, board.size) for move in board.stones(color)) for color in Color)
        return Record("othello", board.size, None, None, black, white, board.player or Color.BLACK, moves)


def read_games(text: str) -> list[GgfGame]:
    """The games of a text; a pair that was played at once comes as two."""
    return [_read(found) for found in _games(text)]


def read_moves(text: str) -> list[list[str]]:
    """The moves of each game in a text, as vertices; passes may be missing."""
    return [[move.point for move in game.moves] for game in read_games(text)]


def read_clock(text: str) -> tuple[float, float, float] | None:
    """Seconds at first, added with each move, and of the extension, from `15:00//02:00`; None where it is no clock."""
    parts = [part.partition(",")[0].strip() for part in text.split("/")]
    times = [0.0 if part == "" else read_time(part) for part in [*parts, "", ""][:3]]
    first, increment, extension = times
    return None if first is None or increment is None or extension is None else (first, increment, extension)


def read_time(text: str) -> float | None:
    """Seconds from `[[[D.]H:]M:]S`, perhaps below zero; None where it is no time."""
    found = _CLOCK_TIME.fullmatch(text.strip())
    if found is None:
        return None
    days, hours, minutes = (int(found[part] or 0) for part in (2, 3, 4))
    seconds = ((24 * days + hours) * 60 + minutes) * 60 + float(found[5])
    return -seconds if found[1] else seconds


def write_ggf(
    game: Game, moves: Sequence[tuple[Move, float | None]], tags: Mapping[str, str], start: Position | None = None
) -> str:
    """A game from its start: moves with the seconds they took, if known; tags come before the board."""
    size, first = game.size, start or game.start()
    board = " ".join("".join(SIGNS[cell] for cell in row) for row in diagram(first))
    head = "".join(f"{name}[{_plain(value)}]" for name, value in tags.items())
    side = "*" if first.side_to_move is Color.BLACK else "O"
    told = "".join(_moves(game, moves, first.side_to_move))
    return f"(;GM[Othello]{head}TY[{size}]BO[{size} {board} {side}]{told};)"


def _games(text: str) -> Iterator[str]:
    """The text of each game, from its first sign to its last."""
    start = text.find("(;")
    while start >= 0 and (end := text.find(";)", start + 2) + 2) > 1:
        yield text[start:end]
        start = text.find("(;", end)


def _read(text: str) -> GgfGame:
    if len(text) > LONGEST:
        raise EngineError(f"no GGF game: a text of more than {LONGEST} characters")
    tags: dict[str, str] = {}
    moves: list[GgfMove] = []
    for name, value in _TAG.findall(text[: text.rfind("]") + 1]):  # every value ends: none is looked for in vain
        if name in COLORS:
            moves += _read_move(COLORS[name], value)
        else:
            tags.setdefault(name.upper(), value)
    return GgfGame(tags, _read_board(tags.pop("BO", "")), tuple(moves))


def _read_move(color: Color, text: str) -> list[GgfMove]:
    if _POINT.fullmatch(text) is None:
        return []
    point, *notes = [part.strip() for part in text.split("/")]
    value, seconds = ([_number(note) for note in notes] + [None, None])[:2]
    return [GgfMove(color, point, value, seconds or 0.0)]


def _read_board(text: str) -> Paste | None:
    """A size, the squares with any blanks between them, and the side to move."""
    size, _, squares = text.strip().partition(" ")
    if not (size.isdecimal() and len(size) < 4) or any(
        sign not in BLACKS + WHITES + EMPTIES for sign in "".join(squares.split())
    ):
        return None
    try:
        board = read_paste(squares)
    except EngineError:
        return None
    return board if board.size == int(size) else None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _numbered(move: Move, size: int) -> str:
    row, column = divmod(move, size)
    return f"{COLUMNS[column]}{row + 1}"


def _moves(game: Game, moves: Sequence[tuple[Move, float | None]], color: Color) -> list[str]:
    texts = []
    for move, seconds in moves:
        point = PASS if move == game.pass_move else write_vertex(move, game)
        texts.append(f"{color.name[0]}[{point}{'' if seconds is None else f'//{seconds:.2f}'}]")
        color = color.opponent
    return texts


def _plain(value: str) -> str:
    return value.replace("[", "(").replace("]", ")").replace("\\", "/").replace(";", ",")
