"""The page's server against bad requests, over real sockets."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.frontends.shared.plays import SLOW
from tests.frontends.web.page import serving
from tests.protocol.engine import ENGINE


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    with serving(tmp_path_factory.mktemp("state"), "--engine", SLOW, "--sessions", "2") as (url, _):
        yield where(url)


def where(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def ask(
    place: tuple[str, int], method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(*place, timeout=20)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        if body is not None and "Content_Length" not in headers:
            headers["Content_Length"] = str(len(body))
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def post(place: tuple[str, int], path: str, values: object, cookie: str = "", **headers: str) -> tuple[int, Any, str]:
    given = {"Content_Type": "application/json", **({"Cookie": cookie} if cookie else {}), **headers}
    status, told, body = ask(place, "POST", path, json.dumps(values).encode(), **given)
    return status, json.loads(body), told.get("Set-Cookie", "")


@pytest.fixture(scope="module")
def cookie(place: tuple[str, int]) -> str:
    _, _, cookie = post(place, "/session", {})
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    return cookie.partition(";")[0]


def test_the_page_and_its_parts_are_served_with_a_strict_policy(place: tuple[str, int]) -> None:
    for path in ("/", "/style.css", "/app.js", "/board.js", "/controls.js", "/keys.js", "/icon.svg", "/texts.json"):
        status, headers, body = ask(place, "GET", path)
        assert (status, bool(body)) == (200, True)
        assert headers["Content-Security-Policy"].startswith("default-src 'self'")


@pytest.mark.parametrize(
    "path",
    ["/../server.py", "/page/../../cli.py", "/%2e%2e/server.py", "//etc/passwd", "/app.js/", "/nothing", "/..\\x"],
)
def test_no_other_file_is_served(place: tuple[str, int], path: str) -> None:
    assert ask(place, "GET", path)[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8008", "", "127.0.0.1.evil.example", "[::2]:1"])
def test_another_hosts_name_gets_nothing(place: tuple[str, int], host: str) -> None:
    for path in ("/", "/events"):
        assert ask(place, "GET", path, Host=host)[0] == 421


def test_another_page_may_not_act(place: tuple[str, int]) -> None:
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
        assert post(place, "/session", {}, **headers)[0] == 403
    body = b"{}"
    assert ask(place, "POST", "/session", body, Content_Type="text/plain")[0] == 415


def test_bodies_that_are_no_requests_are_refused(place: tuple[str, int], cookie: str) -> None:
    for body in (b"{", b"[" * 100_000, b"\xff", b"[]", b"{}"):
        assert ask(place, "POST", "/do", body, Content_Type="application/json", Cookie=cookie)[0] == 400
    for length in ("9" * 20, "999999999999", "1048577", "-1", "x"):
        refused = ask(place, "POST", "/do", b"{}", Content_Type="application/json", Content_Length=length)
        assert refused[0] in (411, 413)


@pytest.mark.parametrize(
    "request_",
    [
        {"action": "quit"},
        {"action": 7},
        {"action": "play"},
        {"action": "play", "vertex": "A1\nquit"},
        {"action": "play", "vertex": "Z99"},
        {"action": "go_to", "ply": "1"},
        {"action": "go_to", "ply": True},
        {"action": "pause", "on": 1},
        {"action": "sit", "color": "red", "seat": {}},
        {"action": "load", "sgf": 1},
    ],
)
def test_an_action_that_is_none_is_refused(place: tuple[str, int], cookie: str, request_: dict[str, object]) -> None:
    status, told, _ = post(place, "/do", request_, cookie)
    assert status == 400
    assert told["error"]


def test_the_places_are_limited_and_free_again_after_a_while(tmp_path: Path) -> None:
    with serving(tmp_path, "--engine", SLOW, "--sessions", "1", "--idle", "1") as (url, _):
        place = where(url)
        status, _, cookie = post(place, "/session", {})
        assert status == 200
        assert post(place, "/session", {})[:2] == (503, {"error": "full"})
        assert post(place, "/session", {}, cookie.partition(";")[0])[0] == 200
        time.sleep(1.2)
        assert post(place, "/session", {})[0] == 200
        assert post(place, "/do", {"action": "undo"}, cookie.partition(";")[0])[:2] == (410, {"error": "asleep"})


def test_whoever_connects_and_says_nothing_does_not_hold_others_up(place: tuple[str, int]) -> None:
    silent = [socket.create_connection(place) for _ in range(100)]
    try:
        assert ask(place, "GET", "/")[0] == 200
    finally:
        for connection in silent:
            connection.close()


def test_a_stranger_has_no_stream_and_no_record(place: tuple[str, int]) -> None:
    assert ask(place, "GET", "/events", Cookie="extremum=guess")[0] == 410
    assert post(place, "/sgf", {}, "extremum=guess")[0] == 410


@pytest.mark.parametrize("words", [["--port", "-1"], ["--sessions", "0"], ["--host", "999.1.1.1"], ["--size", "2"]])
def test_a_bad_command_line_gets_one_clear_line(words: list[str]) -> None:
    done = subprocess.run([*ENGINE, "web", *words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
