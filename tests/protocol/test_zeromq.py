"""The real server over real sockets: what is said is answered, in kind and in order."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
import zmq

from tests.protocol.servers import ServerProcess, ask, asking_process, dealer, receive, say, send

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with ServerProcess("--publish", "tcp://127.0.0.1:*", "--brain", "alphabeta", "--size", "9") as server:
        server.published = server.read_until("publishing at ", "\n").strip()  # type: ignore[attr-defined]  # of tests
        yield server


def test_lines_and_frames_share_a_session(server: ServerProcess) -> None:
    with dealer(server.address) as socket:
        assert say(socket, "7 name") == "=7 Extremum\n\n"
        assert ask(socket, "play", "b", "A1") == {"id": 1, "ok": True, "result": None}
        assert say(socket, "play b A1\n") == "? illegal move: A1 is occupied\n\n"
        assert ask(socket, "gogui-rules_board_size", identity="x") == {"id": "x", "ok": True, "result": 9}
        assert ask(socket, "xyzzy", identity=None) == {"id": None, "ok": False, "result": "unknown command"}
        assert ask(socket, "set_option", "movetime", 0.05)["ok"]
        assert ask(socket, "genmove", "w")["result"] in [
            f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)
        ]


def test_every_client_has_its_own_game(server: ServerProcess) -> None:
    with dealer(server.address) as one, dealer(server.address) as other:
        ask(one, "play", "b", "A1")
        assert ask(other, "undo")["result"] == "cannot undo"
        assert ask(one, "undo")["ok"]


def test_several_lines_in_a_message_are_several_commands(server: ServerProcess) -> None:
    with dealer(server.address) as socket:
        socket.send(b"1 name\n# a remark\n\n2 version\n")
        assert socket.recv().startswith(b"=1 Extremum")
        assert socket.recv().startswith(b"=2 ")


@pytest.mark.parametrize("kind", [zmq.REQ, zmq.DEALER])
def test_a_request_gets_exactly_one_answer(server: ServerProcess, kind: int) -> None:
    with dealer(server.address, kind) as socket:
        before = [b""] if kind == zmq.DEALER else []

        def request(payload: bytes) -> bytes:
            socket.send_multipart([*before, payload])
            *envelope, answer = socket.recv_multipart()
            assert envelope == before
            return answer

        assert request(b"name") == b"= Extremum\n\n"
        assert request(b"# a remark") == b""
        assert request(b"") == b"? empty message\n\n"
        assert request(b"1 name\n2 xyzzy") == b"=1 Extremum\n\n?2 unknown command\n\n"
        text = request(b"kata-analyze b 5")
        assert text.startswith(b"=\ninfo move ")
        assert text.endswith(b"\n\n")
        record = msgpack.unpackb(request(msgpack.packb({"id": 1, "cmd": "kata-analyze", "args": ["b", 5]})))
        assert record["result"]["candidates"][0]["visits"] > 0
        assert request(b"name") == b"= Extremum\n\n"


def test_an_analysis_is_streamed_and_published(server: ServerProcess) -> None:
    with dealer(server.address) as socket, dealer(server.published, zmq.SUB) as listener:  # type: ignore[attr-defined]
        name = ask(socket, "status")["result"]["session"]
        listener.subscribe(name)
        time.sleep(0.3)  # a subscription takes its way
        ask(socket, "play", "b", "E5")
        send(socket, "kata-analyze", "w", 5, identity=5)
        reports = [receive(socket) for _ in range(3)]
        assert all(report["id"] == 5 and report["report"]["candidates"] for report in reports)
        assert reports[2]["report"]["visits"] > reports[0]["report"]["visits"]
        assert 10 in server.niceness()  # the processor is others' first
        topic, published = listener.recv_multipart()
        assert topic.decode() == name
        assert msgpack.unpackb(published)["report"]["candidates"]
        send(socket, "name", identity=6)
        while "report" in (answer := receive(socket)):
            pass
        assert (answer["id"], answer["ok"]) == (5, True)
        assert receive(socket) == {"id": 6, "ok": True, "result": "Extremum"}


def test_a_text_client_sees_a_stream_as_gtp_has_it(server: ServerProcess) -> None:
    with dealer(server.address) as socket:
        assert say(socket, "3 lz-analyze b 2") == "=3\n"
        assert socket.recv().startswith(b"info move ")
        socket.send(b"name")
        told = b""
        while not told.endswith(b"Extremum\n\n"):
            told += socket.recv()
        assert told.endswith(b"\n= Extremum\n\n")


def test_stop_ends_a_search(server: ServerProcess) -> None:
    with dealer(server.address) as socket:
        ask(socket, "set_option", "movetime", 50)
        ask(socket, "play", "b", "E5")
        for stop in (b"# interrupt", packed("stop", id=3)):
            send(socket, "reg_genmove", "w", identity=2)
            time.sleep(0.2)
            begun = time.monotonic()
            socket.send(stop)
            assert receive(socket)["id"] == 2
            assert time.monotonic() - begun < 5
        assert receive(socket)["id"] == 3


def test_quit_ends_the_session_and_the_next_message_begins_another(server: ServerProcess) -> None:
    with dealer(server.address) as socket:
        first = ask(socket, "status")["result"]["session"]
        assert ask(socket, "quit") == {"id": 1, "ok": True, "result": None}
        time.sleep(0.1)
        assert ask(socket, "status")["result"]["session"] != first


def test_what_comes_right_behind_quit_is_answered_by_another_session(server: ServerProcess) -> None:
    with dealer(server.address) as socket:
        ask(socket, "play", "b", "A1")
        send(socket, "quit", identity=2)
        send(socket, "undo", identity=3)
        assert [receive(socket) for _ in range(2)] == [
            {"id": 2, "ok": True, "result": None},
            {"id": 3, "ok": False, "result": "cannot undo"},
        ]
        socket.send(b"1 quit\n2 name\n3 quit\n4 quit\n5 protocol_version")
        told = [socket.recv() for _ in range(5)]
        assert told == [b"=1 \n\n", b"=2 Extremum\n\n", b"=3 \n\n", b"=4 \n\n", b"=5 2\n\n"]
        send(socket, "quit", identity=6)
        send(socket, "analyze", identity=7)
        assert [receive(socket)["id"] for _ in range(2)] == [6, 7]


NO_MSGPACK = "syntax error: the message is neither a line nor msgpack"
NO_FILES = "files are off for clients of a server"


def packed(command: object = "name", arguments: object = None, **more: Any) -> bytes:
    message: bytes = msgpack.packb({"id": 1, "cmd": command, "args": arguments} | more)
    return message


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        (b"\xc1", NO_MSGPACK),
        (b"\x81\xa2id", NO_MSGPACK),
        (packed() + b"\x00", NO_MSGPACK),
        (b"\x91" * 5000 + b"\x90", NO_MSGPACK),
        (msgpack.packb([1, 2]), "syntax error: the message is not a map with id, cmd and args"),
        (packed(id=[1]), "syntax error: an id is a number or a text"),
        (packed(id=True), "syntax error: an id is a number or a text"),
        (packed(None), "syntax error: a cmd is a text"),
        (packed(5), "syntax error: a cmd is a text"),
        (packed("play", "b"), "syntax error: args are a list or a map"),
        (packed("play", {"a": 1}), "syntax error: the args of play are a list"),
        (packed("play", [["b"]]), "syntax error: an argument is a text, a number or a boolean"),
        (packed(x=1), "syntax error: unknown key 'x': one of id, cmd, args"),
        (packed("cancel", [1]), "syntax error: the args of cancel are a map with the id of an analysis"),
        (packed("analyze", [1]), "syntax error: the args of analyze are a map with game, moves and limits"),
        (packed("analyze", {"x": 1}), "unknown key 'x': one of game, size, mode, brain, moves, limits"),
        (packed("analyze", {"limits": {"x": 1}}), "unknown limit 'x': one of seconds, visits, depth"),
        (packed("analyze", {"limits": {"visits": -1}}), "syntax error: visits is a number from 1"),
        (packed("name" + "x" * 2_000_000), "message too long: more than 1048576 bytes"),
        (packed("loadsgf", ["/etc/passwd"]), NO_FILES),
        (packed("printsgf", ["/tmp/x"]), NO_FILES),
        (packed("extremum-param", ["weights", "/etc/passwd"]), "unknown weights '/etc/passwd'"),
        (packed("set_option", ["memory", 1000]), "unacceptable memory: 1000 is more than 32"),
        (packed("set_option", ["movetime", 61]), "unacceptable movetime: 61 is more than 60"),
        (packed("set_option", ["ponder", True]), "pondering is off on this server"),
    ],
)
def test_what_cannot_be_served_is_refused(server: ServerProcess, message: bytes, answer: str) -> None:
    with dealer(server.address) as socket:
        socket.send(message)
        told = receive(socket)
        assert told["ok"] is False
        assert told["result"].startswith(answer)
        assert ask(socket, "name")["result"] == "Extremum"


def test_odd_messages_of_text_are_refused(server: ServerProcess) -> None:
    with dealer(server.address) as socket:
        socket.send(b"")
        assert socket.recv() == b"? empty message\n\n"
        socket.send_multipart([b"name", b"name", b"name"])
        assert socket.recv() == b"? a message has one part, here are 3\n\n"
        assert say(socket, "name " + "x" * 70_000) == "? line too long: more than 65536 bytes\n\n"
        assert say(socket, "\n" * 100_000) == "? too many lines: at most 1000\n\n"
        assert say(socket, "x" * 2_000_000) == "? message too long: more than 1048576 bytes\n\n"
        assert say(socket, "name") == "= Extremum\n\n"


@pytest.mark.parametrize("parts", [1, 30])
def test_a_message_of_100_megabytes_is_not_taken_and_harms_nobody(server: ServerProcess, parts: int) -> None:
    with dealer(server.address) as other, dealer(server.address) as socket:
        before = ask(other, "status")["result"]["memory"]
        session = ask(socket, "status")["result"]["session"]
        assert ask(other, "play", "b", "A1")["ok"]
        socket.send_multipart([bytes(100_000_000 // parts)] * parts)
        if parts == 1:
            server.read_until(f"{session} has disconnected, or was cut off for more than 4194304 bytes")
        else:
            assert socket.recv() == b"? a message has one part, here are 30\n\n"
        assert ask(other, "showboard")["result"]["moves"] == [["black", "A1"]]
        assert ask(other, "status")["result"]["memory"] < before + 20
        assert ask(socket, "name")["ok"]  # in a new session


def test_a_burst_of_10000_messages_is_answered_in_order(server: ServerProcess) -> None:
    with dealer(server.address) as socket, dealer(server.address) as other:
        ask(socket, "set_option", "movetime", 1.5)
        ask(socket, "play", "w", "E5")
        send(socket, "genmove", "b", identity=0)
        for number in range(1, 10_001):
            send(socket, "protocol_version", identity=number)
        begun = time.monotonic()
        assert ask(other, "name")["result"] == "Extremum"
        assert time.monotonic() - begun < 1.0
        answers = [receive(socket) for _ in range(10_001)]
        assert [answer["id"] for answer in answers] == list(range(10_001))
        refused = [answer for answer in answers if not answer["ok"]]
        assert {answer["result"] for answer in refused} == {"too many messages waiting: at most 1000"}
        assert 1000 <= 10_001 - len(refused) < 10_001
        assert ask(socket, "name")["result"] == "Extremum"


@pytest.mark.parametrize("command", ["genmove b", "kata-analyze b 5"])
def test_a_client_that_vanishes_frees_its_session(server: ServerProcess, command: str) -> None:
    server.wait_for_sessions(1)
    process = asking_process(server.address, "set_option movetime 50", "play w E5", command)
    time.sleep(0.2)
    process.kill()
    process.communicate()
    server.wait_for_sessions(1)  # also while it loads its brain


def test_last_words_of_who_has_left_begin_no_session(server: ServerProcess) -> None:
    server.wait_for_sessions(1)
    for _ in range(20):
        with dealer(server.address, linger=1000) as socket:
            for _ in range(50):
                socket.send(b"name")
            socket.close(1000)
    server.wait_for_sessions(1)


def test_a_client_may_come_back_under_its_name(server: ServerProcess) -> None:
    for _ in range(20):
        with dealer(server.address, routing_id=b"the same") as socket:
            assert ask(socket, "play", "b", "A1")["ok"]
            assert ask(socket, "play", "w", "A2")["ok"]


def test_searches_share_an_evaluator(server: ServerProcess) -> None:
    with dealer(server.address) as one, dealer(server.address) as other:
        for socket in (one, other):
            ask(socket, "boardsize", 8)
            ask(socket, "set_brain", "mcts")
            ask(socket, "set_option", "evaluator", "patterns")
            ask(socket, "set_option", "visits", 300)
            ask(socket, "set_option", "movetime", 20)
        before = ask(one, "status")["result"]
        for socket in (one, other):
            send(socket, "genmove", "b")
        for socket in (one, other):
            assert receive(socket)["ok"]
        assert ask(one, "gomill-explain_last_move")["result"]["candidates"]
        after = ask(one, "status")["result"]
        positions, batches = (after[name] - before[name] for name in ("positions", "batches"))
        assert positions > 300
        assert batches < positions
        assert after["positions_waiting"] == 0


def test_a_local_socket_serves_too(tmp_path: Any) -> None:
    path = tmp_path / "socket"
    with ServerProcess("--ipc", str(path)) as server, dealer(f"ipc://{path}") as socket:
        assert server.address == f"ipc://{path}"
        assert ask(socket, "name")["result"] == "Extremum"
        assert os.path.exists(path)
