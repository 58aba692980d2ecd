"""Whole matches with engines that fail."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.frontends.match.matches import SMALL, games, match

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
