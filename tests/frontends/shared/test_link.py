"""The wires: a program that is closed in mid-search, and servers over real sockets."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq

from extremum.engine.session import Session
from extremum.frontends.flags import BadFlagError
from extremum.frontends.shared.dial import dial
from extremum.frontends.shared.link import Dials
from extremum.frontends.shared.play import Play
from extremum.frontends.shared.score import Score
from extremum.protocol.connection import Connection
from extremum.protocol.gtp import Gtp
from tests.frontends.shared.plays import AGAINST_RANDOM, SLOW, TWO_PEOPLE, playing, pump, settle
from tests.protocol.engine import ENGINE

pytestmark = pytest.mark.slow


class SmallServer:
    """One engine behind a ROUTER socket: a frame is a line, an answer a frame or several."""

    def __init__(self) -> None:
        self._context = zmq.Context()
        self._router = self._context.socket(zmq.ROUTER)
        self.port = self._router.bind_to_random_port("tcp://127.0.0.1")
        self._outgoing: list[bytes] = []
        self._connection = Connection(Gtp(Session()), self._outgoing.append)
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=self._connection.run), threading.Thread(target=self._serve)]
        for thread in self._threads:
            thread.start()

    def _serve(self) -> None:
        peer = b""
        while not self._ending.is_set():
            if self._router.poll(5):
                peer, line = self._router.recv_multipart()
                self._connection.receive(line)
            while self._outgoing:
                self._router.send_multipart([peer, self._outgoing.pop(0)])
        self._context.destroy(linger=0)

    def close(self) -> None:
        self._ending.set()
        self._connection.hang_up()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def server() -> Iterator[SmallServer]:
    server = SmallServer()
    yield server
    server.close()


def exchange_moves(play: Play) -> None:
    """Begin the game: a move of ours, and the engine's reply."""
    settle(play)
    play.play("E5")
    settle(play)
    assert [color for color, _ in play.line.moves] == ["black", "white"]


def test_a_game_is_played_over_a_server(server: SmallServer, tmp_path: Path) -> None:
    play = Play(Dials(dial(None, f"tcp://127.0.0.1:{server.port}")), AGAINST_RANDOM, Score(tmp_path / "score.json"))
    try:
        exchange_moves(play)
        server.close()
        pump(play, lambda: play.driver.dead is not None)
        assert play.driver.dead is not None
        assert play.driver.dead.reason == f"no server answers at 'tcp://127.0.0.1:{server.port}'"
    finally:
        play.close()
        play.driver.join()


def test_a_game_is_played_over_the_real_server_in_its_own_process(tmp_path: Path) -> None:
    command = [*ENGINE, "serve", "--bind", "tcp://127.0.0.1:*"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().partition("serving at ")[2].strip()
        play = Play(Dials(dial(None, address)), AGAINST_RANDOM, Score(tmp_path / "score.json"))
        try:
            exchange_moves(play)
            server.terminate()
            pump(play, lambda: play.driver.dead is not None)
            assert play.driver.dead is not None
            assert address in play.driver.dead.reason
        finally:
            server.kill()
            play.close()
            play.driver.join()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "tcp://nowhere.invalid:1", "nonsense", "tcp://127.0.0.1"])
def test_an_unreachable_server_is_told_within_seconds(address: str, tmp_path: Path) -> None:
    play = Play(Dials(dial(None, address)), TWO_PEOPLE, Score(tmp_path / "score.json"))
    try:
        pump(play, lambda: play.driver.dead is not None, timeout=10)
        assert play.driver.dead is not None
        assert address in play.driver.dead.reason
    finally:
        play.close()
        play.driver.join()


def test_an_engine_that_is_left_in_mid_search_is_gone_within_three_seconds(tmp_path: Path) -> None:
    with playing(tmp_path, AGAINST_RANDOM, SLOW) as play:
        settle(play)
        play.play("E5")
        pump(play, lambda: play.driver.thinking)
        pid = play.driver.engine._link._process.pid  # type: ignore[attr-defined]  # whose end is looked for
        begun = time.monotonic()
        play.close()
        closed = time.monotonic()
        play.driver.join()
        assert closed - begun < 0.1
        assert time.monotonic() - begun < 3
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_an_engine_that_ignores_everything_is_ended_by_force(tmp_path: Path) -> None:
    with playing(tmp_path, TWO_PEOPLE, "sleep 600") as play:
        begun = time.monotonic()
        play.close()
        play.driver.join()
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize("command", ["", "'unfinished"])
def test_a_command_line_that_is_none_is_refused(command: str) -> None:
    with pytest.raises(BadFlagError, match="--engine"):
        dial(command, None)
