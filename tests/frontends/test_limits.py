"""The limits of a search, held by an engine on standard input as by a server."""

from __future__ import annotations

import re
import subprocess
import time
from pathlib import Path

import pytest

from extremum.engine.session import Session
from extremum.frontends.flags import Parser, carry_out_bounded
from extremum.frontends.serve import limits_of, parser
from extremum.protocol.server import ServerLimits
from tests.protocol.engine import ENGINE, Engine

BOUNDED = [*ENGINE, "--search-time", "0.5", "--search-memory", "8", "--guest"]


def test_the_servers_limits_are_what_its_flags_say() -> None:
    assert limits_of(parser().parse_args([])) == ServerLimits()
    words = "--sessions 3 --queue 4 --message 5 --idle 6 --search-time 7.5 --search-memory 8"
    assert limits_of(parser().parse_args(words.split())) == ServerLimits(3, 4, 5, 6.0, 7.5, 8)


def test_an_engine_without_limits_has_none() -> None:
    session = Session()
    assert carry_out_bounded(Parser().parse_args([]), session) is None
    assert (session.bounds.seconds, session.bounds.memory, session.bounds.is_guest) == (None, None, False)
    assert session.options == Session().options


def test_an_engine_within_limits_refuses_what_is_beyond(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    with Engine(BOUNDED) as engine:
        assert engine.ask("get_option memory") == "= 8\n\n"
        assert engine.ask("get_option movetime") == "= 0.5\n\n"
        assert engine.ask("set_option memory 9").startswith("? unacceptable memory: 9 is more than 8")
        assert engine.ask("set_option movetime 0.6").startswith("? unacceptable movetime: 0.6 is more than 0.5")
        for command in (f"printsgf {file}", f"loadsgf {file}", f"load_game {file}", f"transcript {file}"):
            assert engine.ask(command).startswith("?")
        assert engine.ask("set_option weights /etc/passwd").startswith("? unknown weights")
        assert engine.ask("set_option ponder true").startswith("=")  # the process is its client's own
        assert not file.exists()


@pytest.mark.slow
def test_a_search_within_limits_ends_in_time_whatever_the_clock_says() -> None:
    with Engine([*BOUNDED, "--brain", "rollout", "--size", "8"]) as engine:
        engine.ask("genmove black")  # what has to be loaded is there now
        engine.ask("kata-time_settings absolute 86400")
        began = time.monotonic()
        assert re.fullmatch(r"= [A-H]\d\n\n", engine.ask("genmove white"))
        assert time.monotonic() - began < 5
        engine.send("kata-analyze black 5\n")
        engine.read_until("\n")
        deadline, spent = time.monotonic() + 20, -1.0
        while engine.cpu_seconds() - spent > 0.1:  # it computes no more, though nobody has ended it
            spent = engine.cpu_seconds()
            assert time.monotonic() < deadline
            time.sleep(0.5)


@pytest.mark.parametrize("words", [["--search-time", "0"], ["--search-memory", "0"], ["--search-time", "nan"]])
def test_a_limit_that_is_none_gets_one_clear_line(words: list[str]) -> None:
    for errand in ([], ["serve"], ["web"]):
        done = subprocess.run([*ENGINE, *errand, *words], capture_output=True, text=True, timeout=60, input="")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
