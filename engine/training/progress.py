"""Lines of a run's log in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def words_of(line: Mapping[str, Any], hours: float) -> str:
    """One line for the terminal."""
    return _match(line) if line["kind"] == "match" else _cycle(line, hours)


def _cycle(line: Mapping[str, Any], hours: float) -> str:
    parts = [
        f"{_clock(line['seconds'])} cycle {line['cycle']}: {line['games']} games, {line['rows']} positions",
        f"{line.get('rows_per_second', 0):.0f}/s at {line['sims']}",
    ]
    if "plies" in line:
        parts.append(f"{line['plies']:.1f} plies, black {line['black_score']:.0%}, draws {line['draws']:.0%}")
    if "losses" in line:
        losses = line["losses"]
        parts.append(f"policy {losses['policy']:.3f}, value {losses['wdl']:.3f}, entropy {line['entropy']:.2f}")
        parts.append(f"kl {line['kl']:.4f}, {line['steps_made']} steps in {line['learning_seconds']:.0f} s")
    left = max(0.0, hours * 3600 - line["seconds"])
    return "; ".join([*parts, f"{_clock(left)} to go"])


def _match(line: Mapping[str, Any]) -> str:
    result = f"{line['wins']}+ {line['draws']}= {line['losses']}-"
    points = f"{line['score']:.1%} ±{line['error']:.1%}"
    elo = f"{line['elo']:+} Elo ({line['elo_low']:+}..{line['elo_high']:+})"
    return f"{_clock(line['seconds'])} against {line['opponent']}: {result}, {points}, {elo}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
