"""The board: shows a scene, and says where the person points."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable

from ..shared.points import Point
from .geometry import Geometry
from .ground import draw_ground
from .painter import FRAMES, Painter
from .scene import Scene
from .style import PAPER, Style

FRAME_TIME = 30  # milliseconds
SMALLEST = 20  # pixels

Variation = list[tuple[Point, str, int]]


class BoardView:
    """A canvas with the board on it; it knows no rules."""

    def __init__(
        self, parent: tk.Misc, style: Style, click: Callable[[Point], None], hover: Callable[[Point | None], None]
    ) -> None:
        self.canvas = tk.Canvas(parent, background=PAPER, highlightthickness=0, takefocus=True)
        self.cursor: Point | None = None
        self._style = style
        self._click, self._hover = click, hover
        self._scene = Scene("gomoku", 15)
        self._drawn: Geometry | None = None
        self._ground: list[tk.PhotoImage] = []
        self._painter: Painter | None = None
        self._pointed: Point | None = None
        self._variation: Variation = []
        self._turning: dict[Point, int] = {}  # the frame of each disc that turns over; it begins below zero
        self.canvas.bind("<Configure>", lambda event: self._redraw())
        self.canvas.bind("<Button-1>", self._clicked)
        self.canvas.bind("<Motion>", lambda event: self._point_at(self.geometry.point(event.x, event.y)))
        self.canvas.bind("<Leave>", lambda event: self._point_at(None))

    @property
    def geometry(self) -> Geometry:
        """Where the points lie now."""
        width, height = self.canvas.winfo_width(), self.canvas.winfo_height()
        return Geometry(self._scene.game, self._scene.size, width, height)

    @property
    def is_turning(self) -> bool:
        """True while discs turn over."""
        return bool(self._turning)

    def show(self, scene: Scene) -> None:
        """Draw a scene; discs that a move turned are seen turning."""
        before, self._scene = self._scene, scene
        if scene == before:
            return
        if scene.ply > before.ply and (scene.game, scene.size) == (before.game, before.size):
            self._turn(scene, [p for p, color in scene.stones.items() if before.stones.get(p, color) != color])
        elif scene.ply != before.ply:
            self._turning = {}
        self._redraw()

    def show_variation(self, variation: Variation) -> None:
        """Draw a line of play over the scene."""
        if self._variation != variation:
            self._variation = variation
            self._draw_marks()

    def move_cursor(self, down: int, right: int) -> None:
        """Move the keyboard's cursor, which appears in the middle."""
        size = self._scene.size
        row, column = self.cursor or (size // 2 - down, size // 2 - right)
        self.cursor = (min(size - 1, max(0, row + down)), min(size - 1, max(0, column + right)))
        self._draw_marks()

    def _clicked(self, event: tk.Event[tk.Canvas]) -> None:
        self.canvas.focus_set()
        point = self.geometry.point(event.x, event.y)
        if point is not None:
            self.cursor = None
            self._click(point)

    def _point_at(self, point: Point | None) -> None:
        if point != self._pointed:
            self._pointed = point
            self._hover(point)
            self._draw_marks()

    def _turn(self, scene: Scene, points: list[Point]) -> None:
        """Let discs turn over, from the new one outwards."""
        was_still = not self._turning
        for row, column in points:
            away = 0 if scene.last is None else max(abs(row - scene.last[0]), abs(column - scene.last[1]))
            self._turning[row, column] = -2 * away
        if was_still and self._turning:
            self.canvas.after(FRAME_TIME, self._turn_on)

    def _turn_on(self) -> None:
        self._turning = {point: frame + 1 for point, frame in self._turning.items() if frame < FRAMES}
        self._draw_stones()
        if self._turning:
            self.canvas.after(FRAME_TIME, self._turn_on)

    def _redraw(self) -> None:
        geometry = self.geometry
        if min(geometry.width, geometry.height) < SMALLEST:
            return
        if geometry != self._drawn:
            self.canvas.delete("all")
            self._drawn = geometry
            self._ground = draw_ground(self.canvas, geometry, self._style)
            self._painter = Painter(self.canvas, self._style, geometry)
        self._draw_stones()

    def _draw_stones(self) -> None:
        if self._painter is not None:
            self._painter.stones(self._scene, self._turning)
            self._draw_marks()

    def _draw_marks(self) -> None:
        if self._painter is not None:
            self._painter.marks(self._scene, hidden=bool(self._variation))
            self._painter.variation(self._variation)
            pointed = None if self._variation else self._pointed
            self._painter.fleeting(self._scene, pointed, self.cursor)
