"""The whole program, started as a person starts it and clicked through the X server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from extremum.frontends.shared.points import point_of
from extremum.frontends.tk.geometry import Geometry
from tests.frontends.tk.screen import Screen
from tests.protocol.engine import ENGINE

pytestmark = pytest.mark.slow


def xdotool(*words: str) -> str:
    done = subprocess.run(["xdotool", *words], capture_output=True, text=True, timeout=20)
    return done.stdout.strip()


def wait(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 40
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def sent(log: Path, pattern: str) -> list[str]:
    """What the engine was sent, from its own log of the traffic."""
    text = log.read_text() if log.exists() else ""
    return re.findall(rf"^> ({pattern})$", text, re.MULTILINE)


def has_looked(log: Path, before: int) -> bool:
    return len(sent(log, "gogui-rules_final_result")) > before


def test_a_game_is_played_by_the_pointer_and_the_window_is_closed(screen: Screen, tmp_path: Path) -> None:
    log = tmp_path / "traffic"
    flags = ["--size", "3", "--in-a-row", "3", "--brain", "random", "--language", "en"]
    engine = " ".join([*ENGINE, "--log", str(log), "--seed", "1"])
    program = subprocess.Popen([*ENGINE, "gui", "--engine", engine, *flags])
    try:
        wait(lambda: xdotool("search", "--name", "^Extremum$"))
        window = xdotool("search", "--name", "^Extremum$").split()[-1]
        wait(lambda: sent(log, "gogui-rules_final_result"))
        time.sleep(0.3)  # until it is drawn
        for vertex in [f"{column}{row}" for column in "ABC" for row in (1, 2, 3)]:
            before = len(sent(log, "gogui-rules_final_result"))
            click(window, vertex)
            wait(partial(has_looked, log, before))
            time.sleep(0.15)
            if re.search("wins|Draw", log.read_text()):
                break
        assert re.search("wins|Draw", log.read_text())
        assert len(sent(log, "play black [A-C][1-3]")) >= 3
        assert sent(log, "kata-genmove_analyze white 20")
        xdotool("key", "--window", window, "ctrl+q")
        assert program.wait(10) == 0
    finally:
        program.kill()
        program.wait()


def click(window: str, vertex: str) -> None:
    """Move the pointer over a point and press; the board lies to the left, below the menu and above the status."""
    place = dict(
        line.split("=") for line in xdotool("getwindowgeometry", "--shell", window).splitlines() if "=" in line
    )
    canvas = board_place(int(place["WIDTH"]), int(place["HEIGHT"]))
    point = point_of(vertex, "gomoku", 3)
    assert point is not None
    x, y = Geometry("gomoku", 3, canvas[2], canvas[3]).center(point)
    at = (int(place["X"]) + canvas[0] + round(x), int(place["Y"]) + canvas[1] + round(y))
    xdotool("mousemove", str(at[0]), str(at[1]), "click", "1")


def board_place(width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, width and height of the board in the window, roughly: cells of a small board are large."""
    menu, status, panel, padding = 24, 30, 340, 10
    return padding, menu + padding, width - panel - 2 * padding, height - menu - status - 2 * padding


@pytest.mark.parametrize(
    "words", [["--size", "99"], ["--engine", ""], ["--zoom", "0"], ["--nonsense"], ["--level", "x"]]
)
def test_a_bad_command_line_gets_one_clear_line(words: list[str]) -> None:
    done = subprocess.run([*ENGINE, "gui", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert re.fullmatch(r"extremum: .+\n", done.stderr)


def test_a_missing_display_gets_one_clear_line() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run([*ENGINE, "gui"], capture_output=True, text=True, timeout=60, env=environment)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("extremum: no window: ")


def test_a_python_without_tkinter_is_told_what_to_install() -> None:
    script = (
        "import sys; sys.modules['tkinter'] = None; sys.argv = ['extremum', 'gui'];"
        "from extremum.frontends.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "python3-tk" in done.stderr
