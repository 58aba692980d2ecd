"""Whole matches by the clock; the margins are wide, for the machine may be busy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.match.matches import games, match
from tests.protocol.engine import ENGINE

pytestmark = pytest.mark.slow
OURS = " ".join(ENGINE)
LATE = ("--game", "othello", "--openings", "random:36", "--games", "2")
RHINO = "rhino=gtp:/usr/games/gtp-rhino -l 1 -b 0 -r 0"


def test_time_a_move_and_time_a_game_hold_at_once(tmp_path: Path) -> None:
    words = ("alphabeta", f"gtp=gtp:{OURS} --brain alphabeta", *LATE, "--movetime", "0.2", "--time", "60")
    done = match(*words, "--margin", "1", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert [game["reason"] for game in games(tmp_path)] == ["board", "board"], done.stdout


def test_our_nboard_side_plays_a_match_by_the_move(tmp_path: Path) -> None:
    words = (f"ours=nboard:{OURS} nboard --brain alphabeta", "random", *LATE, "--movetime", "0.5", "--margin", "1")
    done = match(*words, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert [game["reason"] for game in games(tmp_path)] == ["board", "board"], done.stdout
    assert "extremum: ours: its protocol has no time a move: it is told of a clock of 4 moves\n" in done.stderr


def test_a_real_engine_that_reads_whole_seconds_only_is_named_at_the_start(tmp_path: Path) -> None:
    done = match(RHINO, "random", *LATE, "--movetime", "0.5", "--margin", "1", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    told = "rhino: without kata-time_settings it reads whole seconds: it is told 1 s a move, not 0.5"
    assert done.stderr.count(told) == 1, done.stderr


def test_a_real_engine_meets_ours_at_a_second_a_move_without_a_fault(tmp_path: Path) -> None:
    words = (RHINO, "alphabeta depth=2", "--game", "othello", "--openings", "random:8", "--games", "4")
    done = match(*words, "--movetime", "1", "--margin", "1", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert [game["reason"] for game in games(tmp_path)] == ["board"] * 4, done.stdout
    assert not any(game["claims"] for game in games(tmp_path))
