from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.protocol.engine import ENGINE, HOME


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ENGINE, *words], capture_output=True, text=True, timeout=200, cwd=HOME)


@pytest.mark.slow
def test_the_ladder_writes_its_three_tables(tmp_path: Path) -> None:
    words = ("--size", "5", "--games", "2", "--visits", "20", "--levels", "0,50,100", "--out", str(tmp_path))
    done = run("ladder", *words)
    assert done.returncode == 0, done.stderr
    titles = re.findall(r"^### (.*)$", done.stdout, re.MULTILINE)
    assert titles == [
        "gomoku 5x5: the levels, winning Elo",
        "gomoku 5x5: players who want to win, winning Elo",
        "gomoku 5x5: players who want to lose, losing Elo",
    ]
    assert done.stdout.count("| random | +0 | 0 |") == 2
    assert "| level=50 | +0 | 0 |" in done.stdout
    assert (tmp_path / "table.md").read_text() == done.stdout
    again = run("ladder", *words)
    assert "0 to play" in again.stderr
    assert again.stdout == done.stdout


@pytest.mark.slow
def test_the_weakest_mode_meets_its_panels(tmp_path: Path) -> None:
    done = run("ladder", "--weakest", "--size", "5", "--games", "2", "--visits", "20", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    rows = re.findall(r"^\| (W|R|L1|L2) \| (.*?) \| (black|white|both) \| (\d) \|", done.stdout, re.MULTILINE)
    assert {panel for panel, *_ in rows} == {"W", "R", "L1", "L2"}
    assert [row for row in rows if row[1] == "random"] == [
        ("R", "random", "black", "1"),
        ("R", "random", "white", "1"),
        ("R", "random", "both", "2"),
    ]
    assert len(rows) == 39


def test_a_suite_is_printed() -> None:
    done = run("openings", "--kind", "random:3", "--count", "4", "--game", "othello")
    assert done.returncode == 0, done.stderr
    header, *lines = done.stdout.splitlines()
    assert header == "# othello 8x8 standard: random:3, seed 1, by extremum openings"
    assert all(re.fullmatch(r"([a-h][1-8]){3}", line) for line in lines)
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["ladder", "--levels", "0,101"], "argument --levels: '0,101' is no list of levels"),
        (["ladder", "--size", "99"], "unacceptable size: 99 is not in 3..20"),
        (["openings", "--count", "0"], "argument --count: '0' is no positive number"),
        (["report"], "the following arguments are required: folder"),
        (["report", "/no/such"], "/no/such holds no match: "),
    ],
)
def test_a_bad_word_is_refused_in_one_line(words: list[str], complaint: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"extremum: {complaint}")
    assert done.stderr.count("\n") == 1
