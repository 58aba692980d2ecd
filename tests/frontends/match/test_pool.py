from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from extremum.frontends.match.crew import Crew
from extremum.frontends.match.pool import Pool, WorkerEndedError
from extremum.frontends.match.schedule import fixtures
from tests.frontends.match.matches import until
from tests.frontends.match.test_report import settings

WORKER = (sys.executable, "-m", "tests.frontends.match.scripted_worker")


def played(manner: str) -> list[int]:
    match = settings(rounds=4)
    with Pool(match, Crew(workers=2, together=3), print, (*WORKER, manner)) as pool:
        return [result.number for result in pool.play(fixtures(match), lambda: None)]


def test_what_a_worker_leaves_behind_is_played_by_another() -> None:
    assert sorted(played("ends")) == list(range(8))


def test_the_engines_of_a_killed_worker_do_not_outlive_the_pool() -> None:
    match = settings(rounds=4)
    with Pool(match, Crew(), print, (*WORKER, "killed")) as pool:
        engine = next(pool.play(fixtures(match), lambda: None)).text
        assert Path(f"/proc/{engine}").exists()
    until(lambda: not Path(f"/proc/{engine}").exists(), 5)


def test_a_second_death_in_the_same_game_ends_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    complaint = r"a worker ended with status 1, the second one in the same game, of these: .*\b1\b"
    with pytest.raises(WorkerEndedError, match=complaint):
        played("dies")
    assert re.search(r"a worker ended with status 1; games that are played once more: .*\b1\b", capsys.readouterr().out)
