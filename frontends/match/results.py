"""The folder of a match: its settings, and every finished game on disk at once."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from ...engine.errors import EngineError
from ..flags import BadFlagError
from .referee import RESIGNS
from .settings import Settings

SETTINGS = "match.json"
RESULTS = "results.jsonl"
LOCK = ".lock"
ANEW, ON = "another --out begins anew", "--mixed goes on with both"


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game."""

    number: int
    pair: int
    black: str
    white: str
    opening: int
    score: float  # black's: 1, 0.5 or 0
    result: str  # as SGF has it
    reason: str  # `board`, `resignation` or a fault
    culprit: str  # the engine that forfeited, or nobody
    text: str  # what it did
    claims: dict[str, str]  # false claims by engine
    moves: list[int]
    seconds: list[float | None]
    date: str
    late: dict[str, str] = field(default_factory=dict)  # faults after the end by engine

    @property
    def has_fault(self) -> bool:
        """True when a fault has ended it; a resignation is none."""
        return bool(self.culprit) and self.reason != RESIGNS

    @property
    def remarks(self) -> list[str]:
        """Whatever somebody did wrong, or a resignation."""
        ended = [f"{self.culprit}: {self.reason}: {self.text}"] if self.culprit else []
        claimed = [f"{name}: {claim}" for name, claim in self.claims.items()]
        return ended + claimed + [f"{name}: after the end: {fault}" for name, fault in self.late.items()]

    @property
    def plies(self) -> int:
        """Moves, passes included."""
        return len(self.moves)

    def score_of(self, engine: str) -> float:
        """The points of one of the two."""
        return self.score if engine == self.black else 1.0 - self.score


class Folder:
    """Where a match lives; only one run may write to it at a time.

    Games of several programs, or of several tests, come into one folder only where somebody wants them mixed.
    """

    def __init__(self, path: Path, *, mixed: bool = False) -> None:
        self.path = path
        self._mixed = mixed
        self._lock: IO[bytes] | None = None  # open while this run lasts

    def open(self, settings: Settings) -> dict[int, Result]:
        """Begin a match or continue it: the games that are finished, by number.

        The folder keeps rounds and openings that it has and this run does not want.
        """
        begun = self._begun(settings)
        if begun is not None and not settings.has_openings_of(begun):
            told = "the openings differ from those of the games already played"
            raise BadFlagError(f"{self.path} holds another match: {told}; {ANEW}")
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self._hold()
            written = settings if begun is None else settings.continuing(begun)
            write_whole(self.path / SETTINGS, json.dumps(written.to_json(), indent=1))
            self._mend()
        return {result.number: result for result in self.results()}

    def close(self) -> None:
        """Let another run have the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def continued(self, settings: Settings) -> tuple[tuple[int, ...], ...]:
        """The openings of the match that is continued, none where it begins; another match is refused."""
        begun = self._begun(settings)
        return () if begun is None else begun.openings

    def _begun(self, settings: Settings) -> Settings | None:
        """The match that is continued, if there is one."""
        with writing(self.path):
            if not (self.path / SETTINGS).exists():
                return None
        found = self.settings()
        wanted = replace(settings, sprt=found.sprt) if self._mixed else settings
        differs = wanted.difference(found)
        if differs:
            was, now = getattr(found, differs), getattr(settings, differs)
            shown = "" if differs == "engines" else f": {was} there, {now} here"
            further = ANEW if differs != "sprt" else f"{ANEW}, {ON}"
            raise BadFlagError(f"{self.path} holds another match: not the same {differs}{shown}; {further}")
        new = set(settings.programs) - set(found.programs)
        if found.programs and new and not self._mixed:
            was, now = ", ".join(found.programs), ", ".join(settings.programs)
            raise BadFlagError(f"{self.path} was begun by another program: {was} there, {now} here; {ANEW}, {ON}")
        return found

    def settings(self) -> Settings:
        """The settings of the match that is there."""
        try:
            found = Settings.from_json(json.loads((self.path / SETTINGS).read_text()))
            found.make_game()
            return found
        except (OSError, ValueError, TypeError, KeyError, AttributeError, EngineError) as error:
            raise BadFlagError(f"{self.path} holds no match: {error}") from error

    def results(self) -> list[Result]:
        """Every finished game, in the order of its end."""
        file = self.path / RESULTS
        try:
            if not file.exists():
                return []
            lines = file.read_bytes().split(b"\n")[:-1]  # what follows the last line's end was never finished
            return [Result(**json.loads(line)) for line in lines]
        except (OSError, ValueError, TypeError) as error:
            raise BadFlagError(f"{file} cannot be read: {error}") from error

    def add(self, result: Result) -> None:
        """Put a finished game on the disk before anything else happens."""
        path = self.path / RESULTS
        with writing(path), path.open("ab") as file:
            file.write(json.dumps(asdict(result)).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _hold(self) -> None:
        lock = (self.path / LOCK).open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.close()
            raise BadFlagError(f"{self.path} is in use by another run") from error
        self._lock = lock

    def _mend(self) -> None:
        """Cut off a line that a sudden end left unfinished."""
        file = self.path / RESULTS
        if file.exists():
            whole = file.read_bytes().rfind(b"\n") + 1
            os.truncate(file, whole)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in one line why the disk does not take what is written there."""
    try:
        yield
    except OSError as error:
        raise BadFlagError(f"cannot write '{path}': {error.strerror or error}") from error


def write_whole(file: Path, content: str | bytes) -> None:
    """Replace a file so that it is there wholly or not at all."""
    new = file.with_name(file.name + ".new")
    with writing(file):
        try:
            new.write_bytes(content.encode() if isinstance(content, str) else content)
            new.replace(file)
        except OSError:
            with suppress(OSError):
                new.unlink()
            raise


def from_message(message: Mapping[str, Any]) -> Result:
    """A result that a worker sent."""
    return Result(**message)
