"""The engine under a manager, in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import time

import pytest

from tests.protocol.engine import ENGINE, THINKER, Engine

LATE = 3.0  # seconds that a busy machine may add


def test_a_paused_process_goes_on_and_keeps_its_time() -> None:
    with Engine([*ENGINE, "gomocup", "--brain", "random"]) as engine:
        engine.send("START 15\nINFO timeout_turn 5000\n")
        engine.process.send_signal(signal.SIGSTOP)  # as the judge does, perhaps in the middle of start-up
        time.sleep(0.3)
        engine.send("BEGIN\n")
        engine.process.send_signal(signal.SIGCONT)
        assert engine.read_until("\n") == "OK\n"
        move = engine.read_until("\n")
        assert "," in move
        engine.process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        engine.process.send_signal(signal.SIGCONT)
        engine.send("TURN 1,1\n" if move == "0,0\n" else "TURN 0,0\n")
        assert "," in engine.read_until("\n")


@pytest.mark.parametrize("stop", ["YXSTOP", "STOP\r", "INFO time_left 1"])
def test_a_search_is_ended_by_what_comes_while_it_runs(stop: str) -> None:
    with Engine([*THINKER[:-2], "gomocup"]) as engine:
        engine.send("START 15\nINFO timeout_turn 60000\nBEGIN\n")
        assert engine.read_until("\n") == "OK\n"
        time.sleep(0.3)
        asked = time.monotonic()
        engine.send(f"INFO nonsense 1\n{stop}\nABOUT\n")
        assert engine.read_until("\n") == "0,0\n"
        assert time.monotonic() - asked < LATE
        assert engine.read_until("\n").startswith('name="Extremum"')  # nothing is lost


def test_end_in_the_middle_of_a_search_ends_the_process() -> None:
    with Engine([*THINKER[:-2], "gomocup"]) as engine:
        engine.send("START 15\nINFO timeout_turn 60000\nBEGIN\n")
        assert engine.read_until("\n") == "OK\n"
        time.sleep(0.5)
        engine.send("END\n")
        assert engine.wait(LATE) == 0


def test_a_first_turn_that_is_too_short_for_loading_is_kept() -> None:
    with Engine([*ENGINE, "gomocup"]) as engine:
        asked = time.monotonic()
        engine.send("START 15\nINFO timeout_turn 300\nBOARD\n7,7,2\nDONE\n")
        assert engine.read_until("\n") == "OK\n"
        assert "," in engine.read_until("\n")
        assert time.monotonic() - asked < LATE


def test_a_swap2_opening_is_in_time_too() -> None:
    with Engine([*ENGINE, "gomocup"]) as engine:
        asked = time.monotonic()
        engine.send("START 15\nINFO timeout_turn 300\nSWAP2BOARD\nDONE\n")
        assert engine.read_until("\n") == "OK\n"
        assert len(engine.read_until("\n").split()) == 3
        assert time.monotonic() - asked < LATE


def test_half_a_line_at_the_end_is_a_line() -> None:
    done = subprocess.run([*ENGINE, "gomocup"], input=b"START 15\r\nRECTSTART 15,1", capture_output=True, timeout=60)
    assert done.stdout == b"OK\nERROR the board is always a square\n"


def test_without_a_name_the_first_line_tells_the_dialect() -> None:
    for script, answer in (
        (b"\r\n\nstart 15\r\nEND\r\n", b"OK\n"),
        (b"name\nquit\n", b"= Extremum\n\n= \n\n"),
        (b"nboard 2\nping 3\nquit\n", b"set myname Extremum\npong 3\n"),
        (b"INFO rule 1\nSTART 20\nEND\n", b"OK\n"),
        (b"# start\nname\n", b"= Extremum\n\n"),
    ):
        done = subprocess.run(ENGINE, input=script, capture_output=True, timeout=60)
        assert done.stdout == answer, script
