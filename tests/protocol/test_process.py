"""The engine in a process of its own: wires, buffers, interruptions and the end."""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.protocol.engine import ENGINE, HOME, THINKER, Engine

SLOW = pytest.mark.slow
SOON = 1.5  # seconds; the thinker's full time is three


def test_the_first_answer_comes_at_once() -> None:
    times = [math.inf]
    while len(times) < 10 and min(times) >= 0.3:  # the best one, for others use the machine
        begun = time.monotonic()
        with Engine(ENGINE) as engine:
            assert engine.ask("name") == "= Extremum\n\n"
            times.append(time.monotonic() - begun)
    assert min(times) < 0.3


def test_administrative_answers_come_within_milliseconds() -> None:
    with Engine(ENGINE) as engine:
        engine.ask("name")
        times = []
        for command in ("version", "list_commands", "boardsize 15", "clear_board", "play b h8", "showboard") * 5:
            begun = time.monotonic()
            engine.ask(command)
            times.append(time.monotonic() - begun)
    assert sorted(times)[len(times) // 2] < 0.005


@SLOW
@pytest.mark.parametrize("before", ["boardsize 9", "set_game othello", "set_brain rollout", "set_mode weakest"])
def test_the_first_move_on_a_clock_is_in_time(before: str) -> None:
    with Engine(ENGINE) as engine:
        engine.ask("kata-time_settings byoyomi 0 0.2 1")
        engine.ask(before)
        begun = time.monotonic()
        engine.ask("genmove b")
        assert time.monotonic() - begun < 0.6  # a busy machine may add something; loading takes more than this


def test_pondering_goes_on_behind_a_move_and_gives_way_to_any_command() -> None:
    with Engine([*THINKER[:-2], "--movetime", "0.05", "--ponder", "true"]) as engine:
        engine.ask("genmove b")
        before = engine.cpu_seconds()
        time.sleep(0.5)
        assert engine.cpu_seconds() > before
        begun = time.monotonic()
        engine.ask("name")
        assert time.monotonic() - begun < 0.5
        engine.end()
        assert engine.wait(2) == 0


def test_each_move_is_summed_up_in_one_line_of_stderr() -> None:
    done = subprocess.run(
        [*THINKER[:-2], "--movetime", "0.05"], input=b"genmove b\nname\ngenmove w\n", capture_output=True, check=True
    )
    lines = done.stderr.decode().splitlines()
    assert [line.partition(":")[0] for line in lines] == ["black A15", "white B15"]
    assert all(re.search(r"winrate [0-9.]+%, visits \d+, depth \d+, [0-9.]+ s, \d+/s, pv ", line) for line in lines)


def test_each_answer_is_flushed_while_the_input_stays_open() -> None:
    with Engine(ENGINE) as engine:
        for number in range(100):
            assert engine.ask(f"{number} name") == f"={number} Extremum\n\n"


def test_quit_ends_the_process_while_the_input_stays_open() -> None:
    with Engine(ENGINE) as engine:
        assert engine.ask("quit") == "= \n\n"
        assert engine.wait(2) == 0


def test_a_last_line_without_line_feed_is_answered() -> None:
    done = subprocess.run(ENGINE, input=b"1 name\r\n2 version", capture_output=True, check=True)
    assert done.stdout == b"=1 Extremum\n\n=2 0.1.0\n\n"


def test_input_may_come_from_a_file_and_go_to_a_file() -> None:
    script = HOME / "tests" / "transcripts" / "framing.txt"
    with script.open("rb") as stream:
        done = subprocess.run(ENGINE, stdin=stream, capture_output=True, check=True)
    assert done.stdout.count(b"? unknown command\n\n") > 3


@pytest.mark.parametrize("closed", ["0<&-", "2>&-", "0<&- 2>&-"])
def test_a_missing_stream_is_no_reason_to_crash(closed: str) -> None:
    command = f"printf 'name\\n' | {{ {sys.executable} -m extremum.frontends.cli {closed}; }}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True)
    assert done.stdout == (b"" if "0<" in closed else b"= Extremum\n\n")
    assert done.stderr == b""


def test_ten_megabytes_in_one_line_have_one_refusal() -> None:
    done = subprocess.run(ENGINE, input=b"x" * 10_000_000 + b"\nname\n", capture_output=True, check=True)
    assert done.stdout == b"? line too long: more than 65536 bytes\n\n= Extremum\n\n"


def test_any_bytes_leave_the_process_alive() -> None:
    junk = b"\0\0\n\xff\xfe\xfd\n" + bytes(range(11, 256)) + b"\n\xc3\n"
    done = subprocess.run(ENGINE, input=junk + b"na\0me\n", capture_output=True, check=True)
    assert done.stdout.endswith(b"= Extremum\n\n")
    assert set(done.stdout.split(b"\n\n")[:-2]) == {b"? unknown command"}


def test_a_client_that_is_gone_is_left_quietly() -> None:
    command = f"yes name | {sys.executable} -m extremum.frontends.cli | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, timeout=20)
    assert done.stdout == b"= Extremum\n"
    assert done.stderr == b""


def test_what_a_library_prints_does_not_reach_the_client() -> None:
    script = (
        "import os, sys; sys.argv[1:] = []\n"
        "from extremum.protocol.command import COMMANDS\n"
        "from extremum.frontends.cli import main\n"
        "@COMMANDS.command('noise')\n"
        "def noise() -> None:\n"
        "    print('noise', flush=True); os.write(1, b'more noise')\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], input=b"noise\nname\n", capture_output=True, check=True)
    assert done.stdout == b"= \n\n= Extremum\n\n"
    assert done.stderr == b"noise\nmore noise"


def test_control_c_ends_it_quietly() -> None:
    with Engine(THINKER) as engine:
        engine.ask("name")
        engine.send("genmove b\n")
        time.sleep(0.3)
        engine.process.send_signal(signal.SIGINT)
        assert engine.wait(2) == 130
        assert engine.process.stderr is not None
        assert engine.process.stderr.read() == b""


@SLOW
@pytest.mark.parametrize("line", ["# interrupt", "stop"])
def test_a_search_is_interrupted(line: str) -> None:
    with Engine(THINKER) as engine:
        engine.ask("name")
        begun = time.monotonic()
        engine.send("genmove b\n")
        time.sleep(0.3)
        engine.send(line + "\n")
        assert re.fullmatch(r"= [A-Z]\d+\n\n", engine.read_until("\n\n"))
        assert time.monotonic() - begun < SOON


@SLOW
def test_an_interrupt_in_the_same_write_counts() -> None:
    with Engine(THINKER) as engine:
        begun = time.monotonic()
        engine.send("genmove b\n# interrupt\n1 name\n")
        engine.read_until("=1 Extremum\n\n")
        assert time.monotonic() - begun < SOON


@SLOW
@pytest.mark.parametrize("leave", ["quit", "end"])
def test_leaving_in_the_middle_of_a_search_ends_it(leave: str) -> None:
    with Engine(THINKER) as engine:
        engine.send("genmove b\ngenmove w\n")
        time.sleep(1.0)
        begun = time.monotonic()
        engine.send("quit\n") if leave == "quit" else engine.end()
        assert engine.wait(3) == 0
        assert time.monotonic() - begun < 1.0


@SLOW
def test_leaving_ends_even_a_brain_that_does_not_listen() -> None:
    script = (
        "import time\n"
        "from extremum.frontends.cli import main\n"
        "from tests.doubles import ScriptedBrain, SessionWith\n"
        "class Deaf(ScriptedBrain):\n"
        "    def choose(self, *arguments): time.sleep(60)\n"
        "main(lambda: SessionWith(Deaf()))\n"
    )
    with Engine([sys.executable, "-c", script]) as engine:
        engine.ask("name")
        engine.send("genmove b\n")
        time.sleep(0.7)
        begun = time.monotonic()
        engine.end()
        engine.wait(3)
        assert time.monotonic() - begun < 2.6


@SLOW
def test_a_piped_script_has_the_moves_of_a_patient_client() -> None:
    begun = time.monotonic()
    done = subprocess.run(THINKER, input=b"genmove b\nquit\n", capture_output=True, check=True, cwd=HOME)
    assert time.monotonic() - begun > 2.9
    assert re.fullmatch(rb"= [A-Z]\d+\n\n= \n\n", done.stdout)


@SLOW
def test_an_analysis_streams_until_any_line_comes() -> None:
    with Engine(THINKER) as engine:
        engine.send("5 lz-analyze b 10\n")
        assert engine.read_until("\n") == "=5\n"
        for _ in range(3):
            assert engine.read_until("\n", timeout=1).startswith("info move ")
        engine.send("\n")
        time.sleep(0.3)
        engine.send("6 name\n")
        assert re.fullmatch(r"(info move [^\n]+\n)?\n=6 Extremum\n\n", engine.read_until("=6 Extremum\n\n"))


def test_an_analysis_whose_end_waits_already_tells_once() -> None:
    with Engine(THINKER) as engine:
        engine.send("lz-analyze b 10\n1 name\n")
        told = engine.read_until("=1 Extremum\n\n")
        assert re.fullmatch(r"=\ninfo move [^\n]+\n\n=1 Extremum\n\n", told)


def test_an_analysis_ends_with_the_input() -> None:
    done = subprocess.run(THINKER, input=b"kata-analyze b 10\n", capture_output=True, check=True, cwd=HOME, timeout=5)
    assert re.fullmatch(rb"=\n(info move [^\n]+\n)+\n", done.stdout)


def test_a_file_is_not_left_open_for_children() -> None:
    with Engine(ENGINE) as engine:
        engine.ask("name")
        folder = f"/proc/{engine.process.pid}/fd"
        if os.path.isdir(folder):
            assert len(os.listdir(folder)) <= 6
