from __future__ import annotations

import sys

import pytest

from extremum.frontends.match.crew import Crew
from extremum.frontends.match.pool import Pool, WorkerEndedError
from extremum.frontends.match.schedule import fixtures
from tests.frontends.match.test_report import settings

WORKER = (sys.executable, "-m", "tests.frontends.match.scripted_worker")


def played(manner: str) -> list[int]:
    match = settings(rounds=4)
    with Pool(match, Crew(workers=2, together=3), print, (*WORKER, manner)) as pool:
        return [result.number for result in pool.play(fixtures(match))]


def test_what_a_worker_leaves_behind_is_played_by_another() -> None:
    assert sorted(played("ends")) == list(range(8))


def test_a_worker_that_dies_is_told() -> None:
    with pytest.raises(WorkerEndedError, match=r"a worker ended in game .*1"):
        played("dies")
