"""A client in another language: Node's binding of ZeroMQ, and its msgpack."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.clients.libraries import CLIENTS
from tests.protocol.servers import ServerProcess


@pytest.mark.slow
def test_node_plays_a_game_and_hears_a_stream() -> None:
    with ServerProcess() as server:
        command = ["node", "zeromq.mjs", server.address]
        done = subprocess.run(command, cwd=CLIENTS, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        server.wait_for_sessions(1)
    seen = json.loads(done.stdout)
    assert seen["name"] == "Extremum"
    assert seen["board"]["moves"] == seen["moves"]
    discs = "".join(seen["board"]["rows"])
    margin = abs(discs.count("X") - discs.count("O"))
    assert seen["score"]["margin"] in (margin, margin + discs.count("."))
    assert seen["report"]["id"] == "stream"
    assert seen["report"]["report"]["candidates"][0]["move"] in ("B3", "C2", "D5", "E4")
    assert seen["last"] == {"id": "stop", "ok": True, "result": None}
    assert seen["line"] == "=5 Extremum\n\n"
