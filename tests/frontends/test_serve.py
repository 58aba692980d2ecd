"""The life of the real server: its limits, its doors, its end, and what is written down."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import zmq

from extremum.engine.session import Session
from extremum.frontends.flags import BadFlagError
from extremum.frontends.serve import main
from extremum.protocol.client import Client, LostError, RefusalError
from extremum.protocol.gtp import Gtp
from extremum.protocol.transports.curve import ClientKeys, make_keys, read_keys
from tests.doubles import FakeWaiting, RecordingSend
from tests.protocol import transcripts
from tests.protocol.engine import ENGINE, HOME
from tests.protocol.servers import THINKING, ServerProcess, ask, dealer, say, send

pytestmark = pytest.mark.slow


def refused(*words: str) -> str:
    """What is said of flags that cannot be honored."""
    done = subprocess.run([*ENGINE, *words], capture_output=True, text=True, timeout=30, cwd=HOME)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("extremum: ").strip()


def test_sessions_are_limited_and_end_when_nobody_uses_them() -> None:
    with ServerProcess("--sessions", "2", "--idle", "1.5") as server:
        address = server.address
        with dealer(address) as one, dealer(address) as other, dealer(address) as third:
            assert ask(one, "play", "b", "A1")["ok"]
            assert ask(other, "name")["ok"]
            assert ask(third, "name", identity=9) == {"id": 9, "ok": False, "result": "too many sessions: at most 2"}
            assert say(third, "4 name") == "?4 too many sessions: at most 2\n\n"
            deadline = time.monotonic() + 10
            while not ask(third, "name")["ok"]:
                assert time.monotonic() < deadline
                time.sleep(0.1)
            assert say(one, "undo") == "? session ended: no message for 1.5 s\n\n"
            assert say(one, "undo") == "? cannot undo\n\n"


class Keyring:
    """Keys of a server, of a friend whom it knows, of a stranger, and of a friend who trusts another server."""

    def __init__(self, folder: Path) -> None:
        authorized = folder / "authorized"
        _, secret = make_keys(folder, "server")
        make_keys(folder, "stranger")
        make_keys(authorized, "friend")
        self.server_flags = ["--server-key", str(secret), "--authorized-clients", str(authorized)]
        self.friend_flags = ["--key", str(authorized / "friend.key_secret"), "--server-key", str(folder / "server.key")]
        public = read_keys(folder / "server.key", with_secret=False)
        self.friend = ClientKeys(read_keys(authorized / "friend.key_secret", with_secret=True), public)
        self.stranger = ClientKeys(read_keys(folder / "stranger.key_secret", with_secret=True), public)
        self.misled = ClientKeys(self.friend.own, self.stranger.own)


def test_keys_are_made_for_their_owner_alone_and_never_twice(tmp_path: Path) -> None:
    words = ["keygen", "friend", "--dir", str(tmp_path)]
    assert subprocess.run([*ENGINE, *words], capture_output=True, cwd=HOME).returncode == 0
    assert (tmp_path / "friend.key_secret").stat().st_mode & 0o077 == 0
    assert "exists already" in refused(*words)


def test_only_those_with_keys_are_served(tmp_path: Path) -> None:
    keys = Keyring(tmp_path)
    with ServerProcess(*keys.server_flags) as server:
        with Client(server.address, keys.friend) as client:
            assert client.ask("name") == "Extremum"
        with pytest.raises(LostError, match="refuses the keys"):
            Client(server.address, keys.stranger)
        server.read_until("a client was refused")
        for wrong in (keys.stranger, keys.misled, None):
            with dealer(server.address, rcvtimeo=700, **options_of(wrong)) as socket:
                socket.send(b"name")
                with pytest.raises(zmq.Again):
                    socket.recv()
        command = [*ENGINE, "connect", server.address, *keys.friend_flags]
        done = subprocess.run(command, input=b"name\nquit\n", capture_output=True)
        assert (done.returncode, done.stdout) == (0, b"= Extremum\n\n= \n\n")


def test_only_those_with_keys_hear_what_is_published(tmp_path: Path) -> None:
    keys = Keyring(tmp_path)
    with ServerProcess(*keys.server_flags, "--publish", "tcp://127.0.0.1:*", command=THINKING) as server:
        published = server.read_until("publishing at ", "\n").strip()
        with dealer(server.address, **options_of(keys.friend)) as socket:
            send(socket, "kata-analyze", "b", 1)
            for own in (keys.friend, keys.stranger, keys.misled, None):
                patience = 10_000 if own is keys.friend else 700
                with dealer(published, zmq.SUB, rcvtimeo=patience, **options_of(own)) as listener:
                    listener.subscribe("")
                    assert has_heard(listener) is (own is keys.friend)


def options_of(keys: ClientKeys | None) -> dict[str, Any]:
    """What a socket is told before it connects."""
    if keys is None:
        return {}
    return {
        "curve_serverkey": keys.server.public,
        "curve_publickey": keys.own.public,
        "curve_secretkey": keys.own.secret,
    }


def has_heard(listener: zmq.Socket[bytes]) -> bool:
    try:
        listener.recv_multipart()
    except zmq.Again:
        return False
    return True


def test_who_sends_far_more_than_may_wait_loses_its_session_and_nobody_else_does() -> None:
    flags = ("--queue", "5", "--movetime", "50")
    with ServerProcess(*flags, command=THINKING) as server, dealer(server.address) as other:
        assert ask(other, "play", "b", "A1")["ok"]
        with dealer(server.address) as socket:
            session = ask(socket, "status")["result"]["session"]
            socket.send(b"genmove b")
            while not ask(other, "status")["result"]["searches"]:  # what waits is counted from then on
                pass
            for _ in range(101):
                socket.send(b"name")
            server.read_until(f"{session} sends more than can wait")
            assert say(socket, "7 name") == "?7 session ended: more than 100 messages were waiting\n\n"
            assert say(socket, "undo") == "? cannot undo\n\n"
        assert ask(other, "undo")["ok"]


@pytest.mark.slow
def test_a_move_on_a_clock_waits_for_a_place_only_while_it_has_time() -> None:
    flags = ("--searches", "1", "--brain", "rollout", "--size", "8")
    with ServerProcess(*flags) as server, dealer(server.address) as long, dealer(server.address) as short:
        assert ask(short, "time_settings", 0, 2, 1)["ok"]  # loads the brain
        assert ask(long, "set_option", "movetime", 30)["ok"]
        long.send(b"genmove b")
        while not ask(short, "status")["result"]["searches"]:
            pass
        begun = time.monotonic()
        assert ask(short, "genmove", "b")["ok"]
        assert time.monotonic() < begun + 2
        assert ask(short, "status")["result"]["searches"] == 1


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--bind", "tcp://0.0.0.0:5599"], "tcp://0.0.0.0:5599 can be reached from elsewhere: give --server-key"),
        (["--bind", "tcp://*:5599"], "tcp://*:5599 can be reached from elsewhere"),
        (["--publish", "tcp://[::]:5599"], "tcp://[::]:5599 can be reached from elsewhere"),
        (["--server-key", "x"], "--server-key and --authorized-clients belong together"),
        (["--server-key", "x", "--authorized-clients", "y", "--insecure"], "--insecure and --server-key contradict"),
        (["--server-key", "x", "--authorized-clients", "/nowhere"], "--authorized-clients /nowhere: there is no such"),
        (["--server-key", "x", "--authorized-clients", "/tmp"], "--server-key x: "),
        (["--bind", "xyzzy"], "cannot serve at xyzzy: it is no address, as tcp://127.0.0.1:5571 or ipc://PATH"),
        (["--bind", "xyzzy", "--insecure"], "cannot serve at xyzzy: it is no address"),
        (["--bind", "tcp://127.0.0.1"], "cannot serve at tcp://127.0.0.1: it is no address"),
        (["--bind", "xyzzy://127.0.0.1:5599", "--insecure"], "cannot serve at xyzzy://127.0.0.1:5599: Protocol not"),
        (["--bind", "tcp://127.0.0.1:99999"], "cannot serve at tcp://127.0.0.1:99999: ports end at 65535"),
        (["--publish", "tcp://127.0.0.1:65536"], "cannot serve at tcp://127.0.0.1:65536: ports end at 65535"),
        (["--bind", f"tcp://127.0.0.1:{'9' * 5000}"], ": ports end at 65535"),
        (["--sessions", "0"], "argument --sessions: '0' is not a number from 1"),
        (["--idle", "x"], "argument --idle: 'x' is no time in seconds"),
        (["--memory", "64"], "--memory 64: unacceptable memory: 64 is more than 32"),
        (["--list-games"], "a flag that only shows something is none of a server"),
    ],
)
def test_a_server_that_cannot_be_is_refused_in_one_line(words: list[str], complaint: str) -> None:
    with pytest.raises(BadFlagError, match=re.escape(complaint)):
        main(words)


def test_a_bad_flag_is_one_line_on_stderr() -> None:
    assert refused("serve", "--queue", "x") == "argument --queue: 'x' is not a number from 1"


def test_the_world_is_served_only_on_request() -> None:
    with ServerProcess("--bind", "tcp://0.0.0.0:*", "--insecure") as server:
        port = server.address.rpartition(":")[2]
        with Client(f"tcp://127.0.0.1:{port}") as client:
            assert client.ask("name") == "Extremum"


def test_whoever_starts_the_server_may_name_files(tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    game.write_text("(;GM[4]SZ[9];B[aa])")
    net, other = tmp_path / "net.onnx", tmp_path / "other.onnx"
    with ServerProcess("--load", str(game), "--weights", str(net)) as server, Client(server.address) as client:
        assert client.ask("showboard")["moves"] == [["black", "A9"]]
        client.ask("set_option", "seed", 1)
        assert client.ask("get_option", "weights") == str(net)
        with pytest.raises(RefusalError, match="unknown weights"):
            client.ask("set_option", "weights", str(other))


def test_standard_input_is_served_too_and_its_end_is_not_the_servers(tmp_path: Path) -> None:
    with ServerProcess("--stdin", stdin=subprocess.PIPE) as server:
        assert server.process.stdin is not None
        assert server.process.stdout is not None
        file = tmp_path / "game.sgf"
        server.process.stdin.write(f"play b A1\nprintsgf {file}\nquit\n".encode())
        told = b""
        while len(told) < 12:
            told += os.read(server.process.stdout.fileno(), 12)
        assert told == b"= \n\n= \n\n= \n\n"
        assert file.exists()
        server.process.stdin.close()
        with Client(server.address) as client:
            assert client.ask("name") == "Extremum"
        assert server.stop()[0] == 0


def test_a_session_is_written_down_as_a_transcript(tmp_path: Path) -> None:
    with ServerProcess("--log-dir", str(tmp_path)) as server, dealer(server.address) as socket:
        assert say(socket, "3 boardsize 9").startswith("=3")
        assert ask(socket, "play", "b", "A1", identity=4)["ok"]
        assert ask(socket, "play", "b", "A1", identity="x")["ok"] is False
        assert ask(socket, "showboard")["ok"]
        (file,) = tmp_path.iterdir()
        exchanges = transcripts.load(file)
    assert [exchange.sent for exchange in exchanges] == ["3 boardsize 9", "4 play b A1", "play b A1", "1 showboard"]
    dialect = Gtp(Session())
    for exchange in exchanges:
        told = RecordingSend()
        dialect.handle(exchange.sent.encode(), told, FakeWaiting())
        transcripts.check(exchange.answer, told.text)


def test_a_client_plays_streams_and_analyzes() -> None:
    with ServerProcess("--game", "othello", "--movetime", "0.05", command=THINKING) as server:
        with Client(server.address, timeout=30) as client:
            assert client.ask("genmove", "black") == "D3"
            reports = []
            for report in client.stream("kata-analyze", 2):
                reports.append(report)
                if len(reports) == 3:
                    break
            assert reports[2]["candidates"][0]["pv"]
            numbers = [client.begin_analysis(moves=["D3"], limits={"visits": 20}) for _ in range(3)]
            assert {client.wait_any()[0] for _ in numbers} == set(numbers)
            with pytest.raises(RefusalError, match="cannot undo"):
                client.ask("gg-undo", 2)
            ahead = [client.send("protocol_version") for _ in range(3)]
            assert [client.wait(number) for number in reversed(ahead)] == [2, 2, 2]
            endless = client.begin_analysis(limits={"seconds": 20})
            client.cancel(endless)
            with pytest.raises(RefusalError, match="cancelled"):
                client.wait(endless)
            client.ask("set_option", "movetime", 20)
            with pytest.raises(LostError, match="no answer in time"):
                client.ask("genmove", "white", timeout=0.1)
        with Client(server.address) as client:
            server.process.send_signal(signal.SIGKILL)
            with pytest.raises(LostError):
                client.ask("name")
    with pytest.raises(ValueError, match="'xyzzy' is no address"):
        Client("xyzzy")


def test_long_analyses_do_not_starve_a_move() -> None:
    with ServerProcess("--brain", "rollout", "--size", "9", "--movetime", "0.3") as server, ExitStack() as stack:
        mover, *analysts = [stack.enter_context(Client(server.address)) for _ in range(7)]
        mover.ask("genmove", "b")
        alone = mover.ask("gomill-explain_last_move")["visits"]
        streams = [analyst.stream("kata-analyze", "b", 10) for analyst in analysts]
        for stream in streams:
            next(stream)
        assert server.niceness().count(10) >= 6
        begun = time.monotonic()
        mover.ask("genmove", "w")
        assert time.monotonic() - begun < 1.5
        # With equal shares it would be a third or less; other programs use the machine too.
        assert mover.ask("gomill-explain_last_move")["visits"] > alone / 6
