"""A report in a real browser, without a network: everything is there, and a game is replayed by clicks."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from extremum.engine.games.game import Position, points
from extremum.frontends.match.report import write_report
from extremum.frontends.match.settings import Settings
from tests.frontends.match.test_report import forfeited, played, settings

CLIENTS = Path(__file__).parent
BROWSER = "/usr/bin/chromium"
NAMES = ("first", "second <b>", "third")


def seen(match: Settings, folder: Path, **details: Any) -> Any:
    """What a visitor of the page sees, whose second game was played to its end."""
    assert Path(BROWSER).exists(), "the browser of Debian's package chromium is missing: apt-get install chromium"
    results = [forfeited(0, "third", "first", "third"), played(match, 3, "first", NAMES[1])]
    (folder / "report.html").write_text(write_report(match, results))
    task = {"browser": BROWSER, "page": str(folder / "report.html"), **details}
    command = ["node", "report.mjs", json.dumps(task)]
    done = subprocess.run(command, cwd=CLIENTS, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def stones(position: Position) -> dict[str, str]:
    black = {str(point): "black" for point in points(position.black)}
    return black | {str(point): "white" for point in points(position.white)}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size"), [("othello", 8), ("gomoku", 9)])
def test_a_game_is_replayed_by_clicks_and_keys(game: str, size: int, tmp_path: Path) -> None:
    match = settings(game, size, NAMES)
    page, moves = seen(match, tmp_path, width=500), played(match, 3, "first", NAMES[1]).moves
    positions = [match.make_game().start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    assert page["complaints"] == []
    assert page["listed"][0].startswith("0 third – first W+F")
    assert f"Move {len(moves)} of {len(moves)}" in page["caption"]
    shown = {"start": 0, "one": 1, "two": 2, "three": 3, "threeAgain": 3, "end": -1, "last": -1}
    assert {name: page[name] for name in shown} == {name: stones(positions[at]) for name, at in shown.items()}
    assert not page["wide"]  # nothing but tables scrolls sideways
