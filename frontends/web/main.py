"""Serves the page to play in."""

from __future__ import annotations

import argparse
import ipaddress
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..flags import BadFlagError, add_search_limits
from ..limits import USUAL, add_limits
from ..shared.arguments import WindowParser, setup_of
from ..shared.dial import dials_of
from ..shared.play import Play
from ..shared.score import Score, score_file
from .server import Server
from .sessions import Sessions

GAMES = 8  # at a time, by default; fewer than the server's sessions, for each has a process of its own
SPARE = 128  # connections beside those of the games: whoever opens some and says nothing holds nobody up
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class WebParser(WindowParser):
    """Reads the command line."""

    def __init__(self) -> None:
        super().__init__("web", __doc__)
        self.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
        self.add_argument("--port", type=int, default=8008, help="the port (default 8008; 0 takes a free one)")
        self.add_argument("--name", action="append", default=[], help="another name browsers know this host by")
        add_search_limits(self)
        add_limits(self, replace(USUAL, sessions=GAMES))


def main(arguments: Sequence[str] = ()) -> int:
    """Serve until it is interrupted."""
    given = WebParser().parse_args(list(arguments))
    if not 0 <= given.port <= 65535:
        raise BadFlagError("--port: a number from 0 to 65535")
    setup, score = setup_of(given, given.search_time), Score(score_file())
    dials = dials_of(given, *engine_flags(given))

    def make(arrived: Callable[[], None]) -> Play:
        return Play(dials, setup, score, arrived=arrived, longest=given.search_time)

    sessions = Sessions(make, given.sessions, given.idle)
    names = LOOPBACK | {name.lower() for name in (given.host, *given.name)}
    try:
        places = 8 * given.sessions + SPARE
        server = Server((given.host, given.port), sessions, names, most=places, largest=given.message)
    except OSError as error:
        raise BadFlagError(f"--host {given.host} --port {given.port}: {error.strerror or error}") from error
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends us ends the engines with us
    try:
        print(f"extremum: the page is at http://{shown(given.host)}:{server.server_port}/", flush=True)
        server.serve_forever()
    finally:
        sessions.close()
    return 0


def engine_flags(given: argparse.Namespace) -> list[str]:
    """What holds an engine of ours to the limits; another engine's memory is its own command line's affair."""
    return ["--search-time", f"{given.search_time:g}", "--search-memory", str(given.search_memory), "--guest"]


def shown(host: str) -> str:
    """An address as a browser takes it."""
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host
