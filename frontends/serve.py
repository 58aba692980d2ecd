"""Serves many clients at once, over ZeroMQ."""

from __future__ import annotations

import argparse
import ctypes
import json
import logging
import os
import re
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ..engine.bounds import Bounds
from ..engine.search.opened import Evaluators
from ..engine.session import Session
from ..protocol.connection import Connection, Send
from ..protocol.gtp import Gtp
from ..protocol.server import Server, ServerLimits
from ..protocol.transports.curve import ServerKeys, read_keys
from ..protocol.transports.stdio import Stdio
from ..protocol.transports.zeromq import Router
from .flags import BadFlagError, Parser, carry_out, count
from .limits import add_limits

ADDRESS = "tcp://127.0.0.1:5571"
PLACE = re.compile(r"tcp://.+:(\*|\d+)|(?!tcp:)\w+://.+")
LOCAL = re.compile(r"ipc://.+|tcp://(127\.\d+\.\d+\.\d+|localhost|\[::1\]):(\d+|\*)")
LAST_PORT = 65535
MMAP_THRESHOLD, LARGE = -3, 1 << 18  # of mallopt, and bytes
LAST_LINES = 0.3  # seconds for standard input to be answered, beyond those that the clients had
SWITCHING = 0.001  # seconds that a thread may keep the interpreter from others, who may have a clock to watch


def main(words: Sequence[str], make: Callable[..., Session] = Session) -> int:
    """Serve until SIGTERM or SIGINT."""
    given = parser().parse_args(words)
    set_up_log(given.log_format)
    refuse_open_doors([*addresses(given), *([given.publish] if given.publish else [])], given)
    begin = beginner(given, make)
    server = Server(limits_of(given), begin, folder(given.log_dir))
    server.new_session()  # what is wrong with the flags shows now
    raise_file_limit()
    give_memory_back()
    sys.setswitchinterval(SWITCHING)
    try:
        router = Router(server, addresses(given), given.publish, keys_of(given))
    except OSError as error:
        raise BadFlagError(f"cannot serve at {error.filename}: {error.strerror}") from error
    # Claims standard output, which a server that does not serve standard input leaves to others.
    own = StdinServer(begin(Bounds(), None)) if given.stdin else None
    stop_by_signal(router, own)
    with_pidfile(given.pidfile, lambda: run(router, own))
    return 0


def stop_by_signal(router: Router, own: StdinServer | None) -> None:
    """Let SIGTERM and SIGINT end what is served; whoever reads that it is served may send them."""

    def stop(*_: object) -> None:
        router.stop()
        if own is not None:
            own.finish()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)


def run(router: Router, own: StdinServer | None) -> None:
    """Serve, and standard input too if that is wished."""
    log = logging.getLogger(__name__)
    for address in router.addresses:
        log.info("serving at %s", address, extra={"event": "serve", "address": address})
    if router.published is not None:
        log.info("publishing at %s", router.published, extra={"event": "publish", "address": router.published})
    if own is not None:
        own.start()
    router.run()
    if own is not None:
        own.join(LAST_LINES)
    log.info("stopped", extra={"event": "stop"})


class StdinServer:
    """Standard input as a server's own client, who may use files; its end is not the server's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stdio = Stdio()
        self._thread = threading.Thread(target=self._stdio.serve, args=(self._connect,), daemon=True)

    def start(self) -> None:
        """Serve, in a thread."""
        self._thread.start()

    def finish(self) -> None:
        """Have the search under way answer now."""
        self._stdio.finish()

    def join(self, seconds: float) -> None:
        """Wait until everything is answered, so long at most."""
        self._thread.join(seconds)

    def _connect(self, send: Send[bytes], finished: Callable[[], None]) -> Connection[bytes]:
        return Connection(Gtp(self._session), send, finished)


def parser() -> Parser:
    """The flags of a server; those of the engine are what every session begins with."""
    flags = Parser("extremum serve")
    usual = ServerLimits()
    flags.add_argument("--bind", action="append", metavar="ADDRESS", help=f"where to serve (default {ADDRESS})")
    flags.add_argument("--ipc", action="append", default=[], metavar="PATH", help="serve at a local socket too")
    flags.add_argument("--publish", metavar="ADDRESS", help="publish analyses, a topic for each session")
    flags.add_argument("--stdin", action="store_true", help="serve standard input too")
    flags.add_argument("--server-key", metavar="FILE", help="this server's secret key (see extremum keygen)")
    flags.add_argument("--authorized-clients", metavar="DIR", help="public keys of those who may connect")
    flags.add_argument(
        "--insecure", action="store_true", help="serve everybody, on other addresses than this machine's"
    )
    add_limits(flags, usual)
    flags.add_argument(
        "--queue", type=count, default=usual.queue, metavar="N", help="most messages of a client waiting"
    )
    flags.add_argument(
        "--searches", type=count, default=usual.searches, metavar="N", help="most searches at a time; others wait"
    )
    flags.add_argument("--pidfile", metavar="FILE", help="write the process's number")
    flags.add_argument("--log-dir", metavar="DIR", help="a transcript of each session")
    flags.add_argument("--log-format", choices=("text", "json"), default="text", help="of the log on standard error")
    return flags


def beginner(given: argparse.Namespace, make: Callable[..., Session]) -> Callable[[Bounds, Evaluators | None], Session]:
    """How a session begins: with the flags carried out."""

    def begin(bounds: Bounds, evaluators: Evaluators | None) -> Session:
        session = make(bounds=replace(bounds, is_guest=False), evaluators=evaluators)
        if carry_out(given, session) is not None:
            raise BadFlagError("a flag that only shows something is none of a server")
        session.bounds = bounds  # whoever starts the server may name files, its clients may not
        return session

    return begin


def addresses(given: argparse.Namespace) -> list[str]:
    """Where to serve."""
    local = [f"ipc://{Path(path).absolute()}" for path in given.ipc]
    return [*(given.bind or ([] if local else [ADDRESS])), *local]


def refuse_open_doors(wanted: Sequence[str], given: argparse.Namespace) -> None:
    """Refuse to serve the world without keys, unless that is what is wanted."""
    if bool(given.server_key) != bool(given.authorized_clients):
        raise BadFlagError("--server-key and --authorized-clients belong together")
    if given.server_key and given.insecure:
        raise BadFlagError("--insecure and --server-key contradict each other")
    for address in wanted:
        refuse_no_place(address)
        if not given.server_key and not given.insecure and LOCAL.fullmatch(address) is None:
            raise BadFlagError(
                f"{address} can be reached from elsewhere: give --server-key and --authorized-clients, or --insecure"
            )


def refuse_no_place(address: str) -> None:
    """Refuse what is no address; ZeroMQ would take the port of some."""
    place = PLACE.fullmatch(address)
    if place is None:
        raise BadFlagError(f"cannot serve at {address}: it is no address, as {ADDRESS} or ipc://PATH")
    if place[1] not in (None, "*") and (len(place[1]) > 5 or int(place[1]) > LAST_PORT):
        raise BadFlagError(f"cannot serve at {address}: ports end at {LAST_PORT}")


def keys_of(given: argparse.Namespace) -> ServerKeys | None:
    """The server's keys, if it has some."""
    if not given.server_key:
        return None
    authorized = Path(given.authorized_clients)
    if not authorized.is_dir():
        raise BadFlagError(f"--authorized-clients {authorized}: there is no such folder")
    try:
        return ServerKeys(read_keys(Path(given.server_key), with_secret=True), authorized)
    except (OSError, ValueError) as error:
        raise BadFlagError(f"--server-key {given.server_key}: {error}") from error


def limits_of(given: argparse.Namespace) -> ServerLimits:
    """What clients may use up."""
    memory, searches = given.search_memory, given.searches
    return ServerLimits(given.sessions, given.queue, given.message, given.idle, given.search_time, memory, searches)


def folder(path: str | None) -> Path | None:
    """A folder, made if it is not there."""
    if path is None:
        return None
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFlagError(f"--log-dir {path}: {error.strerror}") from error
    return Path(path)


def with_pidfile(file: str | None, serve: Callable[[], None]) -> None:
    """Serve while a file holds the process's number; one that another living process has is not taken over."""
    if file is None:
        serve()
        return
    path = Path(file)
    try:
        if path.exists() and is_alive(path.read_text()):
            raise BadFlagError(f"--pidfile {file}: process {path.read_text().strip()} is serving already")
        path.write_text(f"{os.getpid()}\n")
    except OSError as error:
        raise BadFlagError(f"--pidfile {file}: {error.strerror}") from error
    try:
        serve()
    finally:
        path.unlink(missing_ok=True)


def is_alive(text: str) -> bool:
    """True when that is the number of a living process, which is not this one."""
    if not text.strip().isdecimal() or int(text) == os.getpid():
        return False
    try:
        os.kill(int(text), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def raise_file_limit() -> None:
    """Allow as many connections as the system does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def give_memory_back() -> None:
    """Have large blocks returned to the system when they are free; glibc would begin to keep them."""
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # other libraries have none, and do it anyway
        if mallopt is not None:
            mallopt(MMAP_THRESHOLD, LARGE)


class JsonFormatter(logging.Formatter):
    """A log line as a JSON object, for programs that read logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level and message, and the session and the event where there are some."""
        told = {"time": round(time.time(), 3), "level": record.levelname.lower(), "message": record.getMessage()}
        told |= {name: getattr(record, name) for name in ("event", "session", "address") if hasattr(record, name)}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told)


def set_up_log(form: str) -> None:
    """Log on standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if form == "json" else logging.Formatter("%(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
