"""What a person asked of a method of training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import EngineError
from .progress import seconds_left
from .run import Settings

Say: TypeAlias = Callable[[str], None]
ShouldStop: TypeAlias = Callable[[], bool]


def ignore(text: str) -> None:
    """For a run that nobody watches."""


@dataclass(frozen=True, slots=True)
class Request:
    """A run to be made or gone on with; None and missing settings are what nobody said."""

    folder: Path
    settings: Mapping[str, Any] = field(default_factory=dict)  # by the names of the net's settings
    game: str | None = None
    size: int | None = None
    rules: str | None = None
    misere: bool = False
    device: str = "auto"
    threads: int = 1
    genome: str | None = None
    depth: int | None = None
    show: Say = ignore  # what is going on at this moment, for those who watch; what is said stays, this does not

    @property
    def seed(self) -> int:
        """The seed of everything random."""
        return int(self._setting("seed"))

    @property
    def hours(self) -> float:
        """The planned length of the run."""
        return float(self._setting("hours"))

    @property
    def games(self) -> int:
        """After how many games it ends at the latest; 0 is no limit."""
        return int(self._setting("games"))

    @property
    def init(self) -> Path | None:
        """The file of weights to begin with, by a name that holds wherever the run goes on."""
        text = self._setting("init")
        path = Path(text).resolve()
        if text and not path.is_file():
            raise EngineError(f"train: weights '{text}' are missing")
        return path if text else None

    @property
    def plan(self) -> dict[str, object]:
        """What a run without settings of its own is asked for, and may be asked differently when it goes on."""
        plan: dict[str, object] = {"hours": self.hours}
        plan |= {"games": self.games} if self.games else {}
        return plan | ({"init": str(self.init)} if self.init else {})

    @property
    def objective(self) -> str:
        """The objective by its name."""
        return "misere" if self.misere else "ordinary"

    def progress(self, seconds: float, games: float) -> float:
        """How much of the run is over, 0..1."""
        return min(1.0, max(seconds / (3600 * self.hours), games / self.games if self.games else 0.0))

    def seconds_left(self, seconds: float, games: float) -> float:
        """How long it will take yet, by the time and by the pace of the games so far."""
        return seconds_left(seconds, games, self.hours, self.games)

    def size_of(self, game: str, sizes: tuple[int, ...]) -> int:
        """The board's size for a method that is for one game; EngineError when another was asked for."""
        if self.game not in (None, game):
            raise EngineError(f"this method is for {game}, not '{self.game}'")
        size = sizes[0] if self.size is None else self.size
        if size not in sizes:
            raise EngineError(f"unacceptable size: {size} is not one of {', '.join(map(str, sizes))}")
        return size

    def name_of(self, game: str, size: int) -> str:
        """The game in words."""
        return f"{'misère ' if self.misere else ''}{game} {size}x{size}"

    def _setting(self, name: str) -> Any:
        value = self.settings.get(name)
        return getattr(Settings(), name) if value is None else value
