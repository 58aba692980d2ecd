"""Drawings made of a few kinds of marks, as SVG for a page or as a PNG picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TypeAlias

from ...engine.training.canvas import HEIGHT, WIDTH, Canvas

SCALE = 1.5  # pixels of a picture for each unit of a drawing: its letters are wide


@dataclass(frozen=True, slots=True)
class Ink:
    """A color; the page has its own for text and lines, dark or light."""

    rgb: tuple[int, int, int]
    svg: str = ""

    @property
    def text(self) -> str:
        """The color as SVG has it."""
        return self.svg or "#" + bytes(self.rgb).hex()


BLACK, PALE = Ink((30, 30, 30), "currentColor"), Ink((225, 225, 225), "#8884")


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines from point to point."""

    points: Sequence[tuple[float, float]]
    ink: Ink
    thickness: float = 1.0


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    left: float
    top: float
    width: float
    height: float
    ink: Ink


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    ink: Ink


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text whose start, middle or end stands there, on its base line."""

    x: float
    y: float
    text: str
    anchor: str = "start"


Mark: TypeAlias = Path | Box | Disc | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks on a sheet, the later ones on top."""

    width: float
    height: float
    marks: Sequence[Mark]


def to_svg(drawing: Drawing) -> str:
    """The drawing as an element of a page, as wide as that allows."""
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" width="{drawing.width:g}"'
    return f'<svg {size} style="max-width:100%">{"".join(_svg(mark) for mark in drawing.marks)}</svg>'


def to_png(drawing: Drawing) -> bytes:
    """The drawing as a file."""
    canvas = Canvas(round(SCALE * drawing.width), round(SCALE * drawing.height))
    for mark in drawing.marks:
        _paint(canvas, mark)
    return canvas.png()


def _svg(mark: Mark) -> str:
    match mark:
        case Path(points, ink, thickness):
            places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            return f'<polyline points="{places}" fill="none" stroke="{ink.text}" stroke-width="{thickness:g}"/>'
        case Box(left, top, width, height, ink):
            place = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}"'
            return f'<rect {place} fill="{ink.text}"/>'
        case Disc(x, y, radius, ink):
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{ink.text}"/>'
        case Text(x, y, text, anchor):
            return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _paint(canvas: Canvas, mark: Mark) -> None:
    match mark:
        case Path(points, ink, thickness):
            places = [(SCALE * x, SCALE * y) for x, y in points]
            for start, end in pairwise(places):
                canvas.line(start, end, ink.rgb, round(thickness))
        case Box(left, top, width, height, ink):
            canvas.box((SCALE * left, SCALE * top), (SCALE * width, SCALE * height), ink.rgb)
        case Disc(x, y, radius, ink):
            canvas.disc((SCALE * x, SCALE * y), SCALE * radius, ink.rgb)
        case Text(x, y, text, anchor):
            back = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * WIDTH * len(text)
            canvas.text((SCALE * x - back, SCALE * y - HEIGHT), text)
