"""The curves of a run: losses, entropy, divergence, games, and Elo over time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import EngineError
from .canvas import BLACK, COLORS, GRAY, HEIGHT, PALE, WIDTH, Canvas, Color
from .files import write_bytes
from .run import read_log

PANEL_WIDTH, PANEL_HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 15, 30, 35  # margins
TICKS = 5
LINE, LEGEND = 14, 8  # the height of a line of text, and the legend's distance from the edge


@dataclass(frozen=True, slots=True)
class Curve:
    """Points by hours; a bar reaches from low to high."""

    name: str
    points: list[tuple[float, float]]
    bars: list[tuple[float, float]] | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves that share their axes."""

    title: str
    curves: list[Curve]


def plot(folder: Path) -> Path:
    """Draw a run's log to curves.png in its directory; EngineError when there is nothing to draw."""
    drawn = picture(folder)
    if drawn is None:
        raise EngineError(f"'{folder}' has no log to draw yet")
    path = folder / "curves.png"
    write_bytes(path, drawn)
    return path


def picture(folder: Path) -> bytes | None:
    """A run's log as a PNG; None when there is nothing to draw."""
    panels = [panel for panel in _panels(read_log(folder)) if any(curve.points for curve in panel.curves)]
    if not panels:
        return None
    canvas = Canvas(2 * PANEL_WIDTH, math.ceil(len(panels) / 2) * PANEL_HEIGHT)
    for number, panel in enumerate(panels):
        _draw(canvas, panel, number % 2 * PANEL_WIDTH, number // 2 * PANEL_HEIGHT)
    return canvas.png()


def _panels(lines: Sequence[dict[str, Any]]) -> Iterator[Panel]:
    cycles = [line for line in lines if line.get("kind") == "cycle"]
    heads = sorted({head for line in cycles for head in line.get("losses", {})})
    for head in heads:
        learned = _points(cycles, lambda line, head=head: line["losses"][head])
        held_out = _points(cycles, lambda line, head=head: line["held_out"][head])
        yield Panel(f"loss: {head}", [Curve("learned", learned), Curve("held out", held_out)])
    yield Panel("entropy of policies", [Curve("target", _points(cycles, lambda line: line["entropy"]))])
    yield Panel("divergence in a cycle", [Curve("kl", _points(cycles, lambda line: line["kl"]))])
    names = (("black_score", "black's score"), ("draws", "draws"))
    yield Panel("games", [Curve(name, _points(cycles, lambda line, key=key: line[key])) for key, name in names])
    yield Panel("positions per second", [Curve("played", _points(cycles, lambda line: line["rows_per_second"]))])
    yield Panel("elo against, 95 %", list(_matches([line for line in lines if line.get("kind") == "match"])))


def _matches(lines: Sequence[dict[str, Any]]) -> Iterator[Curve]:
    """A curve for each opponent that stays; the earlier nets are one, always the last but one."""
    names = ["earlier net" if line["opponent"].endswith("min") else line["opponent"] for line in lines]
    for name in dict.fromkeys(names):
        mine = [line for line, other in zip(lines, names, strict=True) if other == name]
        points = [(line["seconds"] / 3600, float(line["elo"])) for line in mine]
        yield Curve(name, points, [(float(line["elo_low"]), float(line["elo_high"])) for line in mine])


def _points(lines: Sequence[dict[str, Any]], value: Any) -> list[tuple[float, float]]:
    found = []
    for line in lines:
        try:
            found.append((line["seconds"] / 3600, float(value(line))))
        except KeyError:  # not every cycle has everything
            continue
    return found


def _draw(canvas: Canvas, panel: Panel, left: int, top: int) -> None:
    axes = _Axes.around(panel.curves, left, top)
    canvas.text((left + LEFT, top + LEGEND), panel.title)
    for tick in range(TICKS + 1):
        column, row = axes.at(axes.hours * tick / TICKS, axes.low + (axes.high - axes.low) * tick / TICKS)
        canvas.line((left + LEFT, row), (left + PANEL_WIDTH - RIGHT, row), PALE)
        canvas.text((left + LEGEND, row - HEIGHT // 2), _number(axes.low + (axes.high - axes.low) * tick / TICKS), GRAY)
        label = f"{_number(axes.hours * tick / TICKS)} h"
        canvas.text((column - len(label) * WIDTH // 2, top + PANEL_HEIGHT - BOTTOM + LEGEND), label, GRAY)
    canvas.line(axes.at(0, axes.low), axes.at(axes.hours, axes.low), BLACK)
    canvas.line(axes.at(0, axes.low), axes.at(0, axes.high), BLACK)
    for number, curve in enumerate(curve for curve in panel.curves if curve.points):
        color = COLORS[number % len(COLORS)]
        _draw_curve(canvas, axes, curve, color)
        place = (left + PANEL_WIDTH - RIGHT - WIDTH * len(curve.name), top + LEGEND + LINE * number)
        canvas.text(place, curve.name, color)


def _draw_curve(canvas: Canvas, axes: _Axes, curve: Curve, color: Color) -> None:
    places = [axes.at(*point) for point in curve.points]
    for start, end in zip(places, places[1:] or places, strict=False):
        canvas.line(start, end, color, thickness=2)
    for (hours, _), (low, high) in zip(curve.points, curve.bars or [], strict=False):
        canvas.line(axes.at(hours, low), axes.at(hours, high), color)


@dataclass(frozen=True, slots=True)
class _Axes:
    left: int
    top: int
    hours: float
    low: float
    high: float

    @classmethod
    def around(cls, curves: Sequence[Curve], left: int, top: int) -> _Axes:
        hours = max(hour for curve in curves for hour, _ in curve.points)
        values = [value for curve in curves for _, value in curve.points]
        values += [end for curve in curves for bar in curve.bars or [] for end in bar]
        low, high = min(values), max(values)
        room = (high - low) * 0.05 or 1.0
        return cls(left, top, hours or 1.0, low - room if low < 0 else max(0.0, low - room), high + room)

    def at(self, hours: float, value: float) -> tuple[float, float]:
        """Where a point is drawn."""
        width, height = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM
        share = (value - self.low) / (self.high - self.low)
        return self.left + LEFT + hours / self.hours * width, self.top + TOP + (1 - share) * height


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
