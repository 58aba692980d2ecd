"""The page in a real browser, used by clicks; its console stays free of errors."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.shared.plays import SLOW
from tests.frontends.web.page import browse, serving

pytestmark = pytest.mark.slow

RENJU_FORK = "(;GM[4]SZ[15]RU[renju];B[hh];W[aa];B[hi];W[ca];B[gj];W[ea];B[fj];W[ga])"  # a double three at H6


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What was seen in one run of the browser, which takes long to start."""
    with serving(tmp_path_factory.mktemp("state"), "--mode", "weakest", "--brain", "random") as (url, server):

        def kill(line: str) -> None:
            if line == "kill":
                tasks = Path(f"/proc/{server.pid}/task").iterdir()
                for child in [pid for task in tasks for pid in (task / "children").read_text().split()]:
                    os.kill(int(child), signal.SIGKILL)

        scenarios = ("othello", "gomoku", "phone", "keys", "switches", "byoyomi", "engineDies")
        return browse(url, *scenarios, said=kill, renju=RENJU_FORK)


def test_a_whole_game_of_gomoku_by_clicks(seen: dict[str, Any]) -> None:
    game = seen["gomoku"]
    assert game["problems"] == []
    assert game["words"][-1].startswith("Black wins")
    assert game["stones"] == 2 * len(game["words"]) - 1 == game["again"]
    assert game["undone"] == game["stones"] - 1
    assert game["sgf"]["text"].count(";B[") == len(game["words"])
    assert game["sgf"]["name"] == "extremum.sgf"


def test_a_whole_game_of_othello_by_clicks_against_the_weakest(seen: dict[str, Any]) -> None:
    game = seen["othello"]
    assert game["problems"] == []
    assert game["score"] == "Humans who managed to lose: 0 of 0"
    assert re.fullmatch("To lose, play [A-F][1-6]", game["hint"])
    assert re.match(r"(Black|White) wins   \d+ : \d+   You |Draw", game["text"])
    lost = "White wins" in game["text"]
    assert game["after"] == f"Humans who managed to lose: {int(lost)} of 1"
    assert game["turns"] > 8
    assert game["marked"] > game["turns"] / 2
    assert game["turned"] > 0
    assert game["sgf"]["text"].startswith("(;FF[4]GM[2]SZ[6]")


def test_what_is_refused_changes_nothing_and_a_game_that_was_left_is_found_again(tmp_path: Path) -> None:
    with serving(tmp_path, "--engine", SLOW) as (url, _):
        seen = browse(url, "refusals", "left")
    told, left = seen["refusals"], seen["left"]
    assert all("410" in problem for problem in left["problems"])  # the browser's own word about the refusal
    assert left["words"].startswith("This game has been left alone for long")
    assert left["status"] == "White to move"
    assert told["problems"] == []
    assert told["thinking"] == "The engine is thinking: wait, or let it move now"
    assert told["occupied"] == "illegal move: E5 is occupied"
    assert told["broken"].startswith("This is no game we can load: ")
    assert (told["stones"], told["kept"]) == (2, 2)
    assert told["loaded"] == "Paused: White to move"
    assert told["row"] == "A row has at least 3 stones and fits on the board"
    assert told["chinese"] == "新对局"


def test_a_game_is_played_by_the_windows_keys(seen: dict[str, Any]) -> None:
    keys = seen["keys"]
    assert keys["problems"] == []
    assert [(stone["x"], stone["y"]) for stone in keys["stones"]] == [(3, 4), (3, 5)]
    assert keys["numbers"] == ["1", "2"]
    assert keys["copied"] == "The game is on the clipboard"
    assert (keys["file"], keys["pasted"]) == ("extremum.sgf", 2)


def test_what_is_seen_can_be_chosen(seen: dict[str, Any]) -> None:
    assert seen["switches"] == {"legal": [4, 0], "forbidden": [2, 0], "problems": []}


def test_periods_of_byoyomi_are_seen_running_out(seen: dict[str, Any]) -> None:
    assert seen["byoyomi"] == {"periods": ["3", "2", "1"], "status": "White wins on time", "problems": []}


@pytest.mark.parametrize("engine", [[], ["--engine", SLOW]], ids=["ours", "another"])
def test_an_analysis_that_has_had_its_time_says_so(tmp_path: Path, engine: list[str]) -> None:
    with serving(tmp_path, "--search-time", "1", *engine) as (url, _):
        limits = browse(url, "limits")["limits"]
    assert limits["problems"] == []
    assert limits["spent"] == "Black to move   The analysis has had its 1 seconds"
    assert limits["candidates"] > 0
    assert limits["refused"] == "A move takes at most 1 seconds here"


def test_a_telephone_shows_the_whole_board_and_takes_a_tap(seen: dict[str, Any]) -> None:
    assert seen["phone"] == {"stones": 1, "wider": False, "problems": []}


def test_an_engine_that_dies_is_shown_and_restarted(seen: dict[str, Any]) -> None:
    assert seen["engineDies"]["problems"] == []
    assert seen["engineDies"]["alarm"] == "The engine was killed by SIGKILL"
    assert seen["engineDies"]["stones"] == 1
