"""Boards as people paste them: a sign for each point, perhaps with numbers, letters and whose turn it is."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from math import isqrt

from ..engine.clock import Clock
from ..engine.errors import EngineError
from ..engine.games.game import Color, Game, Move
from ..engine.session import Session

BLACKS, WHITES, EMPTIES = "Xx*Bb●#@1", "OoWw○2", "-._+·0"
LARGEST = 20  # rows
LONGEST = 5000  # characters of a text, with all that may be drawn around the points
_SIDES = {"black": Color.BLACK, "white": Color.WHITE, "b": Color.BLACK, "w": Color.WHITE}
_TURN = re.compile(
    r"\b(black|white)(?: (?:to move|to play|moves|plays))?\b|([xo*bw●○]) (?:to move|to play)", re.IGNORECASE
)
_ROW_NUMBERS = re.compile(r"^[\s|]*\d{1,2}(?=[\s|]+\D)|(?<=\D)[\s|]\d{1,2}[\s|]*$")  # of a line
_RULERS = ("--+", "+--", "===")


@dataclass(frozen=True, slots=True)
class Paste:
    """A board without history: its points from the top left."""

    size: int
    cells: tuple[Color | None, ...]
    player: Color | None  # None where the paste does not tell

    def stones(self, color: Color) -> list[Move]:
        """The points where that side has its stones."""
        return [move for move, cell in enumerate(self.cells) if cell is color]


def place(paste: Paste, session: Session) -> None:
    """Begin a session's game with a pasted board; a refusal leaves it as it was."""
    for each in (_copy(session), session):
        if paste.size != each.game.size:
            each.set_size(paste.size)
        each.setup(*(paste.stones(color) for color in Color))
        each.setup_player(_next(paste, each.game) if paste.player is None else paste.player)


def _copy(session: Session) -> Session:
    trial = copy.copy(session)
    trial.clock = Clock()
    return trial


def _next(paste: Paste, game: Game) -> Color:
    """Whose turn it probably is: Othello fills up in turn, in Gomoku nobody is a stone behind for long."""
    black, white = (len(paste.stones(color)) for color in Color)
    is_black = (black + white) % 2 == 0 if game.name == "othello" else black <= white
    return Color.BLACK if is_black else Color.WHITE


def read_paste(text: str) -> Paste:
    """A board in any of the usual spellings; raises EngineError where there is none."""
    if len(text) > LONGEST:
        raise EngineError(f"no board: a text of more than {LONGEST} characters")
    text = "\n".join(line for line in text.splitlines() if not _is_frame(line)).strip()
    turn = _TURN.search(text)
    player = None
    if turn is not None:
        player = _side(turn[1] or turn[2])
        text = text[: turn.start()].strip()
    if "\n" in text:
        text = "\n".join(_ROW_NUMBERS.sub("", line) for line in text.splitlines())
    signs = re.sub(r"[\s|/,;:]", "", text)
    size = isqrt(len(signs))
    if size * size + 1 == len(signs):
        player, signs = _side(signs[-1]), signs[:-1]
    if size < 3 or size * size != len(signs) or size > LARGEST:
        raise EngineError(f"no square board: the number of its signs is {len(signs)}")
    return Paste(size, tuple(_cell(sign) for sign in signs), player)


def _is_frame(line: str) -> bool:
    """True for the letters of the columns and for what is drawn around the points."""
    if all(sign in "|+-=" or sign.isspace() for sign in line):
        return any(ruler in line for ruler in _RULERS)
    words = line.replace("|", " ").lower().split()
    return words[:3] == ["a", "b", "c"] and all(len(word) == 1 and word.isalpha() for word in words)


def _side(text: str) -> Color:
    if text.lower() in _SIDES:
        return _SIDES[text.lower()]
    cell = _cell(text)
    if cell is None:
        raise EngineError(f"'{text}' is nobody's turn")
    return cell


def _cell(sign: str) -> Color | None:
    if sign in EMPTIES:
        return None
    if sign in BLACKS:
        return Color.BLACK
    if sign in WHITES:
        return Color.WHITE
    raise EngineError(f"'{sign}' is no stone and no empty point")
