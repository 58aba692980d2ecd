"""Plots as inline SVG, made by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from .score import Score
from .table import Standing

WIDTH = 800
LEFT = 230
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f")
WIN, DRAW, LOSS = "#2ca02c", "#bbbbbb", "#d62728"


def elo_plot(lines: Sequence[Standing]) -> str:
    """A point for each engine with the interval of 95 %."""
    low = min(line.elo - line.error for line in lines)
    high = max(line.elo + line.error for line in lines)
    scale = (WIDTH - LEFT - 40) / max(1.0, high - low)

    def x(elo: float) -> float:
        return LEFT + (elo - low) * scale

    parts = []
    for index, line in enumerate(lines):
        y = 28 * index + 20
        parts.append(_text(LEFT - 12, y + 4, _short(line.name, 30), "end"))
        parts.append(_line(x(line.elo - line.error), y, x(line.elo + line.error), y, "currentColor"))
        parts.append(f'<circle cx="{x(line.elo):.1f}" cy="{y}" r="5" fill="{COLORS[0]}"/>')
    bottom = 28 * len(lines) + 12
    for tick in _ticks(low, high):
        parts.append(_line(x(tick), 6, x(tick), bottom - 8, "#8884"))
        parts.append(_text(x(tick), bottom + 8, f"{tick:+g}", "middle"))
    return _svg(bottom + 20, parts)


def opening_plot(scores: Mapping[int, Score], name: str) -> str:
    """A bar for each opening: wins, draws and losses of one engine, or of black."""
    parts, each = [], 16
    for index, (opening, score) in enumerate(scores.items()):
        y, at = each * index + 24, float(LEFT)
        parts.append(_text(LEFT - 12, y + 11, f"opening {opening + 1}", "end"))
        for count, color in ((score.wins, WIN), (score.draws, DRAW), (score.losses, LOSS)):
            width = (WIDTH - LEFT - 90) * count / max(1, score.games)
            parts.append(f'<rect x="{at:.1f}" y="{y}" width="{width:.1f}" height="{each - 4}" fill="{color}"/>')
            at += width
        parts.append(_text(WIDTH - 82, y + 11, score.text(), "start"))
    return _svg(each * len(scores) + 36, [_text(LEFT, 14, f"{name}: wins, draws, losses", "start"), *parts])


def time_plot(times: Mapping[str, Mapping[int, float]]) -> str:
    """The mean time of each move by its ply, a line for each engine."""
    plies = max((max(line) for line in times.values() if line), default=1)
    most = max((max(line.values()) for line in times.values() if line), default=1.0) or 1.0
    bottom, left = 240, 60
    parts = []
    for tick in _ticks(0.0, most):
        y = bottom - 220 * tick / most
        parts += [_line(left, y, WIDTH, y, "#8884"), _text(left - 6, y + 4, f"{tick:g} s", "end")]
    for tick in _ticks(0.0, float(plies)):
        parts.append(_text(left + (WIDTH - left - 10) * tick / plies, bottom + 16, f"{tick:g}", "middle"))
    for index, (name, line) in enumerate(times.items()):
        color = COLORS[index % len(COLORS)]
        points = " ".join(
            f"{left + (WIDTH - left - 10) * ply / plies:.1f},{bottom - 220 * line[ply] / most:.1f}"
            for ply in sorted(line)
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>')
        parts.append(f'<rect x="{left}" y="{bottom + 26 + 18 * index}" width="12" height="12" fill="{color}"/>')
        parts.append(_text(left + 20, bottom + 36 + 18 * index, name, "start"))
    return _svg(bottom + 36 + 18 * len(times), parts)


def _ticks(low: float, high: float) -> list[float]:
    """Some round numbers between two ends."""
    if high <= low:
        return [low]
    rough = (high - low) / 6
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(low / step)
    return [round(step * index, 10) for index in range(first, math.floor(high / step) + 1)]


def _svg(height: float, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" style="max-width:100%">{"".join(parts)}</svg>'


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
