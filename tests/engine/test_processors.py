from __future__ import annotations

import os
from pathlib import Path

import pytest

from extremum.engine.processors import MOST, num_processors, num_threads
from tests.engine.test_memory import system

HERE = len(os.sched_getaffinity(0))
CONTAINER = {"proc/self/cgroup": "0::/\n"}


def test_there_are_those_that_a_process_may_run_on() -> None:
    assert 1 <= num_processors() <= HERE


def test_a_process_that_may_run_on_one_has_one() -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert num_processors() == 1
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("100000 100000", 1), ("50000 100000", 1), ("max 100000", HERE), ("6400000 100000", HERE), ("nonsense", HERE)],
)
def test_a_container_has_no_more_than_the_time_that_it_is_given(tmp_path: Path, text: str, expected: int) -> None:
    root = system(tmp_path, CONTAINER | {"sys/fs/cgroup/cpu.max": f"{text}\n"})
    assert num_processors(root) == expected


@pytest.mark.parametrize(("quota", "expected"), [("100000", 1), ("-1", HERE)])
def test_groups_of_the_older_kind_tell_it_too(tmp_path: Path, quota: str, expected: int) -> None:
    folder = "sys/fs/cgroup/cpu/games/gomoku"
    files = {
        "proc/self/cgroup": "3:cpu,cpuacct:/games/gomoku\n",
        f"{folder}/cpu.cfs_quota_us": f"{quota}\n",
        f"{folder}/cpu.cfs_period_us": "100000\n",
    }
    assert num_processors(system(tmp_path, files)) == expected


def test_the_least_of_all_groups_holds(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/user/session\n",
        "sys/fs/cgroup/user/cpu.max": "100000 100000\n",
        "sys/fs/cgroup/user/session/cpu.max": "max 100000\n",
    }
    assert num_processors(system(tmp_path, files)) == 1


def test_threads_are_no_more_than_processors_and_unasked_no_more_than_eight() -> None:
    assert num_threads(1) == 1
    assert num_threads(256) == num_processors()
    assert num_threads(0) == min(MOST, num_processors())
