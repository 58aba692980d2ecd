"""A process that plays games, one after the other or many at once; it ends with whoever started it."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import IO, Any, TypeAlias

from ...engine.evaluators.lockstep import Strands
from ...engine.games.game import Color
from ...engine.search.opened import Evaluators, KeptEvaluators
from ...engine.search.stranded import StrandedEvaluators
from ...protocol.clients.client import Client
from ...protocol.clients.fault import FaultError, Kind
from ...protocol.clients.gomocup import GomocupClient
from ...protocol.clients.gtp import GtpClient
from ...protocol.clients.nboard import NBoardClient
from ...protocol.clients.process import GRACE, kill_group
from ...protocol.clients.zmq import ZmqClient
from .engines import OWN, Engine
from .own import OwnClient
from .referee import Account, Referee
from .schedule import Fixture
from .settings import Settings

ATTEMPTS = 3  # games that an engine does not begin, before it is left alone
External: TypeAlias = GtpClient | GomocupClient | NBoardClient | ZmqClient
CLIENTS: dict[str, type[External]] = {
    "gtp": GtpClient,
    "gomocup": GomocupClient,
    "nboard": NBoardClient,
    "zmq": ZmqClient,
}


class Worker:
    """Plays what it is told, keeping engines alive from game to game; ours share their evaluators."""

    def __init__(
        self, settings: Settings, report: Callable[[dict[str, Any]], None], evaluators: Evaluators | None = None
    ) -> None:
        self._settings = settings
        self._report = report
        self._terms = settings.terms()
        self._evaluators = evaluators or KeptEvaluators()
        self._running: dict[str, External] = {}
        self._starting = threading.Lock()  # held while a process is started that is not yet known
        self._failed: dict[str, tuple[int, FaultError]] = {}  # games in a row that an engine did not begin, and why

    def play(self, fixture: Fixture) -> None:
        """Play a game and report it; a bug in one of our own engines ends the process, after the report."""
        settings = self._settings
        seated = {Color.BLACK: settings.engines[fixture.black], Color.WHITE: settings.engines[fixture.white]}
        names = {color: engine.name for color, engine in seated.items()}
        self._keep(set(names.values()))
        makers = {color: self._maker(engine, fixture.number * 2 + color) for color, engine in seated.items()}
        here = [color for color, engine in seated.items() if engine.protocol == OWN]
        referee = Referee(self._terms, makers, here)
        account: Account | None = None
        try:
            account = referee.play(settings.openings[fixture.opening])
            self._note(account, names)
        finally:
            ended = account is None
            told = account or referee.abandon(f"{sys.exc_info()[1]!r}")
            self._report({"result": _result(fixture, told, names), "ended": ended})

    def _note(self, account: Account, names: dict[Color, str]) -> None:
        """End what must be started anew, and count the games in a row that an engine has not begun."""
        for color in account.broken:
            self._end(names[color], grace=0.0)
        if account.begun:
            for name in names.values():
                self._failed.pop(name, None)
        elif account.culprit is not None:
            name = names[account.culprit]
            times, first = self._failed.get(name, (0, FaultError(Kind(account.reason), account.text)))
            self._failed[name] = times + 1, first

    def kill(self) -> None:
        """End every engine at once, and start no other: this process is about to end, too."""
        self._starting.acquire()
        for client in list(self._running.values()):
            if client.pid is not None:
                kill_group(client.pid)

    def close(self) -> None:
        """End every engine in peace."""
        self._keep(set())

    def _maker(self, engine: Engine, number: int) -> Callable[[], Client]:
        if engine.protocol == OWN:
            seed = 1 + (self._settings.seed * 1_000_003 + number) % (2**31 - 2)
            return lambda: OwnClient(engine, seed, self._evaluators)
        return lambda: self._external(engine)

    def _external(self, engine: Engine) -> Client:
        running = self._running.get(engine.name)
        if running is not None:
            return running
        times, first = self._failed.get(engine.name, (0, None))
        if first is not None and times >= ATTEMPTS:
            raise FaultError(first.kind, f"not tried again: {first.text}")
        with self._starting:
            client = CLIENTS[engine.protocol](engine.command, engine.setup, lenient=engine.lenient)
            self._running[engine.name] = client
        self._tell_engines()  # before it has said a word: whoever is stuck must be ended, too
        client.greet(time.monotonic() + self._terms.patience)
        if (remark := client.remark(self._terms.pace)) is not None:
            self._report({"remark": f"{engine.name}: {remark}"})
        return client

    def _keep(self, names: set[str]) -> None:
        for name in set(self._running) - names:
            self._end(name, grace=GRACE)

    def _end(self, name: str, *, grace: float) -> None:
        client = self._running.pop(name, None)
        if client is not None:
            client.close(grace)
            self._tell_engines()

    def _tell_engines(self) -> None:
        """Say which processes are to be ended should this one be killed."""
        pids = [client.pid for client in list(self._running.values())]
        self._report({"engines": [pid for pid in pids if pid is not None]})


def main() -> None:
    """Read the settings and then the games from standard input, a JSON line each; write a line for each result."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # nothing else may write among the answers
    reader = os.fdopen(0, "rb", buffering=0, closefd=False)  # a buffer's lock would be in the way of a sudden end
    first = json.loads(reader.readline())
    if first["cpu"] is not None:
        os.sched_setaffinity(0, {first["cpu"]})
    settings, strands = Settings.from_json(first["settings"]), Strands()
    worker = Worker(settings, _writer(answers), StrandedEvaluators(strands) if first["together"] > 1 else None)
    inbox = queue.SimpleQueue[Fixture | None]()
    threading.Thread(target=_listen, args=(reader, inbox, worker), daemon=True).start()
    _serve(worker, inbox, strands, first["together"])


def _writer(answers: IO[bytes]) -> Callable[[dict[str, Any]], None]:
    lock = threading.Lock()

    def write(message: dict[str, Any]) -> None:
        with lock:  # a line is whole
            answers.write(json.dumps(message).encode() + b"\n")

    return write


def _serve(worker: Worker, inbox: queue.SimpleQueue[Fixture | None], strands: Strands, together: int) -> None:
    """Play so many games at once until there is nothing more to play, or a bug ends the process."""
    try:
        while True:
            while len(strands) < together and not (strands and inbox.empty()):
                fixture = inbox.get()
                if fixture is None:
                    worker.close()
                    os._exit(0)
                strands.begin(partial(worker.play, fixture))
            strands.go_round()
    except BaseException:
        traceback.print_exc()
        worker.kill()
        os._exit(1)


def _listen(reader: IO[bytes], inbox: queue.SimpleQueue[Fixture | None], worker: Worker) -> None:
    """Wait for games, and for the end of the input, which comes also when the starter dies."""
    for line in reader:
        message = json.loads(line)
        inbox.put(None if message is None else Fixture(**message))
    worker.kill()
    os._exit(0)


def _result(fixture: Fixture, account: Account, names: dict[Color, str]) -> dict[str, Any]:
    return {
        "number": fixture.number,
        "pair": fixture.pair,
        "black": names[Color.BLACK],
        "white": names[Color.WHITE],
        "opening": fixture.opening,
        "score": account.score,
        "result": account.result,
        "reason": account.reason,
        "culprit": "" if account.culprit is None else names[account.culprit],
        "text": account.text,
        "claims": {names[color]: str(Kind.CLAIM) + f": {claim}" for color, claim in account.claims.items()},
        "late": {names[color]: fault for color, fault in account.late.items()},
        "moves": account.moves,
        "seconds": [None if seconds is None else round(seconds, 4) for seconds in account.seconds],
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


if __name__ == "__main__":
    main()
