"""The command line: the engine on standard input, and its errands."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from ..engine.session import Session
from ..protocol import DIALECTS
from ..protocol.connection import Connection, Dialect, Send
from ..protocol.recognize import Recognizer, open_dialect
from ..protocol.traffic import TrafficLog
from ..protocol.transports.stdio import Stdio
from .flags import BadFlagError, Parser, carry_out_bounded

# Imported only when they are asked for; a main takes the words that follow and returns the exit status.
ERRANDS = {
    "bench": "bench:main",
    "connect": "connect:main",
    "ggs": "ggs:main",
    "gui": "tk.main:main",
    "keygen": "keygen:main",
    "ladder": "match.ladder:main",
    "match": "match.main:main",
    "openings": "match.suite:main",
    "play": "terminal.main:main",
    "report": "match.report:main",
    "serve": "serve:main",
    "train": "train:main",
    "warm": "warm:main",
    "web": "web.main:main",
}


def main(begin: Callable[[], Session] = Session) -> NoReturn:
    """Do what the command line says, and leave."""
    words = sys.argv[1:]
    try:
        status = _carry_out(words, begin)
        if sys.stdout is not None:
            sys.stdout.flush()
        leave(status)
    except BadFlagError as error:
        print(f"extremum: {error}", file=sys.stderr)
        leave(2)
    except KeyboardInterrupt:
        leave(130)
    except BrokenPipeError:  # whoever reads has seen enough
        leave(0)
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        print(f"extremum: {where}{error.strerror or error}", file=sys.stderr)
        leave(2)


def _carry_out(words: Sequence[str], begin: Callable[[], Session]) -> int:
    """Run an errand, or be the engine; returns the exit status."""
    if words and words[0] in ERRANDS:
        status: int | None = _named(".", ERRANDS[words[0]])(words[1:])
        return status or 0
    name, words = (words[0], words[1:]) if words and words[0] in DIALECTS else (None, words)
    return play(words, begin(), name)


def pbrain() -> NoReturn:
    """Play under a Gomocup manager, which knows its engines by this prefix."""
    sys.argv.insert(1, "gomocup")
    main()


def play(words: Sequence[str], session: Session, name: str | None) -> int:
    """Be the engine until the client leaves, in the dialect of that name or of the client's first line."""
    given = Parser().parse_args(words)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    log = open_log(given.log)
    shown = carry_out_bounded(given, session)
    if shown is not None:
        sys.stdout.writelines(f"{text}\n" for text in shown)
        return 0
    dialect: Dialect[bytes] = Recognizer(session) if name is None else open_dialect(name, session)

    def connect(send: Send[bytes], finished: Callable[[], None]) -> Connection[bytes]:
        if log is None:
            return Connection(dialect, send, finished)
        return Connection(dialect, log.sending(send), finished, log.received)

    Stdio().serve(connect)
    return 0


def open_log(file: str | None) -> TrafficLog | None:
    """The traffic log, if one is wanted."""
    if file is None:
        return None
    try:
        return TrafficLog(Path(file))
    except OSError as error:
        raise BadFlagError(f"--log {file}: {error.strerror}") from error


def leave(status: int | None) -> NoReturn:
    """End the process now: a tournament manager waits for it, and no thread or library may hold it up."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):  # whatever could not be written has been told of
                stream.flush()
    os._exit(status or 0)


def _named(package: str, entry: str) -> Callable[..., Any]:
    """What a table's entry `module:name` stands for."""
    module, _, name = entry.partition(":")
    found: Callable[..., Any] = getattr(import_module(package + module, __package__), name)
    return found


if __name__ == "__main__":
    main()
