from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Color
from extremum.protocol.clients.client import Pace
from extremum.protocol.clients.fault import FaultError, Kind
from extremum.protocol.clients.zmq import ZmqClient
from tests.protocol.engine import ENGINE, HOME
from tests.protocol.servers import ServerProcess

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with ServerProcess("--brain", "random") as server:
        yield server


def soon() -> float:
    return time.monotonic() + 20


def test_a_session_on_a_server_plays(server: ServerProcess) -> None:
    client = ZmqClient([server.address], ["set_option seed 1"])
    client.greet(soon())
    client.begin(make_game("gomoku", 3), [(Color.BLACK, 0), (Color.WHITE, 3), (Color.BLACK, 1)], Pace(1.0), soon())
    assert client.genmove(Color.WHITE, None, soon()) in (2, 4, 5, 6, 7, 8)
    assert client.result(soon()) is None
    client.begin(make_game("othello", 6), [], Pace(main=10.0, increment=1.0), soon())
    assert client.genmove(Color.BLACK, 9.5, soon()) in range(36)
    client.begin(make_game("othello", 6), [], Pace(move=0.5, main=10.0), soon())  # both are told
    assert client.genmove(Color.BLACK, 9.5, soon()) in range(36)
    with pytest.raises(FaultError) as caught:
        client.play(Color.BLACK, 14, soon())
    assert caught.value.kind is Kind.REFUSAL
    client.close()
    server.wait_for_sessions(1)


def test_no_server_is_a_fault_at_the_start() -> None:
    with pytest.raises(FaultError) as caught:
        ZmqClient(["xyzzy"], []).greet(soon())
    assert caught.value.kind is Kind.START
    with pytest.raises(FaultError, match="takes no keys, or two"):
        ZmqClient(["tcp://127.0.0.1:1", "x"], []).greet(soon())


def test_a_server_that_is_not_there_is_waited_for_as_long_as_patience_lasts() -> None:
    client, begun = ZmqClient(["tcp://127.0.0.1:5"], []), time.monotonic()
    with pytest.raises(FaultError, match=r"does not start: cannot connect to tcp://127\.0\.0\.1:5"):
        client.greet(begun + 0.5)
    client.close()
    assert time.monotonic() - begun < 5.0


def test_a_match_is_played_on_a_server(server: ServerProcess, tmp_path: Path) -> None:
    command = [*ENGINE, "match", f"there=zmq:{server.address}", "random", "--game", "othello", "--size", "6"]
    run = [*command, "--games", "2", "-j", "1", "--out", str(tmp_path / "match")]
    done = subprocess.run(run, cwd=HOME, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^there .* 2 .* 0$", done.stdout, re.MULTILINE)  # two games, no faults
