"""The Python client of a server: calls that return data.

    from extremum.protocol.client import Client

    with Client("tcp://127.0.0.1:5571") as engine:
        engine.ask("set_game", "othello")
        while engine.ask("gogui-rules_final_result") == "":
            color = engine.ask("gogui-rules_side_to_move")
            print(color, engine.ask("genmove", color))
        print(engine.ask("final_score")["result"])

`ask` carries out any command of the engine, `stream` gives the reports of an analysis as they come, `analyze` has a
position judged without touching the client's own game; of `begin_analysis` many may be under way at a time. A refusal
raises RefusalError, a server that is not there or does not answer in time raises LostError. After that the session and
its game are gone: begin a new one with a new client. A client belongs to one thread.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from itertools import count
from types import TracebackType
from typing import Any

import msgpack

from .transports.curve import ClientKeys
from .transports.dealer import Dealer, News

CONNECTING = 10.0  # seconds


class RefusalError(Exception):
    """What the engine says against a command; nothing has changed."""


class LostError(Exception):
    """The server cannot be reached, or has not answered in time."""


class Client:
    """A session on a server."""

    def __init__(
        self,
        address: str,
        keys: ClientKeys | None = None,
        timeout: float | None = None,
        connecting: float = CONNECTING,
    ) -> None:
        """Connects; every answer may take `timeout` seconds unless a call says otherwise, None is for ever."""
        self._timeout = timeout
        self._is_closed = False
        self._numbers = count(1)
        self._answers: dict[int, dict[str, Any]] = {}  # that came while another was waited for
        self._dealer = Dealer(address, keys)
        if not self._dealer.connect(connecting):
            self._dealer.close()
            raise LostError(f"cannot connect to {address}: there is no server, or it refuses the keys")

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def ask(self, command: str, *arguments: str | float, timeout: float | None = None) -> Any:
        """Carry out a command and wait for its result."""
        return self._result(self.send(command, *arguments), timeout)

    def send(self, command: str, *arguments: str | float) -> int:
        """Send a command ahead; its result is for `wait` to return."""
        return self._post(command, list(arguments))

    def wait(self, number: int, timeout: float | None = None) -> Any:
        """Wait for the result of what was sent or begun under this number."""
        return self._result(number, timeout)

    def stream(self, command: str, *arguments: str | float, timeout: float | None = None) -> Generator[Any, None, Any]:
        """Yield the reports of an analysis as they come; leaving the loop ends it.

        The result, a move where one was chosen, is what the iterator returns.
        """
        number = self._post(command, list(arguments))
        is_open = True
        try:
            while is_open:
                message = self._next(number, timeout)
                is_open = "report" in message
                if is_open:
                    yield message["report"]
            return _read(message)
        finally:
            if is_open and not self._is_closed:
                stop = self._post("stop", [])
                self._result(number, timeout)
                self._result(stop, timeout)

    def analyze(self, timeout: float | None = None, **query: Any) -> Any:
        """Have a position judged: game, size, mode, brain, moves, and limits with seconds, visits, depth."""
        return self._result(self.begin_analysis(**query), timeout)

    def begin_analysis(self, **query: Any) -> int:
        """Ask for an analysis and return its number at once, for `wait`, `wait_any` and `cancel`."""
        return self._post("analyze", query)

    def wait_any(self, timeout: float | None = None) -> tuple[int, Any]:
        """The number and the result of whatever is answered next."""
        if self._answers:
            number = next(iter(self._answers))
            return number, _read(self._answers.pop(number))
        message = self._receive(self._deadline(timeout))
        return message["id"], _read(message)

    def cancel(self, number: int) -> None:
        """Have an analysis refused; RefusalError when it is answered already."""
        self._result(self._post("cancel", {"id": number}), None)

    def close(self) -> None:
        """Leave; the server frees the session."""
        self._is_closed = True
        self._dealer.close()

    def _post(self, command: str, arguments: list[Any] | dict[str, Any]) -> int:
        number = next(self._numbers)
        if not self._dealer.send(msgpack.packb({"id": number, "cmd": command, "args": arguments})):
            raise self._lost("there is no connection")
        return number

    def _result(self, number: int, timeout: float | None) -> Any:
        while True:
            message = self._next(number, timeout)
            if "report" not in message:
                return _read(message)

    def _next(self, number: int, timeout: float | None) -> dict[str, Any]:
        """The next message that answers a number; those that answer others are kept, but for their reports."""
        if number in self._answers:
            return self._answers.pop(number)
        deadline = self._deadline(timeout)
        while True:
            message = self._receive(deadline)
            if message["id"] == number:
                return message
            if "report" not in message:
                self._answers[message["id"]] = message

    def _deadline(self, timeout: float | None) -> float | None:
        seconds = self._timeout if timeout is None else timeout
        return None if seconds is None else time.monotonic() + seconds

    def _receive(self, deadline: float | None) -> dict[str, Any]:
        while True:
            message = self._dealer.receive()
            if message is not None:
                found: dict[str, Any] = msgpack.unpackb(message)
                return found
            if News.LOST in self._dealer.news():
                raise self._lost("the connection was lost")
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise self._lost("no answer in time")
            self._dealer.wait(left)

    def _lost(self, why: str) -> LostError:
        return LostError(f"{self._dealer.address}: {why}")


def _read(message: dict[str, Any]) -> Any:
    if not message["ok"]:
        raise RefusalError(message["result"])
    return message["result"]
