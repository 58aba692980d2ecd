"""The plots of a report: ratings, openings and times."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice

from .drawing import BLACK, PALE, Box, Disc, Drawing, Ink, Mark, Path, Text
from .score import Score
from .table import Standing

WIDTH = 800
RIGHT = 100  # margin of the ratings and the openings; on the left it is as wide as the names
SHORT, LETTER = 30, 6.6  # letters of a name in the margin, and their width
INKS = [
    Ink(rgb) for rgb in ((31, 119, 180), (214, 39, 40), (44, 160, 44), (148, 103, 189), (255, 127, 14), (140, 86, 75))
] + [Ink((23, 190, 207)), Ink((127, 127, 127))]
WIN, DRAW, LOSS = Ink((63, 143, 91)), Ink((187, 187, 187)), Ink((196, 78, 82))
MOST_OPENINGS = 100  # bars: more would only make the plot long
ROW, BAR = 28, 16  # heights of a rating and of an opening
TIME_LEFT, TIME_TOP, TIME_BOTTOM = 60, 28, 250


def elo_plot(lines: Sequence[Standing]) -> Drawing:
    """A point for each engine with the interval of 95 %."""
    low = min(line.elo - line.error for line in lines)
    high = max(line.elo + line.error for line in lines)
    left = _margin([line.name for line in lines])
    scale = (WIDTH - left - RIGHT) / max(1.0, high - low)
    bottom = ROW * len(lines) + 30
    marks: list[Mark] = [Text(left, 14, "Elo, 95 %")]
    for tick in _ticks(low, high):
        x = left + (tick - low) * scale
        marks += [Path([(x, 24), (x, bottom - 8)], PALE), Text(x, bottom + 8, f"{tick:+g}", "middle")]
    for index, line in enumerate(lines):
        x, y, reach = left + (line.elo - low) * scale, ROW * index + 38, line.error * scale
        marks.append(Text(left - 12, y + 4, _short(line.name), "end"))
        marks.append(Text(WIDTH - RIGHT + 12, y + 4, f"{line.elo:+.0f} ± {line.error:.0f}"))
        marks.append(Path([(x - reach, y), (x + reach, y)], BLACK))
        marks += [Path([(end, y - 4), (end, y + 4)], BLACK) for end in (x - reach, x + reach)]
        marks.append(Disc(x, y, 5, INKS[0]))
    return Drawing(WIDTH, bottom + 20, marks)


def opening_plot(scores: Mapping[str, Score], name: str) -> Drawing:
    """A bar for each opening, by its moves: wins, draws and losses of one engine, or of black."""
    count = min(len(scores), MOST_OPENINGS)
    left = _margin(list(scores))
    some = f", the first {count} of {len(scores)} openings" if count < len(scores) else ""
    marks: list[Mark] = [Text(left, 14, f"{name}: wins, draws, losses{some}")]
    for index, (opening, score) in enumerate(islice(scores.items(), count)):
        y, at = BAR * index + 24, left
        marks.append(Text(left - 12, y + 10, _short(opening), "end"))
        for number, ink in ((score.wins, WIN), (score.draws, DRAW), (score.losses, LOSS)):
            width = (WIDTH - left - RIGHT) * number / max(1, score.games)
            if number:
                marks.append(Box(at, y, width, BAR - 4, ink))
            at += width
        marks.append(Text(WIDTH - RIGHT + 12, y + 10, score.text()))
    return Drawing(WIDTH, BAR * count + 36, marks)


def time_plot(times: Mapping[str, Mapping[int, float]]) -> Drawing:
    """The mean time of each move by its ply, a line for each engine."""
    plies = max((max(line) for line in times.values() if line), default=0) or 1
    most = max((max(line.values()) for line in times.values() if line), default=0.0) or 1.0
    width, height = WIDTH - TIME_LEFT - 10, TIME_BOTTOM - TIME_TOP
    marks: list[Mark] = [Text(TIME_LEFT, 14, "mean seconds of a move by its ply")]
    for tick in _ticks(0.0, most):
        y = TIME_BOTTOM - height * tick / most
        marks += [Path([(TIME_LEFT, y), (WIDTH, y)], PALE), Text(TIME_LEFT - 6, y + 4, f"{tick:g} s", "end")]
    for tick in _ticks(0.0, float(plies)):
        marks.append(Text(TIME_LEFT + width * tick / plies, TIME_BOTTOM + 16, f"{tick:g}", "middle"))
    for index, (name, line) in enumerate(times.items()):
        ink = INKS[index % len(INKS)]
        places = [
            (TIME_LEFT + width * ply / plies, TIME_BOTTOM - height * seconds / most)
            for ply, seconds in sorted(line.items())
        ]
        marks.append(Path(places, ink, thickness=1.5))
        legend = TIME_BOTTOM + 30 + 18 * index
        marks += [Box(TIME_LEFT, legend, 12, 12, ink), Text(TIME_LEFT + 20, legend + 10, name)]
    return Drawing(WIDTH, TIME_BOTTOM + 40 + 18 * len(times), marks)


def _ticks(low: float, high: float) -> list[float]:
    """Some round numbers between two ends."""
    if high <= low:
        return [low]
    rough = (high - low) / 6
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = math.ceil(low / step)
    return [round(step * index, 10) for index in range(first, math.floor(high / step) + 1)]


def _margin(names: Sequence[str]) -> float:
    return 16 + LETTER * max(len(_short(name)) for name in names)


def _short(text: str) -> str:
    return text if len(text) <= SHORT else text[: SHORT - 2] + ".."
