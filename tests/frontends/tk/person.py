"""Somebody who clicks: Tk's own events, on the real event loop."""

from __future__ import annotations

import time
import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from extremum.frontends.shared.dial import dial
from extremum.frontends.shared.link import Dials
from extremum.frontends.shared.play import Play
from extremum.frontends.shared.points import Point, point_of
from extremum.frontends.shared.score import Score
from extremum.frontends.shared.setup import Setup
from extremum.frontends.tk.window import Window
from tests.frontends.shared.plays import QUICK


class Person:
    """Looks at a window and uses it."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.play = window.play

    def wait(self, condition: Callable[[], bool], timeout: float = 60.0) -> None:
        """Let the window live until something is so."""
        deadline = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < deadline, f"{self.said}, {self.play.board}, {self.play.driver.dead}"
            self.window.root.update()
            time.sleep(0.002)

    def settle(self) -> None:
        """Wait for one's turn, or for the end; the window shows it."""
        play = self.play
        self.wait(lambda: play.board is not None and not play.driver.busy)
        self.wait(lambda: self.window._version == play.version and not self.window.board.is_turning)

    @property
    def said(self) -> str:
        return str(self.window.status["text"])

    def hear(self, text: str) -> None:
        """Wait until the window says something."""
        self.wait(lambda: text in self.said)

    def point(self, vertex: str) -> tuple[int, int]:
        """Where a vertex is on the canvas."""
        point = point_of(vertex, self.play.setup.game, self.play.setup.size)
        assert point is not None
        x, y = self.window.board.geometry.center(point)
        return round(x), round(y)

    def click(self, vertex: str) -> None:
        x, y = self.point(vertex)
        self.window.board.canvas.event_generate("<Button-1>", x=x, y=y)
        self.window.root.update()

    def hover(self, vertex: str) -> None:
        x, y = self.point(vertex)
        self.window.board.canvas.event_generate("<Motion>", x=x, y=y)
        self.window.root.update()

    def press(self, *keys: str) -> None:
        self.window.board.canvas.focus_force()
        self.window.root.update()
        for key in keys:
            self.window.board.canvas.event_generate(key)
            self.window.root.update()

    def drawn(self, tag: str, kind: str = "") -> int:
        """How many things of a kind are drawn."""
        canvas = self.window.board.canvas
        return sum(not kind or str(canvas.type(item)) == kind for item in canvas.find_withtag(tag))


@contextmanager
def sitting(
    folder: Path, setup: Setup, engine: str = QUICK, language: str = "en", zoom: float = 1.0
) -> Iterator[Person]:
    """A person before a window; the window and the engine are gone at the end."""
    root = tk.Tk()
    play = Play(Dials(dial(engine, None)), setup, Score(folder / "score.json"))
    window = Window(root, play, language, zoom)
    person = Person(window)
    try:
        root.update()
        person.settle()
        yield person
    finally:
        if _exists(root):
            window.quit()
        play.driver.join()


def _exists(root: tk.Tk) -> bool:
    try:
        return bool(root.winfo_exists())
    except tk.TclError:
        return False


def best_point(stones: dict[Point, str], size: int) -> Point:
    """A point in the row of five that is nearest to being black's."""
    best: tuple[int, Point] | None = None
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                points = [(row + step * down, column + step * right) for step in range(5)]
                if any(not (0 <= r < size and 0 <= c < size) for r, c in points):
                    continue
                colors = [stones.get(point) for point in points]
                if "white" in colors or None not in colors:
                    continue
                found = (colors.count("black"), points[colors.index(None)])
                if best is None or found[0] > best[0]:
                    best = found
    assert best is not None
    return best[1]
