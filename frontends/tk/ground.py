"""The board itself: plank or cloth, lines, dots and coordinates."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's

from ..shared.points import row_name, vertex_of
from . import pictures
from .geometry import LABEL, Geometry
from .style import Style

LINES = {"gomoku": "#5a4324", "othello": "#123f2a"}
LABELS = "#6b6152"
SHADOW = "#d9cfbd"


def draw_ground(canvas: tk.Canvas, geometry: Geometry, style: Style) -> list[tk.PhotoImage]:
    """Draw an empty board; the pictures that are returned have to be kept."""
    cell = geometry.cell
    edge = (0.28 if geometry.game == "gomoku" else 0.08) * cell
    x, y, span = geometry.left - edge, geometry.top - edge, geometry.size * cell + 2 * edge
    make = pictures.wood if geometry.game == "gomoku" else pictures.felt
    image = tk.PhotoImage(master=canvas, data=make(round(span), round(span)), format="ppm")
    away = style.pixels(3)
    canvas.create_rectangle(x + away, y + away, x + span + away, y + span + away, fill=SHADOW, width=0)
    canvas.create_image(x, y, image=image, anchor="nw")
    _draw_lines(canvas, geometry, style.pixels(1))
    dot = _draw_dots(canvas, geometry)
    _draw_labels(canvas, geometry, style.family)
    return [image, dot]


def _draw_lines(canvas: tk.Canvas, geometry: Geometry, width: int) -> None:
    crossings = geometry.game == "gomoku"
    count, shift = (geometry.size, 0.5) if crossings else (geometry.size + 1, 0.0)
    color, ends = LINES[geometry.game], (shift, count - 1 + shift)
    for index in range(count):
        thick = 2 * width if index in (0, count - 1) else width
        across = [_spot(geometry, end, index + shift) for end in ends]
        down = [_spot(geometry, index + shift, end) for end in ends]
        for line in (across, down):
            canvas.create_line(*line, fill=color, width=thick, capstyle="projecting")


def _draw_dots(canvas: tk.Canvas, geometry: Geometry) -> tk.PhotoImage:
    dots = [geometry.center(point) for point in geometry.stars()]
    if geometry.game == "othello":
        marks = (2, geometry.size - 2)
        dots = [_spot(geometry, across, down) for across in marks for down in marks]
    data = pictures.for_tk(pictures.spot(max(5, round(0.18 * geometry.cell)), LINES[geometry.game]))
    image = tk.PhotoImage(master=canvas, data=data, format="png")
    for x, y in dots:
        canvas.create_image(x, y, image=image)
    return image


def _draw_labels(canvas: tk.Canvas, geometry: Geometry, family: str) -> None:
    size, cell = geometry.size, geometry.cell
    away = max(0.53 * cell if geometry.game == "gomoku" else 0.4 * cell, LABEL / 2)
    font = (family, -max(9, round(min(0.3 * cell, 16 + 0.1 * cell))))
    right, bottom = geometry.left + size * cell + away, geometry.top + size * cell + away
    for index in range(size):
        x, y = geometry.center((index, index))
        column, row = vertex_of((0, index), geometry.game, size)[0], row_name(index, geometry.game, size)
        for spot, label in (
            ((x, geometry.top - away), column),
            ((x, bottom), column),
            ((geometry.left - away, y), row),
            ((right, y), row),
        ):
            canvas.create_text(*spot, text=label, font=font, fill=LABELS)


def _spot(geometry: Geometry, across: float, down: float) -> tuple[float, float]:
    return round(geometry.left + across * geometry.cell), round(geometry.top + down * geometry.cell)
