from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from dataclasses import replace
from pathlib import Path

import pytest

from extremum.frontends.match.progress import Progress
from extremum.frontends.match.sprt import Sprt
from tests.frontends.match.matches import SMALL, begun, faulty
from tests.frontends.match.test_report import forfeited, settings


class FakeClock:
    """A time that only the test moves."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


class Terminal(io.StringIO):
    """Something that a person looks at; it does not know its width."""

    def isatty(self) -> bool:
        return True


def test_the_line_tells_the_score_the_elo_and_the_test() -> None:
    match = replace(settings(names=("first", "second"), rounds=10), sprt=Sprt(0, 100))
    results = [forfeited(0, "first", "second", "second"), forfeited(1, "second", "first", "second")]
    results += [forfeited(2, "first", "second", "first"), forfeited(3, "second", "first", "second")]
    out, clock = io.StringIO(), FakeClock()
    progress = Progress(match, results[:2], out, clock)
    for result in results[2:]:
        clock.time += 10
        progress.add(result)
    assert out.getvalue() == ""
    clock.time += 10
    progress.tick()
    line = out.getvalue()
    assert line.startswith("4/20 games, first +3 =0 -1, SPRT +0.")
    assert " in -2.94..2.94, Elo +191 (" in line
    assert line.endswith(", 4 faults, 0.1 games/s, 240 s left\n")


def test_a_bar_is_drawn_over_itself_and_says_something_in_between() -> None:
    match = replace(settings(names=("first", "second"), rounds=2), sprt=Sprt(0, 100))
    out, clock = Terminal(), FakeClock()
    progress = Progress(match, [forfeited(number, "first", "second", "second") for number in range(3)], out, clock)
    for _ in range(2):
        clock.time += 0.5
        progress.tick()
    progress.say("it rains")
    progress.say("it rains")
    clock.time += 60
    progress.end()
    _, first, second, said, last = out.getvalue().split("\r")
    assert first.startswith("[#######...] 0:00 3/4 games, first +3 =0 -0, SPRT +0.")
    assert second.startswith("[#######...] 0:01 3/4 games, ")
    assert said == "extremum: it rains\033[K\n"
    assert last.startswith("[#######...] 1:01 3/4 games, ")
    assert last.endswith("\033[K\n")
    assert len(last) == 79 + len("\033[K\n")


@pytest.mark.slow
def test_a_bar_moves_on_a_terminal_while_no_game_ends(tmp_path: Path) -> None:
    terminal, other_end = pty.openpty()
    fcntl.ioctl(other_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
    words = (faulty("hangs"), "random", *SMALL, "--games", "4", "--sprt", "0,200", "--out", str(tmp_path))
    running = begun(*words, stderr=other_end)
    os.close(other_end)
    try:
        shown = _read_until(terminal, rb"(?s)0:02.*0:03 0/4 games")
    finally:
        running.send_signal(signal.SIGINT)
        assert running.wait(10) == 130
        os.close(terminal)
    states = [state.partition("\033[K")[0] for state in shown.decode().split("\r")[2:]]
    assert states[-1].startswith("[..........] 0:03 0/4 games, hangs +0 =0 -0, SPRT +0.00 in -2.94")
    assert all(len(state) < 70 for state in states)


def _read_until(terminal: int, pattern: bytes) -> bytes:
    shown, deadline = b"", time.monotonic() + 30
    while not re.search(pattern, shown):
        assert select.select([terminal], [], [], deadline - time.monotonic())[0], shown
        shown += os.read(terminal, 4096)
    return shown


def test_a_test_is_decided_by_whole_pairs() -> None:
    progress = Progress(replace(settings(names=("first", "second"), rounds=100), sprt=Sprt(0, 200)), [])
    for pair in range(40):
        progress.add(forfeited(2 * pair, "first", "second", "second"))
    assert not progress.decided
    for pair in range(40):
        progress.add(forfeited(2 * pair + 1, "second", "first", "second"))
    assert progress.decided
