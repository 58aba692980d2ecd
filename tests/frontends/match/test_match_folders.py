"""Whole matches whose folder, disk or openings are not what they were."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from tests.frontends.match.matches import SMALL, games, match
from tests.protocol.engine import ENGINE, HOME


@pytest.mark.parametrize(
    ("out", "complaint"),
    [("/dev/null", "File exists"), ("/dev/null/x", "Not a directory"), ("x" * 300, "File name too ")],
)
def test_a_folder_that_cannot_be_is_refused_in_one_line(out: str, complaint: str) -> None:
    done = match("random", "random", *SMALL, "--games", "2", "--out", out)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"extremum: cannot write '{out}': {complaint}")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_match_goes_on_after_a_disk_has_been_full(tmp_path: Path) -> None:
    command = [*ENGINE, "match", "random", "random", *SMALL, "--games", "16", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, cwd=HOME, preexec_fn=_small_files)
    assert done.returncode == 2, done.stderr
    told = f"extremum: cannot write '{tmp_path}/results.jsonl': File too large; the same command with --out {tmp_path} "
    assert done.stderr.splitlines()[-1] == f"{told}goes on"
    before = games(tmp_path)
    assert 0 < len(before) < 16
    again = match(*command[len(ENGINE) + 1 :])
    assert again.returncode == 0, again.stderr
    assert games(tmp_path)[: len(before)] == before
    assert sorted(game["number"] for game in games(tmp_path)) == list(range(16))
    assert len(list((tmp_path / "games").iterdir())) == 16


def _small_files() -> None:
    """Have the disk refuse what is longer, as a full one does."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


@pytest.mark.slow
def test_a_file_of_openings_that_has_changed_is_refused_and_one_that_has_grown_is_not(tmp_path: Path) -> None:
    file, folder = tmp_path / "openings.txt", tmp_path / "m"
    words = ("random", "random", "--size", "15", "--openings", str(file), "--out", str(folder), "--games")
    file.write_text("h8h7\nh8i9\n")
    assert match(*words, "2").returncode == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    file.write_text("h8h9\nh8i9\n")
    done = match(*words, "4")
    assert (done.returncode, done.stdout) == (2, "")
    told = f"extremum: {folder} holds another match: the openings differ from those of the games already played; "
    assert done.stderr == f"{told}another --out begins anew\n"
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    file.write_text("h8h7\nh8i9\nh8h6\n")
    assert match(*words, "6").returncode == 0
    assert [game["opening"] for game in sorted(games(folder), key=lambda game: game["number"])] == [0, 0, 1, 1, 2, 2]
