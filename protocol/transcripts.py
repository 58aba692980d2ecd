"""Moves one after the other: `f5d6c3`, `h8i9`, and Gomocup's offsets from the middle."""

from __future__ import annotations

import re

from ..engine.errors import EngineError
from ..engine.games.game import Game, Move
from .notation import read_vertex

LETTERS = "abcdefghijklmnopqrst"
LONGEST = 4  # characters of an offset
_POINTS = re.compile(r"([a-tA-T]\d{1,2}|[Pp][AaSs](?:[Ss][Ss])?)")
_OFFSETS = re.compile(r"-?\d+ *, *-?\d+(?: *, *-?\d+ *, *-?\d+)* *,?")


def is_transcript(line: str) -> bool:
    """True when a line can be nothing but moves."""
    text = line.strip()
    return bool(_OFFSETS.fullmatch(text) or _words(text))


def read_transcript(line: str, game: Game) -> list[Move]:
    """The moves of a line in either notation; a pass that Othello forces may be missing."""
    text = line.strip()
    return _from_offsets(text, game) if _OFFSETS.fullmatch(text) else _from_points(text, game)


def write_transcript(moves: tuple[Move, ...] | list[Move], game: Game) -> str:
    """Letters and numbers without separators, without passes."""
    return "".join(_point(move, game) for move in moves if move != game.pass_move)


def _from_offsets(text: str, game: Game) -> list[Move]:
    """Gomocup's notation: column and row of each stone, counted from the middle."""
    if game.name != "gomoku":
        raise EngineError("offsets are for Gomoku")
    numbers = [_offset(number.strip()) for number in text.rstrip(" ,").split(",")]
    middle, moves = game.size // 2, []
    for column, row in zip(numbers[::2], numbers[1::2], strict=True):
        if not (0 <= middle + column < game.size and 0 <= middle + row < game.size):
            raise EngineError(f"{column},{row} is off the board")
        moves.append((middle + row) * game.size + middle + column)
    return moves


def _offset(text: str) -> int:
    if len(text) > LONGEST:
        raise EngineError(f"{text[:40]} is off the board")
    return int(text)


def _from_points(text: str, game: Game) -> list[Move]:
    """Letters and numbers without separators; Gomocup's letters have an I and count rows from the top."""
    words = _words(text)
    if not words:
        raise EngineError(f"'{text[:40]}' is no list of moves")
    if game.name == "othello":
        return _with_passes(game, words)
    moves = []
    for word in words:
        column, row = LETTERS.index(word[0].lower()), int(word[1:]) - 1 if word[1:].isdecimal() else -1
        if not (column < game.size and 0 <= row < game.size):
            raise EngineError(f"{word} is off the board")
        moves.append(row * game.size + column)
    return moves


def _words(text: str) -> list[str]:
    """The points of a text that has nothing else; none otherwise."""
    words: list[str] = _POINTS.findall(text)
    return words if "".join(words).lower() == re.sub(r"[\s,;-]+", "", text).lower() else []


def _with_passes(game: Game, words: list[str]) -> list[Move]:
    """Othello's moves; transcripts leave passes out."""
    assert game.pass_move is not None
    position, moves = game.start(), list[Move]()
    for word in words:
        move = read_vertex(word, game)
        wanted = game.pass_move if move is None else move
        if position.legal_moves() == [game.pass_move] and wanted != game.pass_move:
            moves.append(game.pass_move)
            position = position.play(game.pass_move)
        position = position.play(wanted)
        moves.append(wanted)
    return moves


def _point(move: Move, game: Game) -> str:
    row, column = divmod(move, game.size)
    return f"{LETTERS[column]}{row + 1}"
