"""The bridge: a program that only reads and writes lines uses a server."""

from __future__ import annotations

import re
import signal
import subprocess
from contextlib import ExitStack

import pytest

from extremum.protocol.history import History
from tests.protocol.engine import ENGINE, HOME, Engine
from tests.protocol.servers import THINKING, ServerProcess

FLAGS = ("--movetime", "0.05", "--size", "9")
BRIDGES = 8


def bridge(address: str) -> Engine:
    return Engine([*ENGINE, "connect", address])


@pytest.mark.slow
def test_lines_go_there_and_answers_come_back() -> None:
    with ServerProcess(*FLAGS, command=THINKING) as server:
        script = b"1 name\n# a remark\n\n2 play b A1\n3 xyzzy\n4 genmove w\n5 quit\nname\n"
        done = subprocess.run([*ENGINE, "connect", server.address], input=script, capture_output=True, cwd=HOME)
        assert done.returncode == 0
        assert re.fullmatch(rb"=1 Extremum\n\n=2 \n\n\?3 unknown command\n\n=4 [A-J]\d\n\n=5 \n\n", done.stdout)
        server.wait_for_sessions(1)
        done = subprocess.run([*ENGINE, "connect", server.address], input=b"name", capture_output=True, cwd=HOME)
        assert done.stdout == b"= Extremum\n\n"
        with bridge(server.address) as engine:
            assert engine.ask("play w E5") == "= \n\n"
            engine.send("lz-analyze b 5\n")
            assert engine.read_until("order 0").startswith("=\ninfo move")
            engine.send("name\n")
            assert engine.read_until("= Extremum\n\n").endswith("\n\n= Extremum\n\n")
            engine.end()
            assert engine.wait(5) == 0


@pytest.mark.slow
def test_every_bridge_says_that_the_server_is_lost_and_goes_on_with_its_game_when_it_is_back() -> None:
    with ServerProcess(*FLAGS, command=THINKING) as server, ExitStack() as stack:
        address = server.address
        bridges = [stack.enter_context(bridge(address)) for _ in range(BRIDGES)]
        boards = [begin_a_game(engine, number) for number, engine in enumerate(bridges)]
        assert len(set(boards)) == BRIDGES
        busy, quiet = bridges[: BRIDGES // 2], bridges[BRIDGES // 2 :]
        for engine in busy:
            engine.send("set_option movetime 20\ngenmove b\n")
            assert engine.read_until("\n\n") == "= \n\n"
        server.process.send_signal(signal.SIGKILL)
        for engine in busy:
            assert engine.read_until("\n\n") == f"? lost {address}\n\n"
        stack.enter_context(ServerProcess("--bind", address, *FLAGS, command=THINKING))
        assert [engine.ask("showboard") for engine in bridges] == boards
        for engine, seconds in [*((engine, 20.0) for engine in busy), *((engine, 0.02) for engine in quiet)]:
            assert engine.ask("get_option movetime") == f"= {seconds}\n\n"
        for engine in quiet:
            assert engine.ask("genmove b").startswith("= ")
        for engine in bridges:
            assert leave(engine) == [f"lost {address}, trying again", f"connected to {address} again"]


def begin_a_game(engine: Engine, number: int) -> str:
    """Play some moves, one of them by the server, and return the board."""
    assert engine.ask("set_option movetime 0.02") == "= \n\n"
    assert engine.ask(f"play b A{number + 1}") == "= \n\n"
    assert engine.ask("genmove w").startswith("= ")
    assert engine.ask("play b J9") == "= \n\n"
    assert engine.ask("undo") == "= \n\n"
    return engine.ask("showboard")


def leave(engine: Engine) -> list[str]:
    """Say quit, and return what the bridge has told in its time."""
    assert engine.ask("quit") == "= \n\n"
    assert engine.wait(5) == 0
    assert engine.process.stderr is not None
    return [line.removeprefix("extremum connect: ") for line in engine.process.stderr.read().decode().splitlines()]


@pytest.mark.slow
def test_a_session_that_was_idle_for_too_long_is_begun_again() -> None:
    with ServerProcess(*FLAGS, "--idle", "0.3", command=THINKING) as server, bridge(server.address) as engine:
        assert engine.ask("play b A1") == "= \n\n"
        server.read_until("said nothing for")
        assert engine.ask("play b A1") == "? illegal move: A1 is occupied\n\n"


@pytest.mark.slow
def test_without_a_server_commands_are_refused_and_quit_works() -> None:
    with bridge("tcp://127.0.0.1:1") as engine:
        engine.send("1 name\n2 quit\n")
        assert engine.read_until("=2 \n\n") == "?1 not connected to tcp://127.0.0.1:1\n\n=2 \n\n"
        assert engine.wait(5) == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["xyzzy"], "connect: 'xyzzy' is no address, as tcp://HOST:PORT"),
        (["tcp://127.0.0.1:1", "--key", "x"], "--key and --server-key belong together"),
        (["tcp://127.0.0.1:1", "--key", "x", "--server-key", "y"], "keys: "),
    ],
)
def test_a_bad_address_is_refused_in_one_line(words: list[str], complaint: str) -> None:
    done = subprocess.run([*ENGINE, "connect", *words], capture_output=True, text=True, cwd=HOME)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"extremum: {complaint}")


def test_a_history_has_what_matters() -> None:
    history = History()
    for line, text in [
        ("set_game othello", ""),
        ("set_option seed 1", ""),
        ("set_option seed 2", ""),
        ("set_mode weakest", ""),
        ("set_level 30", ""),
        ("time_settings 10 0 0", ""),
        ("play b A1", ""),
        ("clear_board", ""),
        ("play b D3", ""),
        ("genmove w", "= C3"),
        ("kata-genmove_analyze b 10", "=\ninfo move C4\nplay C4\n\n"),
        ("time_left b 5 0", ""),
        ("gogui-play_sequence w A1 b A2 w A3", ""),
        ("undo", ""),
        ("gg-undo 2", ""),
        ("name", "= x"),
        ("extremum-param", ""),
    ]:
        history.note(line.split(), text)
    assert history.lines() == [
        "set_game othello",
        "set_option seed 2",
        "set_level 30",
        "time_settings 10 0 0",
        "clear_board",
        "play b D3",
        "play w C3",
        "play b C4",
        "time_left b 5 0",
    ]
