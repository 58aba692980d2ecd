"""Which program plays in a match: games of two programs are no games of one match."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...protocol import VERSION
from .engines import OWN, Engine

HOUSE = Path(__file__).resolve().parents[2]
DIGITS = 12


def programs_of(engines: Iterable[Engine]) -> tuple[str, ...]:
    """The version and a hash of whatever chooses our moves: sources and weights; none where no engine is ours."""
    ours = [engine for engine in engines if engine.protocol == OWN]
    if not ours:
        return ()
    digest = hashlib.sha256()
    for file in _files(ours):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return (f"{VERSION} {digest.hexdigest()[:DIGITS]}",)


def _files(engines: Iterable[Engine]) -> Iterator[Path]:
    """The manifest has the hashes of the shipped weights; files of one's own are read themselves."""
    engine = HOUSE / "engine"
    yield from sorted(set(engine.rglob("*.py")) - set((engine / "training").iterdir()))  # which chooses no moves
    yield HOUSE / "weights" / "manifest.toml"
    named = sorted({dict(engine.options).get("weights", "") for engine in engines})
    yield from (Path(name) for name in named if name and Path(name).is_file())
