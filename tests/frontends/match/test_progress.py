from __future__ import annotations

from dataclasses import replace

import pytest

from extremum.frontends.match.progress import Progress
from extremum.frontends.match.sprt import Sprt
from tests.frontends.match.test_report import forfeited, settings


def test_the_line_tells_the_score_the_elo_and_the_test(capsys: pytest.CaptureFixture[str]) -> None:
    match = replace(settings(names=("first", "second"), rounds=10), sprt=Sprt(0, 100))
    results = [forfeited(0, "first", "second", "second"), forfeited(1, "second", "first", "second")]
    results += [forfeited(2, "first", "second", "first"), forfeited(3, "second", "first", "second")]
    progress = Progress(match, results[:2])
    for result in results[2:]:
        progress.add(result)
    progress.end()
    line = capsys.readouterr().err
    assert line.startswith("4/20 games, first +3 =0 -1, Elo +191 (")
    assert "SPRT +" in line
    assert "4 faults" in line
    assert "s left" in line


def test_a_test_is_decided_by_whole_pairs() -> None:
    progress = Progress(replace(settings(names=("first", "second"), rounds=100), sprt=Sprt(0, 200)), [])
    for pair in range(40):
        progress.add(forfeited(2 * pair, "first", "second", "second"))
    assert not progress.decided
    for pair in range(40):
        progress.add(forfeited(2 * pair + 1, "second", "first", "second"))
    assert progress.decided
