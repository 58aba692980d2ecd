"""The board in a shell, over real pipes."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.protocol.engine import ENGINE

pytestmark = pytest.mark.slow


def play(folder: Path, lines: str, *words: str) -> str:
    environment = os.environ | {"XDG_STATE_HOME": str(folder), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [*ENGINE, "play", *words], input=lines, capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_whole_game_is_played_by_a_script(tmp_path: Path) -> None:
    moves = "\n".join(f"{column}{row}" for column in "ABC" for row in (1, 2, 3))
    told = play(tmp_path, f"{moves}\n", "--size", "3", "--brain", "random")
    assert re.search("(Black|White) wins|Draw", told)
    assert "X Black: Human   O White: Engine, Strongest" in told


def test_bad_lines_are_explained_and_change_nothing(tmp_path: Path) -> None:
    lines = "A1\nA1\nfoo\nB2 C3\nZ9\nlevel 101\nmode funny\nbrain none\nload nowhere.sgf\nsave\nnew chess\nshow\n"
    told = play(tmp_path, lines, "--size", "5", "--color", "both")
    for text in (
        "illegal move: A1 is occupied",
        "'foo' is neither a move nor a command",
        "'B2 C3' is neither a move nor a command",
        "'Z9' is neither a move nor a command",
        "usage: mode strongest|weakest",
        "usage: brain auto|",
        "nowhere.sgf: No such file or directory",
        "usage: save FILE",
        "There is no such game",
    ):
        assert text in told
    assert told.rstrip().endswith(
        "\n".join(
            [
                " 1(X). . . . 1",
                "   A B C D E",
                "X Black: Human   O White: Human",
                "White to move",
            ]
        )
    )


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "a game.sgf"
    told = play(tmp_path, f"D3\nsave {file}\nundo\nload {file}\n", "--game", "othello", "--color", "both")
    assert f"Saved as {file}" in told
    assert ";B[dc]" in file.read_text()
    assert told.rstrip().endswith("White to move")


def test_the_weakest_mode_shows_its_score_and_the_hint_helps_to_lose(tmp_path: Path) -> None:
    told = play(tmp_path, "hint\n", "--size", "5", "--mode", "weakest", "--brain", "random")
    assert "Humans who managed to lose: 0 of 0" in told
    assert re.search("To lose, play [A-E][1-5]", told)


def test_chinese_is_spoken_where_the_locale_asks_for_it(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path), "LC_ALL": "zh_CN.UTF-8", "PYTHONUTF8": "1"}
    command = [*ENGINE, "play", "--size", "5", "--color", "both"]
    done = subprocess.run(command, input="", capture_output=True, encoding="utf-8", timeout=60, env=environment)
    assert "轮到黑方" in done.stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [(["--engine", "no-such-program"], "No such file"), (["--connect", "tcp://127.0.0.1:9"], "no server answers")],
)
def test_an_engine_that_cannot_be_reached_is_told(tmp_path: Path, words: list[str], reason: str) -> None:
    told = play(tmp_path, "A1\n", *words)
    assert reason in told
    assert "The engine is gone: restart it first" in told
