"""Commands on game records."""

from __future__ import annotations

import os
import stat

from ...engine.errors import EngineError, UsageError
from ...engine.session import Session
from ..command import COMMANDS
from ..records import read_record, restore, write_record

LARGEST = 10_000_000  # bytes; nobody plays a game as long as that


@COMMANDS.command("loadsgf")
def loadsgf(session: Session, file: str, move_number: int | None = None) -> None:
    """Load a game from an SGF file, up to the position before a move."""
    session.bounds.refuse_files()
    if move_number is not None and move_number < 1:
        raise UsageError(f"syntax error: moves are counted from 1, not from {move_number}")
    try:
        restore(read_record(read_text(file)), session, None if move_number is None else move_number - 1)
    except OSError as error:
        raise EngineError(f"cannot load file: {error.strerror}: '{file}'") from error
    except EngineError as error:
        raise EngineError(f"cannot load file: {error}") from error


@COMMANDS.command("printsgf")
def printsgf(session: Session, file: str | None = None) -> str | None:
    """Write the game as SGF, into a file or into the answer."""
    text = write_record(session)
    if file is None:
        return text
    session.bounds.refuse_files()
    try:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text + "\n")
    except OSError as error:
        raise EngineError(f"cannot write file: {error.strerror}: '{file}'") from error
    return None


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
