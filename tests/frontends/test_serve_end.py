"""The end of the real server: whatever it was asked is answered, and soon."""

from __future__ import annotations

import json
import re
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgpack
import pytest
import zmq

from tests.protocol.engine import ENGINE, HOME
from tests.protocol.servers import THINKING, ServerProcess, ask, dealer, receive, say, send

pytestmark = pytest.mark.slow

VERTEX = r"[A-HJ-P]\d+"


def test_sigterm_has_searches_answer_and_ends_within_two_seconds(tmp_path: Path) -> None:
    pidfile = tmp_path / "pid"
    arguments = ("--pidfile", str(pidfile), "--log-format", "json")
    with ServerProcess(*arguments, command=THINKING) as server:
        assert int(pidfile.read_text()) == server.process.pid
        again = [*ENGINE, "serve", "--bind", "tcp://127.0.0.1:*", "--pidfile", str(pidfile)]
        second = subprocess.run(again, capture_output=True, text=True, timeout=30, cwd=HOME)
        assert "is serving already" in second.stderr
        with dealer(server.address) as one, dealer(server.address) as other, dealer(server.address) as third:
            ask(one, "set_option", "movetime", 50)
            send(one, "genmove", "w")
            send(other, "kata-analyze", "w", 1000)
            third.send(msgpack.packb({"id": 7, "cmd": "analyze", "args": {"limits": {"seconds": 50}}}))
            time.sleep(0.3)
            status, seconds = server.stop()
            assert status == 0
            assert seconds < 2
            assert receive(one)["result"] == "A15"
            assert "report" in receive(other)
            assert receive(other)["ok"]
            assert receive(third) == {"id": 7, "ok": False, "result": "the server is stopping"}
        assert not pidfile.exists()
        assert server.process.stderr is not None
        lines = [json.loads(line) for line in server.process.stderr.read().splitlines()]
        assert {"begin", "stop"} <= {line.get("event") for line in lines}


@pytest.mark.parametrize("seconds", [0.05, 0.3, 0.8, 1.5])
def test_sigterm_while_the_brains_are_loaded_leaves_no_search_without_its_answer(seconds: float) -> None:
    with ServerProcess("--movetime", "30", "--stdin", stdin=subprocess.PIPE) as server, ExitStack() as stack:
        sockets = [stack.enter_context(dealer(server.address)) for _ in range(8)]
        for socket in sockets:
            assert say(socket, "name") == "= Extremum\n\n"
        line, frame, suggestion, analysis, stream, query, clock, other = sockets
        assert server.process.stdin is not None
        server.process.stdin.write(b"genmove b\n")
        line.send(b"5 genmove b")
        send(frame, "lz-genmove_analyze", "b", 5, identity=6)
        suggestion.send(b"7 reg_genmove b")
        analysis.send(b"8 lz-analyze b 5")
        send(stream, "kata-analyze", "b", 5, identity=9)
        query.send(msgpack.packb({"id": 10, "cmd": "analyze", "args": {"limits": {"seconds": 30}}}))
        clock.send(b"1 time_settings 60 0 0\n2 genmove b\n")
        assert say(other, "name") == "= Extremum\n\n"  # what was sent before has come, too
        time.sleep(seconds)
        status, taken = server.stop()
        assert status == 0
        assert taken < 2
        assert re.fullmatch(rf"=5 {VERTEX}\n\n", line.recv().decode())
        assert re.fullmatch(VERTEX, last_frame(frame)["result"])
        assert re.fullmatch(rf"=7 {VERTEX}\n\n", suggestion.recv().decode())
        assert read_to_the_end(analysis).startswith("=8\n")
        assert last_frame(stream)["ok"]
        assert receive(query) == {"id": 10, "ok": False, "result": "the server is stopping"}
        assert clock.recv() == b"=1 \n\n"
        # Setting a clock waits for the brain; where that was quick, the move is under way.
        assert re.fullmatch(rf"=2 {VERTEX}\n\n|\?2 the server is stopping\n\n", clock.recv().decode())
        assert server.process.stdout is not None
        assert re.fullmatch(rf"= {VERTEX}\n\n", server.process.stdout.read().decode())


def test_sigterm_answers_also_those_who_wait_for_their_search() -> None:
    with ServerProcess("--searches", "2", "--movetime", "50", command=THINKING) as server, ExitStack() as stack:
        movers, analysts = ([stack.enter_context(dealer(server.address)) for _ in range(5)] for _ in range(2))
        for mover, analyst in zip(movers, analysts, strict=True):
            send(mover, "genmove", "b")
            send(analyst, "kata-analyze", "b", 100)
        other = stack.enter_context(dealer(server.address))
        while (found := ask(other, "status")["result"])["searches_waiting"] < 6:
            pass
        assert (found["searches"], found["searches_waiting"]) == (4, 6)
        send(movers[0], "stop", identity=2)
        assert receive(movers[0])["ok"]  # whose place is the next one's now, or who needs none
        assert receive(movers[0])["id"] == 2
        status, taken = server.stop()
        assert status == 0
        assert taken < 2
        answers = [last_frame(socket) for socket in (*movers[1:], *analysts)]
        assert {answer["result"] for answer in answers if not answer["ok"]} == {"the server is stopping"}
        assert sum(answer["ok"] for answer in answers) >= 4


def last_frame(socket: zmq.Socket[bytes]) -> dict[str, Any]:
    """The end of a streamed answer."""
    while "report" in (message := receive(socket)):
        pass
    found: dict[str, Any] = message
    return found


def read_to_the_end(socket: zmq.Socket[bytes]) -> str:
    """A streamed answer in lines."""
    told = ""
    while not told.endswith("\n\n"):
        told += socket.recv().decode()
    return told
