"""Plays on the Generic Game Server until it is told to stop: logs in, accepts challenges, comes back when cut off."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

from ..engine.errors import EngineError
from ..engine.options import Options
from ..engine.session import Session
from ..protocol.ggs.bot import Account, Bot, LoginError
from ..protocol.ggs.policy import LONGEST, SHORTEST, Policy
from ..protocol.transports.tcp import TcpLines
from .flags import BadFlagError

HOST, PORT = "skatgame.net", 5000
PASSWORD = "GGS_PASSWORD"  # the variable of the environment
POLL = 0.1  # seconds
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before another try


def main(arguments: Sequence[str] | None = None) -> int:
    """Play until interrupted, or until so many matches are over."""
    wishes = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    account = Account(wishes.login, _password(wishes.password_file))
    policy = Policy(wishes.matches, not wishes.private, wishes.shortest, wishes.longest)
    options = _options(wishes.option)

    def make() -> Session:
        session = Session(options)
        session.set_game("othello")
        session.set_brain(wishes.brain)
        return session

    Thread(target=lambda: make().be_ready(LONGEST_PAUSE), daemon=True).start()  # what the first game would wait for
    try:
        return _serve(wishes.host, wishes.port, account, policy, make, wishes.count)
    except LoginError as error:
        print(f"extremum: the server refuses '{wishes.login}': {error}", file=sys.stderr)
        return 1


def _serve(
    host: str, port: int, account: Account, policy: Policy, make: Callable[[], Session], count: int | None
) -> int:
    played, pause = 0, FIRST_PAUSE
    while count is None or played < count:
        try:
            played += _connected(host, port, account, policy, make, None if count is None else count - played)
            pause = FIRST_PAUSE
        except _CutError as cut:
            played += cut.played
            pause = FIRST_PAUSE if cut.was_in else min(2 * pause, LONGEST_PAUSE)
            logging.getLogger(__name__).warning("%s; again in %.0f s", cut, pause)
            time.sleep(pause)
    return 0


class _CutError(Exception):
    """The connection is gone; some matches may have been played over it."""

    def __init__(self, reason: str, played: int = 0, *, was_in: bool = False) -> None:
        super().__init__(reason)
        self.played = played
        self.was_in = was_in


def _connected(
    host: str, port: int, account: Account, policy: Policy, make: Callable[[], Session], count: int | None
) -> int:
    """Play over one connection until so many matches are over."""
    try:
        wire = TcpLines(host, port)
    except OSError as error:
        raise _CutError(f"{host}:{port}: {error.strerror or error}") from error
    bot = Bot(account, wire.send, make, policy)
    try:
        while count is None or bot.finished < count:
            for line in wire.receive(POLL):
                bot.receive(line)
            bot.tick()
        wire.send("quit")
        return bot.finished
    except OSError as error:
        raise _CutError(str(error), bot.finished, was_in=bot.is_in) from error
    finally:
        bot.close()
        wire.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="extremum ggs", description=__doc__)
    parser.add_argument("--host", default=HOST, help=f"the server (default {HOST})")
    parser.add_argument("--port", type=int, default=PORT, help=f"its port (default {PORT})")
    parser.add_argument("--login", required=True, help="the name to play under")
    parser.add_argument("--password-file", help=f"a file with the password (default: the variable {PASSWORD})")
    parser.add_argument("--matches", type=int, default=1, help="matches at once (default 1)")
    parser.add_argument("--count", type=int, help="leave after so many matches")
    parser.add_argument("--private", action="store_true", help="leave challenges to everybody alone")
    parser.add_argument("--shortest", type=float, default=SHORTEST, help="seconds a game that are needed")
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds a game that are too many")
    parser.add_argument("--brain", default="auto", help="who chooses the moves")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="any option of a session")
    return parser


def _password(file: str | None) -> str:
    if file is None:
        password = os.environ.get(PASSWORD, "")
        if not password:
            raise BadFlagError(f"there is no password: give --password-file, or set {PASSWORD}")
        return password
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFlagError(f"--password-file {file}: {getattr(error, 'strerror', None) or error}") from error
    if not lines or not lines[0].strip():
        raise BadFlagError(f"--password-file {file}: it is empty")
    return lines[0].strip()


def _options(wishes: Sequence[str]) -> Options:
    options = Options()
    for wish in wishes:
        name, _, value = wish.partition("=")
        try:
            options = options.changed(name, value)
        except EngineError as error:
            raise BadFlagError(f"--option {wish}: {error}") from error
    return options
