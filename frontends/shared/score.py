"""The running score of the weakest mode: how many humans managed to lose."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tally:
    """Finished games against the weakest mode, and how many of them a human lost."""

    games: int = 0
    lost: int = 0


class Score:
    """Keeps the tally in a file, which is never seen half written."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> Tally:
        """The tally; one that cannot be read counts from the beginning."""
        try:
            values = json.loads(self._file.read_text(encoding="utf-8"))
            games, lost = int(values["games"]), int(values["lost"])
        except (OSError, ValueError, TypeError, KeyError):
            return Tally()
        return Tally(games, lost) if 0 <= lost <= games else Tally()

    def add(self, *, lost: bool) -> Tally:
        """Count a game; raises OSError where the file cannot be written."""
        folder = self._file.parent
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{self._file.name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two windows may finish at once
            before = self.read()
            tally = Tally(before.games + 1, before.lost + lost)
            write_atomically(self._file, json.dumps({"games": tally.games, "lost": tally.lost}) + "\n")
        return tally


def score_file() -> Path:
    """Where the score lives: the user's folder for what programs remember."""
    state = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(state) if os.path.isabs(state) else Path.home() / ".local" / "state"
    return folder / "extremum" / "weakest.json"


def write_atomically(file: Path, text: str) -> None:
    """Write a whole file or nothing."""
    descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, file)
    except BaseException:
        os.unlink(temporary)
        raise
