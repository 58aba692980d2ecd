"""Sabaki's own GTP library drives the real engine in its own process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

CLIENTS = Path(__file__).parent
LAUNCHER = [str(CLIENTS.parent.parent / "extremum")]
ENGINE = [sys.executable, "-m", "extremum.frontends.cli"]
QUICK = ("set_option visits 200", "set_option seed 1")


def drive(scenario: str, engine: Sequence[str] = ENGINE, initial: Sequence[str] = (), **details: Any) -> Any:
    """What the client saw; the engine's own buffering is not helped by the environment."""
    task = {"scenario": scenario, "engine": engine, "initial": initial, **details}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = ["node", "sabaki.mjs", json.dumps(task)]
    done = subprocess.run(command, cwd=CLIENTS, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [ENGINE, LAUNCHER], ids=["module", "launcher"])
def test_attaches(engine: list[str]) -> None:
    seen = drive("attach", engine, initial=["set_game othello", "set_option visits 10"])
    name, version, protocol, commands, *initial = seen["replies"]
    assert (name, protocol, initial) == ("Extremum", "2", ["", ""])
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert {"komi", "boardsize", "clear_board", "play", "undo", "genmove", "quit"} <= set(commands.split("\n"))
    assert seen["outcome"] == {"signal": 0}  # the library's name for the exit code


def test_lists_only_the_analyses_whose_dialect_sabaki_reads() -> None:
    commands = drive("attach")["replies"][3].split("\n")
    analyses = {name for name in commands if "analyze" in name and not name.startswith("gogui-")}
    assert analyses == {"kata-analyze", "kata-genmove_analyze", "lz-analyze", "lz-genmove_analyze"}


def test_synchronizes_komi_and_history() -> None:
    opening = ["play B H8", "play W H9", "play B J8", "play W J9"]
    histories = [opening, opening[:3], [*opening[:3], "play W K8"], ["play B A1"]]
    first, shorter, other, new = drive("synchronize", boardsize=[15, 15], histories=histories)
    assert first["sent"] == ["komi", "boardsize", "clear_board", *["play"] * 4]
    assert first["board"].split("\n")[6:8] == [".......OO......", ".......XX......"]
    assert shorter["sent"] == ["undo"]
    assert shorter["board"].split("\n")[6] == ".......O......."
    assert other["sent"] == ["play"]
    assert new["sent"] == ["clear_board", "play"]
    assert re.sub(r"\s", "", new["board"]) == "." * 210 + "X" + "." * 14


@pytest.mark.slow
@pytest.mark.parametrize("brain", ["alphabeta", "rollout"])
@pytest.mark.parametrize("game", ["gomoku", "othello"])
@pytest.mark.parametrize("dialect", ["lz", "kata"])
def test_an_analysis_ends_when_the_protocol_version_is_asked(game: str, brain: str, dialect: str) -> None:
    opening = {"gomoku": ["play B H8", "play W J9"], "othello": ["play B D3", "play W C3"]}[game]
    initial = [f"set_game {game}", f"set_brain {brain}", *opening]
    seen = drive("analyze", initial=initial, command=f"{dialect}-analyze B 5", enough=4)
    assert seen["events"] == ["closed", "2"]
    assert seen["name"] == "Extremum"
    status, *lines, end = seen["lines"]
    assert (status.rstrip(), end) == ("=", "")
    assert len(lines) >= 3
    for line in lines:
        check_info(line, dialect)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gomoku", "othello"])
@pytest.mark.parametrize("dialect", ["lz", "kata"])
def test_a_move_is_made_under_analysis(game: str, dialect: str) -> None:
    initial = [f"set_game {game}", "clear_board", "set_option movetime 0.3"]
    seen = drive("generate", initial=initial, command=f"{dialect}-genmove_analyze B 5")
    status, *lines, played, end = seen["lines"]
    assert (status.rstrip(), end) == ("=", "")
    assert lines
    for line in lines:
        check_info(line, dialect)
    assert seen["history"] == [f"play B {played.removeprefix('play ')}"]


@pytest.mark.slow
@pytest.mark.parametrize("generate", ["genmove", "kata-genmove_analyze"])
@pytest.mark.parametrize(("game", "size", "longest"), [("gomoku", 15, 225), ("othello", 8, 60 + 2 * 30)])
def test_two_engines_play_a_whole_game(game: str, size: int, longest: int, generate: str) -> None:
    black = [f"set_game {game}", "set_brain alphabeta", *QUICK]
    white = [f"set_game {game}", "set_brain rollout", *QUICK]
    seen = drive("play", initial=black, opponent=white, boardsize=[size, size], generate=generate)
    *moves, before_last, last = seen["moves"]
    assert (before_last, last) == ("pass", "pass")
    assert len(moves) <= longest
    played = [vertex for vertex in moves if vertex != "pass"]
    assert len(played) == len(set(played))
    assert all(re.fullmatch(r"[A-HJ-Z]\d\d?", vertex) for vertex in played)
    first, second = seen["scores"]
    assert first == second
    assert re.fullmatch(r"[BW]\+[1-9]\d*|0", first)


@pytest.mark.slow
@pytest.mark.parametrize("brain", ["alphabeta", "rollout"])
@pytest.mark.parametrize("command", ["", "lz-analyze B 20", "lz-genmove_analyze B 20"])
def test_stops_within_three_seconds_also_in_mid_search(command: str, brain: str) -> None:
    begun = ["set_option movetime 0.05", "play B H8", "genmove W", "time_settings 0 60 1"]  # the kernels are loaded
    initial = [f"set_brain {brain}", *begun]
    seen = drive("stop", initial=initial, command=command)
    assert seen["outcome"] == {"signal": 0}
    assert seen["seconds"] < 3


def check_info(line: str, dialect: str) -> None:
    """Sabaki reads an entry that closes with `pv` and its vertices; `kata` has floats, `lz` whole numbers to 10000."""
    first, *entries = re.split(r"\s*\binfo\s+", line)
    assert first == ""
    assert entries
    for entry in entries:
        keys, variation = entry.split(" pv ")
        vertices = variation.split()
        assert all(re.fullmatch(r"[A-HJ-Z]\d\d?|pass", vertex) for vertex in vertices)
        words = keys.split()
        values = dict(zip(words[::2], words[1::2], strict=True))
        assert values["move"] == vertices[0]
        assert int(values["visits"]) >= 0
        assert int(values["nps"]) >= 0
        assert 0 <= winrate(values["winrate"], dialect) <= 1
    orders = [int(found) for found in re.findall(r" order (\d+)", line)]
    assert orders == list(range(len(entries)))


def winrate(text: str, dialect: str) -> float:
    return float(text) if dialect == "kata" else int(text) / 10000
