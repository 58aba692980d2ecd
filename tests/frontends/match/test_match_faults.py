"""Whole matches with engines that fail."""

from __future__ import annotations

import html
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frontends.match.matches import SMALL, alive, begun, children, engines, faulty, games, match, until
from tests.protocol.engine import ENGINE, HOME

pytestmark = pytest.mark.slow


def gomocup(fault: str) -> str:
    return f"{fault}=gomocup:{sys.executable} -m tests.protocol.clients.faulty_gomocup {fault}"


def test_gomocup_engines_that_do_not_start_are_named_and_given_up(tmp_path: Path) -> None:
    words = (*SMALL, "--format", "gauntlet", "--games", "8", "--patience", "1.5", "--out", str(tmp_path))
    done = match("random", gomocup("dies"), gomocup("silent"), *words)
    assert done.returncode == 0, done.stderr
    for name, text in (
        ("dies", "crash: ended with status 7, saying 'no such weights'"),
        ("silent", "time-out: no answer"),
    ):
        found = [game for game in games(tmp_path) if game["culprit"] == name]
        assert {game["reason"] for game in found} == {"does not start"}
        assert [game["text"] for game in found] == [text] * 3 + [f"not tried again: {text}"] * 5
    assert re.search(r"^silent: does not start.*: time-out: no answer$", done.stdout, re.MULTILINE)


def test_a_killed_worker_is_replaced_and_its_game_played_once_more(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    words = (faulty("none", mark), faulty("steady", mark), *SMALL, "--games", "4", "--out", str(tmp_path / "m"))
    with (tmp_path / "errors").open("wb") as errors:
        running = begun(*words, stderr=errors)
    until(lambda: len(games(tmp_path / "m")) >= 1)
    (worker,) = children(running.pid)
    os.kill(worker, signal.SIGKILL)
    assert running.wait(60) == 0
    assert sorted(game["number"] for game in games(tmp_path / "m")) == [0, 1, 2, 3]
    assert {game["reason"] for game in games(tmp_path / "m")} == {"board"}
    told = (tmp_path / "errors").read_text()
    assert re.search(r"extremum: a worker was killed by SIGKILL; games that are played once more: [123]\n", told), told
    assert not alive(mark)


def test_the_engines_of_a_killed_worker_do_not_outlive_it(tmp_path: Path) -> None:
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    words = (faulty("hangs", mark), faulty("none", mark), *SMALL, "--games", "2", "--patience", "8")
    running = begun(*words, "--out", str(tmp_path))
    until(lambda: len(engines(mark)) == 2)
    before = engines(mark)
    (worker,) = children(running.pid)
    os.kill(worker, signal.SIGKILL)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before), 5)
    assert running.wait(60) == 0
    assert len(games(tmp_path)) == 2


@pytest.mark.parametrize("end", ["ctrl-c", "kill", "kill-worker"])
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_an_engine_that_is_stuck_at_its_start_does_not_outlive_the_match(
    end: str, protocol: str, tmp_path: Path
) -> None:
    mark = f"9{os.getpid()}.{protocol == 'gtp':d}"  # it reads no input, and so does not see that it ends
    words = (f"stuck={protocol}:sleep {mark}", "random", "--game", "othello", "--openings", "random:2")
    running = begun(*words, "--games", "2", "--out", str(tmp_path))
    until(lambda: bool(engines(mark)))
    before, (worker,) = engines(mark), children(running.pid)
    os.kill(worker if end == "kill-worker" else running.pid, signal.SIGINT if end == "ctrl-c" else signal.SIGKILL)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before), 5)
    running.send_signal(signal.SIGINT)
    running.wait(20)
    until(lambda: not engines(mark), 5)


def test_an_engine_that_failed_is_started_anew_and_plays_a_whole_game(tmp_path: Path) -> None:
    words = (faulty("once", str(tmp_path / "mark")), "random", *SMALL, "--games", "4", "--out", str(tmp_path / "m"))
    done = match(*words)
    assert done.returncode == 0, done.stderr
    first, *others = sorted(games(tmp_path / "m"), key=lambda game: game["number"])
    assert (first["reason"], first["culprit"], first["text"]) == ("crash", "once", "ended with status 3")
    assert [game["reason"] for game in others] == ["board"] * 3
    assert all(len(game["moves"]) >= 9 for game in others)  # five in a row take nine plies
    assert "once: crash in game 0: ended with status 3" in done.stdout


def test_the_page_of_a_real_match_names_every_fault(tmp_path: Path) -> None:
    faults = [faulty(name) for name in ("dies", "occupied", "claims", "resigns", "answers-twice")]
    words = (*SMALL, "--format", "gauntlet", "--games", "2", "--patience", "20", "--out", str(tmp_path))
    done = match("random", *faults, *words)
    assert done.returncode == 0, done.stderr
    command = [*ENGINE, "report", str(tmp_path)]
    report = subprocess.run(command, cwd=HOME, capture_output=True, text=True, timeout=60)
    assert report.returncode == 0, report.stderr
    page = html.unescape((tmp_path / "report.html").read_text())
    told, _, resigned = page.partition("<h2>Faults</h2>")[2].partition("<h2>Resignations</h2>")
    rows = [re.sub(r"</?t[dh]>", "|", row) for row in re.findall(r"<tr>(.*?)</tr>", told)[1:]]
    patterns = (
        r"\|dies\|\|does not start\|\|crash: ended with status 7, saying 'no such weights'\|\|2\|\|\d, \d\|",
        r"\|occupied\|\|illegal move\|\|\w+ is occupied\|",
        r"\|claims\|\|false claim\|\|[BW]\+\d+ instead of ",
        r"\|answers-twice\|\|garbage\|\|'=\d+ ",
    )
    for pattern in patterns:
        assert any(re.match(pattern, row) for row in rows), rows
    assert "resigns" not in told
    assert "<td>resigns</td><td>2</td>" in resigned
