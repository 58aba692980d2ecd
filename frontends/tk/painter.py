"""Paints stones and marks on the board's canvas."""

from __future__ import annotations

import math
import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Mapping

from ..shared.points import Point, other
from . import pictures
from .geometry import Geometry
from .scene import Mark, Scene
from .style import ACCENT, ALARM, BEST, OTHER, Style

FRAMES = 8  # of a disc that turns over
LEGAL = {"black": "#0f3d28", "white": "#d5ead9"}
INKS = {"black": "#ffffff", "white": "#1d1a16"}  # on a stone


class Painter:
    """Paints one geometry; its pictures are made once for each size."""

    def __init__(self, canvas: tk.Canvas, style: Style, geometry: Geometry) -> None:
        self._canvas = canvas
        self._style = style
        self._geometry = geometry
        self._images: dict[tuple[str, float, float], tk.PhotoImage] = {}
        share = 0.92 if geometry.game == "gomoku" else 0.82
        self._diameter = max(3, round(share * geometry.cell))

    def stones(self, scene: Scene, turning: Mapping[Point, int]) -> None:
        """Every stone, with its number or the mark of the last move."""
        self._canvas.delete("stones")
        for point, color in scene.stones.items():
            self._stone(point, color, turning.get(point))
        for point in () if turning else scene.flipped:
            self._dot(point, 0.09, INKS[scene.stones.get(point, "black")], "stones")
        for point, number in scene.numbers.items():
            if point in scene.stones:
                ink = ACCENT if point == scene.last else INKS[scene.stones[point]]
                self._text(point, str(number), 0.36, ink, "stones")
        if scene.last in scene.stones and not scene.numbers and scene.last is not None:
            self._dot(scene.last, 0.15, ACCENT, "stones")

    def marks(self, scene: Scene, *, hidden: bool) -> None:
        """Legal and forbidden points, candidates and the hint."""
        self._canvas.delete("marks")
        marked = {mark.point for mark in scene.marks}
        for point in scene.legal:
            if point not in marked:
                self._dot(point, 0.11, LEGAL[scene.side], "marks")
        for point in scene.forbidden:
            self._cross(point)
        if not hidden:
            for mark in scene.marks:
                self._candidate(mark)
        if scene.hint is not None:
            self._ring(scene.hint, 0.47, ACCENT, 3, "marks")

    def variation(self, moves: list[tuple[Point, str, int]]) -> None:
        """A line of play in stones that are not there yet."""
        self._canvas.delete("variation")
        seen: set[Point] = set()
        for point, color, number in moves:
            if point not in seen:
                seen.add(point)
                self._image(point, color, 1.0, 0.8, "variation")
                self._text(point, str(number), 0.4, INKS[color], "variation")

    def fleeting(self, scene: Scene, pointed: Point | None, cursor: Point | None) -> None:
        """The stone under the pointer and the keyboard's cursor."""
        self._canvas.delete("fleeting")
        if pointed is not None and pointed not in scene.stones and pointed not in {mark.point for mark in scene.marks}:
            self._image(pointed, scene.side, 1.0, 0.35, "fleeting")
        if cursor is not None:
            self._ring(cursor, 0.5, BEST, 2, "fleeting")

    def _stone(self, point: Point, color: str, frame: int | None) -> None:
        if frame is None or frame >= FRAMES:
            return self._image(point, color, 1.0, 1.0, "stones")
        angle = math.pi * max(0, frame) / FRAMES
        side = other(color) if angle < math.pi / 2 else color
        return self._image(point, side, round(abs(math.cos(angle)), 2), 1.0, "stones")

    def _candidate(self, mark: Mark) -> None:
        strength = 1.0 if mark.is_best else round(0.7 + 0.25 * mark.share, 1)
        self._spot(mark.point, 0.45, BEST if mark.is_best else OTHER, "marks", strength)
        if self._geometry.cell < 22:
            return self._text(mark.point, f"{100 * mark.winrate:.0f}", 0.42, "#ffffff", "marks")
        self._text(mark.point, f"{100 * mark.winrate:.0f}", 0.33, "#ffffff", "marks", down=-0.13)
        return self._text(mark.point, brief(mark.visits), 0.24, "#ffffff", "marks", down=0.2)

    def _image(self, point: Point, color: str, squash: float, opacity: float, tag: str) -> None:
        key = (color, squash, opacity)
        if key not in self._images:
            data = pictures.for_tk(pictures.stone(self._diameter, color, squash=squash, opacity=opacity))
            self._images[key] = tk.PhotoImage(master=self._canvas, data=data, format="png")
        tags = ("stones", "stone") if tag == "stones" else tag
        self._canvas.create_image(*self._geometry.center(point), image=self._images[key], tags=tags)

    def _text(self, point: Point, text: str, share: float, ink: str, tag: str, down: float = 0.0) -> None:
        x, y = self._geometry.center(point)
        cell = self._geometry.cell
        size = max(7, round(share * cell * (1.0 if len(text) < 3 else 0.8)))
        font = (self._style.family, -size, "bold")
        self._canvas.create_text(x, y + down * cell, text=text, font=font, fill=ink, tags=tag)

    def _dot(self, point: Point, share: float, color: str, tag: str) -> None:
        self._spot(point, share, color, tag, 1.0)

    def _spot(self, point: Point, share: float, color: str, tag: str, opacity: float) -> None:
        """A disc whose radius is a share of the cell."""
        diameter = max(5, round(2 * share * self._geometry.cell))
        key = (f"{color} {diameter}", 1.0, opacity)
        if key not in self._images:
            data = pictures.for_tk(pictures.spot(diameter, color, opacity))
            self._images[key] = tk.PhotoImage(master=self._canvas, data=data, format="png")
        self._canvas.create_image(*self._geometry.center(point), image=self._images[key], tags=tag)

    def _ring(self, point: Point, share: float, color: str, width: int, tag: str) -> None:
        x, y = self._geometry.center(point)
        radius = share * self._geometry.cell
        thick = self._style.pixels(width)
        self._canvas.create_oval(x - radius, y - radius, x + radius, y + radius, outline=color, width=thick, tags=tag)

    def _cross(self, point: Point) -> None:
        x, y = self._geometry.center(point)
        arm = max(3.0, 0.16 * self._geometry.cell)
        for slope in (1, -1):
            ends = (x - arm, y - slope * arm, x + arm, y + slope * arm)
            self._canvas.create_line(*ends, fill=ALARM, width=self._style.pixels(2), tags="marks")


def brief(count: int) -> str:
    """A count in few characters."""
    for limit, divisor, sign in ((1000, 1, ""), (10**6, 10**3, "k"), (10**9, 10**6, "M"), (10**13, 10**9, "G")):
        if count < limit:
            value = count / divisor
            return f"{value:.1f}{sign}" if sign and value < 9.95 else f"{value:.0f}{sign}"
    return "∞"
