"""What a run tells on its way: the lines of its log in words, and what it is doing at this moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from math import inf
from typing import Any, TypeAlias

Words: TypeAlias = Callable[[], str]
Beat: TypeAlias = Callable[[Words], None]  # called as often as one likes with what could be told

EVERY = 1.0  # second


class Pulse:
    """Shows what is going on, at most once a second; words that nobody sees are not made."""

    def __init__(self, show: Callable[[str], None], now: Callable[[], float] = time.monotonic) -> None:
        self._show, self._now = show, now
        self._shown = now()

    def beat(self, words: Words) -> None:
        """Show the words if it is time to."""
        now = self._now()
        if now - self._shown >= EVERY:
            self._shown = now
            self._show(words())


def no_beat(words: Words) -> None:
    """For those whom nobody watches."""


def words_of(line: Mapping[str, Any], hours: float, games: int = 0) -> str:
    """One line for the terminal, of a run that is planned for so many hours and, unless that is 0, games."""
    return (
        _match(line)
        if line["kind"] == "match"
        else _cycle(line, seconds_left(line["seconds"], line["games"], hours, games))
    )


def _cycle(line: Mapping[str, Any], left: float) -> str:
    parts = [
        f"{clock_text(line['seconds'])} cycle {line['cycle']}: {line['games']} games, {line['rows']} positions",
        f"{line.get('rows_per_second', 0):.0f}/s at {line['sims']}",
    ]
    if "plies" in line:
        parts.append(f"{line['plies']:.1f} plies, black {line['black_score']:.0%}, draws {line['draws']:.0%}")
    if "losses" in line:
        losses = line["losses"]
        parts.append(f"policy {losses['policy']:.3f}, value {losses['wdl']:.3f}, entropy {line['entropy']:.2f}")
        parts.append(f"kl {line['kl']:.4f}, {line['steps_made']} steps in {line['learning_seconds']:.0f} s")
    return "; ".join([*parts, f"{clock_text(left)} to go"])


def _match(line: Mapping[str, Any]) -> str:
    result = f"{line['wins']}+ {line['draws']}= {line['losses']}-"
    points = f"{line['score']:.1%} ±{line['error']:.1%}"
    elo = f"{line['elo']:+} Elo ({line['elo_low']:+}..{line['elo_high']:+})"
    return f"{clock_text(line['seconds'])} against {line['opponent']}: {result}, {points}, {elo}"


def clock_text(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def seconds_left(seconds: float, games: float, hours: float, most_games: int) -> float:
    """How long a run will take yet, by its hours or by the pace of its games; 0 games are no limit."""
    by_games = seconds * (most_games / games - 1) if most_games and games else inf
    return max(0.0, min(hours * 3600 - seconds, by_games))
