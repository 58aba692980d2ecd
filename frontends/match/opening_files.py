"""Openings from files: SGF and GGF games, transcripts such as `f5d6c3` or `h8i9`, and Gomocup's offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from ...engine.errors import EngineError, IllegalMoveError
from ...engine.games.game import Color, Game, Move
from ...engine.session import Session
from ...protocol.ggf import GgfGame, read_games
from ...protocol.notation import PASS, write_color
from ...protocol.records import read_record, restore
from ...protocol.transcripts import read_transcript, write_transcript
from ..flags import BadFlagError

Reader: TypeAlias = Callable[[Game], list[Move]]


def read_openings(file: Path, game: Game) -> list[tuple[Move, ...]]:
    """The openings of a file for this game; one that cannot be played is refused."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFlagError(f"{file}: {error}") from error
    found: list[tuple[Move, ...]] = []
    for number, read in enumerate(_readers(text), start=1):
        try:
            found.append(_checked(game, read(game)))
        except IllegalMoveError as error:
            point = write_opening((error.move,), game) or PASS
            raise BadFlagError(f"{file}: opening {number}: illegal move: {point} {error.reason}") from error
        except EngineError as error:
            raise BadFlagError(f"{file}: opening {number}: {error}") from error
    if not found:
        raise BadFlagError(f"{file}: there is no opening in it")
    return found


def _readers(text: str) -> Iterator[Reader]:
    """What reads each opening of a file."""
    if "GM[Othello]" in text:
        yield from (partial(_from_ggf, found) for found in read_games(text))
    elif text.lstrip().startswith("(;"):
        yield from (partial(_from_sgf, found) for found in _sgf_games(text))
    else:
        lines = (line.partition("#")[0].strip() for line in text.splitlines())
        yield from (partial(read_transcript, line) for line in lines if line)


def _sgf_games(text: str) -> Iterator[str]:
    """The games of a collection: what stands between the outermost parentheses."""
    depth, begun, inside = 0, 0, False
    for index, sign in enumerate(text):
        if inside:
            inside = sign != "]" or text[index - 1] == "\\"
        elif sign == "[":
            inside = True
        elif sign == "(":
            begun, depth = (index, 1) if depth == 0 else (begun, depth + 1)
        elif sign == ")":
            depth -= 1
            if depth == 0:
                yield text[begun : index + 1]


def _from_ggf(found: GgfGame, game: Game) -> list[Move]:
    """The moves, passes perhaps being left out."""
    if found.board is None:
        raise EngineError("it has no board that can be read")
    session = Session()
    restore(replace(found.record(), moves=()), session)
    _refuse_others(session, game)
    moves = read_transcript(" ".join(move.point for move in found.moves), game)
    return _in_turn(moves, [move.color for move in found.moves if not move.is_pass], game)


def _from_sgf(text: str, game: Game) -> list[Move]:
    session = Session()
    session.set_game(game.name)
    restore(read_record(text), session)
    _refuse_others(session, game)
    moves = [_pass(game) if played.move is None else played.move for played in session.moves]
    return _in_turn(moves, [played.color for played in session.moves if played.move is not None], game)


def _refuse_others(session: Session, game: Game) -> None:
    """Refuse another game, one on another board, or one from another start."""
    if session.game.name != game.name:
        raise EngineError(f"it is a game of {session.game.name}, not of {game.name}")
    if session.game.size != game.size:
        raise EngineError(f"it is of size {session.game.size}, not {game.size}")
    if session.start != session.game.start():
        raise EngineError("it begins with stones that nobody played")


def _pass(game: Game) -> Move:
    if game.pass_move is None:
        raise EngineError("a pass is no move of Gomoku")
    return game.pass_move


def _in_turn(moves: list[Move], colors: Sequence[Color], game: Game) -> list[Move]:
    """The same moves, once it is known that whoever made them, passes aside, was to move."""
    position, told = game.start(), iter(colors)
    for number, move in enumerate(moves, start=1):
        mover = position.side_to_move
        if move != game.pass_move and next(told) is not mover:
            theirs, turn = write_color(mover.opponent), write_color(mover)
            raise EngineError(f"move {number} is {theirs}'s, and {turn} is to move")
        position = position.play(move)
    return moves


def _checked(game: Game, moves: list[Move]) -> tuple[Move, ...]:
    """The same moves, once it is known that they can be played and do not end the game."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    if position.outcome() is not None:
        raise EngineError("the game is over at its end")
    return tuple(moves)


def write_opening(moves: tuple[Move, ...], game: Game) -> str:
    """An opening as a line of a text file."""
    return write_transcript(moves, game)
