"""How a run came to what it is: the commands that made it, and its last matches."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..nets.manifest import SHIPPED
from .run import FIXED, Settings, changes, read_log, read_settings

SAID = ("method", "genome", "game", "size", "depth", "cycle", "seed")  # of a run without settings of its own


def command_of(folder: Path, kind: Mapping[str, Any]) -> str:
    """The command that makes a run like this one, and what it was gone on with where that was something else."""
    plans = [line["plan"] for line in read_log(folder) if line.get("kind") == "plan"]
    if kind["method"] == "net":
        plans = plans or [changes(read_settings(folder))]
        fixed = {name: kind[name] for name in FIXED}
    else:
        fixed = {name: kind[name] for name in SAID if name in kind}
        fixed |= {"misere": True} if kind.get("objective") == "misere" else {}
    words = [f"extremum train {_flags(fixed | (plans[0] if plans else {}))}"]
    for before, after in pairwise(plans):
        words.append(f"then with {_flags(dict(_changed(before, after)))}")
    return "; ".join(words)


def measured(folder: Path) -> str:
    """The last match with each opponent, from the run's log."""
    last: dict[str, str] = {}
    for line in read_log(folder):
        if line.get("kind") == "match":
            points = f"{line['score']:.1%} ±{line['error']:.1%}"
            last[line["opponent"]] = f"{points} of {line['wins'] + line['draws'] + line['losses']} games"
    return "; ".join(f"{points} against {opponent}" for opponent, points in last.items()) or "not measured"


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield name, after.get(name, getattr(Settings(), name))


def _flags(values: Mapping[str, Any]) -> str:
    return " ".join(_flag(name, value) for name, value in values.items())


def _flag(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"--{name}" if value else f"--no-{name}"
    return f"--{name} {shlex.quote(_place(value) if name == 'init' and value else str(value))}"


def _place(path: str) -> str:
    """A file of weights as seen from the project, or by its name alone: where it lay elsewhere means nothing here."""
    home = SHIPPED.parents[1]
    return str(Path(path).relative_to(home)) if Path(path).is_relative_to(home) else Path(path).name
