"""The page's limits, which are the server's, over real sockets and real engines."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from extremum.frontends.limits import USUAL
from extremum.frontends.web.main import WebParser
from tests.frontends.shared.plays import SLOW
from tests.frontends.web.page import serving
from tests.frontends.web.test_server import ask, post, where
from tests.protocol.engine import ENGINE

SETUP = {"game": "gomoku", "size": 8, "black": {"is_engine": False}, "white": {"is_engine": True, "brain": "rollout"}}


def test_the_limits_are_the_servers_by_name_and_by_default() -> None:
    given = WebParser().parse_args([])
    assert (given.search_time, given.search_memory) == (USUAL.seconds, USUAL.memory)
    assert (given.message, given.idle) == (USUAL.message, USUAL.idle)


@pytest.mark.parametrize("words", [["--search-time", "5", "--movetime", "6"], ["--movetime", "61"]])
def test_moves_that_take_too_long_are_no_command_line(words: list[str]) -> None:
    done = subprocess.run([*ENGINE, "web", *words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "at most" in done.stderr


def test_a_longer_message_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, "--engine", SLOW, "--message", "100") as (url, _):
        place = where(url)
        _, _, cookie = post(place, "/session", {})
        body = json.dumps({"action": "load", "sgf": "x" * 100}).encode()
        status = ask(place, "POST", "/do", body, Content_Type="application/json", Cookie=cookie.partition(";")[0])[0]
        assert status == 413


@pytest.mark.slow
@pytest.mark.parametrize("engine", [[], ["--engine", SLOW]], ids=["ours", "another"])
def test_no_search_takes_longer_than_is_allowed(tmp_path: Path, engine: list[str]) -> None:
    with serving(tmp_path, "--search-time", "1", "--search-memory", "4", *engine) as (url, server):
        place = where(url)
        cookie = post(place, "/session", {})[2].partition(";")[0]
        refusal = post(place, "/do", {"action": "begin", "setup": SETUP | {"movetime": 2}}, cookie)
        assert refusal[:2] == (200, {"error": "bad_longest", "values": ["1"]})
        begin = {"action": "begin", "setup": SETUP | {"movetime": 1, "main": 86400}}
        with watching(place, cookie) as see:
            see(lambda state: state["board"] is not None)
            assert post(place, "/do", begin, cookie)[0] == 200
            see(lambda state: state["setup"]["main"] == 86400 and state["board"] is not None)
            post(place, "/do", {"action": "play", "vertex": "D4"}, cookie)
            assert see(lambda state: state["ply"] == 2 and not state["thinking"])["board"]["side"] == "black"
            post(place, "/do", {"action": "analyze", "on": True}, cookie)
            state = see(lambda state: len(state["situation"]) > 1)
            assert state["situation"][1] == ["analysis_spent", "1"]
            assert state["analyzing"]
            assert state["thought"]["candidates"]
        for pid in children(server.pid):
            words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
            assert engine or words[-6:-1] == ["--search-time", "1", "--search-memory", "4", "--guest"]
            rest(pid)


@contextmanager
def watching(place: tuple[str, int], cookie: str) -> Iterator[Callable[[Callable[[Any], bool]], Any]]:
    """The stream of a page: waits for a state that is so, and returns it."""
    connection = http.client.HTTPConnection(*place, timeout=30)
    connection.request("GET", "/events", headers={"Cookie": cookie})
    stream = connection.getresponse()

    def see(condition: Callable[[Any], bool]) -> Any:
        deadline = time.monotonic() + 60
        for line in stream:
            assert time.monotonic() < deadline, line
            values = json.loads(line[6:]) if line.startswith(b"data: ") else {}
            if values and condition(values["state"]):
                return values["state"]
        raise AssertionError("the stream has ended")

    try:
        yield see
    finally:
        connection.close()


def children(pid: int) -> list[int]:
    """The processes that a server has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def rest(pid: int) -> None:
    """Wait until a process computes no more."""
    deadline, before = time.monotonic() + 20, -1.0
    while (now := cpu_seconds(pid)) - before > 0.1:
        assert time.monotonic() < deadline
        before = now
        time.sleep(0.5)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
