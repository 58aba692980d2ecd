"""Commands on game records."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from ...engine.errors import EngineError, IllegalMoveError, UsageError
from ...engine.games.game import Color, Move
from ...engine.session import Session
from ..command import COMMANDS
from ..ggf import read_games, write_ggf
from ..pastes import place, read_paste
from ..records import read_record, restore, write_record
from ..transcripts import is_transcript, read_transcript, write_transcript

LARGEST = 10_000_000  # bytes; nobody plays a game as long as that


@COMMANDS.command("loadsgf")
def loadsgf(session: Session, file: str, move_number: int | None = None) -> None:
    """Load a game from an SGF file, up to the position before a move."""
    session.bounds.refuse_files()
    if move_number is not None and move_number < 1:
        raise UsageError(f"syntax error: moves are counted from 1, not from {move_number}")
    with loading(file):
        restore(read_record(read_text(file)), session, None if move_number is None else move_number - 1)


@COMMANDS.command("load_game")
def load_game(session: Session, file: str) -> None:
    """Load a game from a file: SGF, GGF, a transcript, a line of Gomocup's openings or a board as people paste it."""
    session.bounds.refuse_files()
    with loading(file):
        text = read_text(file)
        games = read_games(text)
        if games:
            restore(games[0].record(), session)
        elif text.lstrip().startswith("("):
            restore(read_record(text), session)
        else:
            load_plain(text, session)


@COMMANDS.command("setboard")
def setboard(session: Session, *signs: str) -> None:
    """Begin with a board: a sign for each point from the top left, X, * or B, O or W, - or ., then whose turn it is."""
    place(read_paste(" ".join(signs)), session)


@COMMANDS.command("transcript")
def transcript(session: Session, *moves: str) -> str | None:
    """Begin a game with moves such as f5d6c3, h8i9 (rows from the top) or offsets 0,0,1,1; without any, tell them."""
    if moves:
        play_transcript(" ".join(moves), session)
        return None
    if session.start != session.game.start():
        raise EngineError("the game did not begin at its start")
    return write_transcript([played.move for played in session.moves if played.move is not None], session.game)


@COMMANDS.command("printsgf")
def printsgf(session: Session, file: str | None = None) -> str | None:
    """Write the game as SGF, into a file or into the answer."""
    return write_text(session, write_record(session), file)


@COMMANDS.command("printggf")
def printggf(session: Session, file: str | None = None) -> str | None:
    """Write a game of Othello as GGF, into a file or into the answer."""
    game, outcome = session.game, session.outcome()
    if game.pass_move is None:
        raise EngineError("GGF is for Othello")
    played = [(game.pass_move if each.move is None else each.move, each.seconds or None) for each in session.moves]
    result = "?" if outcome is None else f"{outcome.value(Color.BLACK) * outcome.margin:+.2f}"
    return write_text(session, write_ggf(game, played, {"RE": result}, session.start), file)


def write_text(session: Session, text: str, file: str | None) -> str | None:
    """Write into a file, or give the text back for the answer."""
    if file is None:
        return text
    session.bounds.refuse_files()
    try:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text + "\n")
    except OSError as error:
        raise EngineError(f"cannot write file: {error.strerror}: '{file}'") from error
    return None


@contextmanager
def loading(file: str) -> Iterator[None]:
    """Say of every refusal that the file cannot be loaded."""
    try:
        yield
    except OSError as error:
        raise EngineError(f"cannot load file: {error.strerror}: '{file}'") from error
    except IllegalMoveError as error:
        raise EngineError(f"cannot load file: a move {error.reason}") from error
    except EngineError as error:
        raise EngineError(f"cannot load file: {error}") from error


def load_plain(text: str, session: Session) -> None:
    """Load a pasted board, or the first line that has moves."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    moves = next((line for line in lines if line), "")
    if is_transcript(moves):
        play_transcript(moves, session)
    else:
        place(read_paste(text), session)


def play_transcript(text: str, session: Session) -> None:
    """Begin the game anew with the moves of a transcript: all of them or none."""
    position, moves = session.game.start(), list[tuple[Color, Move | None]]()
    for move in read_transcript(text, session.game):
        moves.append((position.side_to_move, None if move == session.game.pass_move else move))
        position = position.play(move)
    session.clear()
    session.play_sequence(moves)


def read_text(file: str) -> str:
    """The text of a plain file of sensible size, whatever its encoding."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)  # a pipe must not block us
    with open(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise EngineError(f"not a plain file: '{file}'")
        if status.st_size > LARGEST:
            raise EngineError(f"more than {LARGEST} bytes: '{file}'")
        return stream.read(LARGEST).decode("utf-8", "replace")
