"""Serves the page to play in."""

from __future__ import annotations

import ipaddress
import signal
from collections.abc import Callable, Sequence

from ..flags import BadFlagError
from ..shared.arguments import WindowParser, setup_of
from ..shared.dial import dial
from ..shared.play import Play
from ..shared.score import Score, score_file
from .server import Server
from .sessions import Sessions

SPARE = 128  # connections beside those of the games: whoever opens some and says nothing holds nobody up
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class WebParser(WindowParser):
    """Reads the command line."""

    def __init__(self) -> None:
        super().__init__("web", __doc__)
        self.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
        self.add_argument("--port", type=int, default=8008, help="the port (default 8008; 0 takes a free one)")
        self.add_argument("--name", action="append", default=[], help="another name browsers know this host by")
        self.add_argument("--sessions", type=int, default=8, metavar="N", help="most games at a time (default 8)")
        self.add_argument("--idle", type=float, default=1800.0, metavar="SECONDS", help="until a game is closed")


def main(arguments: Sequence[str] = ()) -> int:
    """Serve until it is interrupted."""
    given = WebParser().parse_args(list(arguments))
    if given.sessions < 1 or given.idle <= 0 or not 0 <= given.port <= 65535:
        raise BadFlagError("--sessions, --idle and --port are numbers that make sense")
    setup, way, score = setup_of(given), dial(given.engine, given.connect), Score(score_file())

    def make(arrived: Callable[[], None]) -> Play:
        return Play(way, setup, score, arrived=arrived)

    sessions = Sessions(make, given.sessions, given.idle)
    names = LOOPBACK | {name.lower() for name in (given.host, *given.name)}
    try:
        server = Server((given.host, given.port), sessions, names, most=8 * given.sessions + SPARE)
    except OSError as error:
        raise BadFlagError(f"--host {given.host} --port {given.port}: {error.strerror or error}") from error
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends us ends the engines with us
    try:
        print(f"extremum: the page is at http://{shown(given.host)}:{server.server_port}/", flush=True)
        server.serve_forever()
    finally:
        sessions.close()
    return 0


def shown(host: str) -> str:
    """An address as a browser takes it."""
    try:
        return f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    except ValueError:
        return host
