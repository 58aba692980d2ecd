"""Requests that need no session, over real sockets: they wait for nothing that the session does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
import zmq

from tests.protocol.servers import THINKING, ServerProcess, ask, dealer, receive, send

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with ServerProcess("--brain", "alphabeta", "--size", "9") as server:
        yield server


def test_analyses_come_in_any_order(server: ServerProcess) -> None:
    with dealer(server.address) as socket:

        def analyze(identity: int, **query: Any) -> None:
            socket.send(msgpack.packb({"id": identity, "cmd": "analyze", "args": query}))

        analyze(1, game="gomoku", size=9, moves=["E5", "E6"], limits={"seconds": 0.2})
        analyze(2, game="othello", moves=["D3", ["white", "C3"]], limits={"visits": 300}, brain="rollout")
        analyze(3, game="gomoku", size=3, moves=["A1", "B1", "A2", "B2", "A3"])
        analyze(4, game="othello", moves=["A1"])
        analyze(5, game="gomoku", moves=[], limits={"seconds": 50})
        analyze(6, moves="E5")
        socket.send(msgpack.packb({"id": 7, "cmd": "cancel", "args": {"id": 5}}))
        socket.send(msgpack.packb({"id": 8, "cmd": "cancel", "args": {"id": 99}}))
        answers = {answer["id"]: answer for answer in (receive(socket) for _ in range(8))}
        assert answers[1]["result"]["move"] == answers[1]["result"]["candidates"][0]["move"]
        assert answers[1]["result"]["side_to_move"] == "black"
        assert answers[2]["result"]["visits"] >= 300
        assert answers[3]["result"]["outcome"]["result"] == "B+1"
        assert answers[4]["result"].startswith("illegal move: A1")
        assert answers[5] == {"id": 5, "ok": False, "result": "cancelled"}
        assert answers[6]["result"] == "syntax error: moves are a list"
        assert answers[7]["ok"]
        assert answers[8]["result"] == "unknown id 99"
        assert ask(socket, "showboard")["result"]["moves"] == []


def request(socket: zmq.Socket[bytes], command: str, identity: int, **arguments: Any) -> None:
    socket.send(msgpack.packb({"id": identity, "cmd": command, "args": arguments}))


def test_neither_analyses_nor_their_end_wait_behind_a_search_of_the_session() -> None:
    with ServerProcess("--movetime", "50", command=THINKING) as server, dealer(server.address) as socket:
        send(socket, "genmove", "b", identity=1)
        send(socket, "name", identity=2)
        request(socket, "analyze", 3, limits={"seconds": 50})
        request(socket, "analyze", 4, limits={"visits": 5})
        request(socket, "cancel", 5, id=3)
        request(socket, "cancel", 6, id=3)
        request(socket, "analyze", 7, moves=5)
        answers = [receive(socket) for _ in range(5)]
        assert {answer["id"]: answer["ok"] for answer in answers} == {3: False, 4: True, 5: True, 6: False, 7: False}
        assert {"id": 3, "ok": False, "result": "cancelled"} in answers
        send(socket, "name", identity=8)
        socket.send(b"# interrupt")
        assert [receive(socket)["id"] for _ in range(3)] == [1, 2, 8]


def test_a_request_does_not_end_the_analysis_that_the_session_streams() -> None:
    with ServerProcess(command=THINKING) as server, dealer(server.address) as socket:
        send(socket, "kata-analyze", "b", 1, identity=1)
        request(socket, "analyze", 2, limits={"visits": 5})
        request(socket, "cancel", 3, id=9)
        found = [receive(socket) for _ in range(3)]
        while not {2, 3} <= {each["id"] for each in found}:
            found.append(receive(socket))
        assert all("report" in each for each in found if each["id"] == 1)
        assert "report" in receive(socket)
        send(socket, "stop", identity=4)
        while "report" in (answer := receive(socket)):
            pass
        assert answer["id"] == 1
        assert receive(socket)["id"] == 4


def test_only_so_many_analyses_may_wait_and_all_are_cancelled_at_once() -> None:
    with ServerProcess("--queue", "50", command=THINKING) as server, dealer(server.address) as socket:
        for number in range(60):
            request(socket, "analyze", number, limits={"seconds": 50})
        refused = [receive(socket) for _ in range(10)]
        assert [answer["id"] for answer in refused] == list(range(50, 60))
        assert {answer["result"] for answer in refused} == {"too many analyses: at most 50 at a time"}
        begun = time.monotonic()
        for number in range(50):
            request(socket, "cancel", 100 + number, id=number)
        answers = [receive(socket) for _ in range(100)]
        assert sum(answer["ok"] for answer in answers) == 50
        assert time.monotonic() - begun < 5
        assert ask(socket, "status")["result"]["analyses_waiting"] == 0
