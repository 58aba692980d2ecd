"""What is asked about a position while a person thinks, and how long any search may take."""

from __future__ import annotations

from collections.abc import Callable

from .setup import Setup, SetupError

HINT = 1.0  # seconds of thinking behind a hint
LOADING = 15.0  # seconds that an engine may need before it begins to search, and tells something


class Study:
    """Keeps the time of the search under way; no search takes longer than the limit, None is no limit."""

    def __init__(self, longest: float | None, now: Callable[[], float]) -> None:
        self.longest = longest
        self.on = False  # the person wants an analysis
        self.is_spent = False  # that of this position has taken all the time it may
        self.hint: str | None = None  # a vertex
        self._now = now
        self._hint_at: float | None = None
        self._until: float | None = None

    @property
    def is_wanted(self) -> bool:
        """True while there is something to find out about the position."""
        return self._hint_at is not None or (self.on and not self.is_spent)

    @property
    def hint_is_due(self) -> bool:
        """True once there was time for a hint."""
        return self._hint_at is not None and self._now() >= self._hint_at

    def admit(self, setup: Setup) -> None:
        """SetupError when the moves of a game may take longer than is allowed."""
        if self.longest is not None and setup.movetime > self.longest:
            raise SetupError("bad_longest", f"{self.longest:g}")

    def switch(self, *, on: bool) -> None:
        """Take note of what the person wants."""
        self.on, self.is_spent = on, False

    def ask_hint(self) -> None:
        """A hint is wanted, soon."""
        self._hint_at = self._now() + HINT

    def give_hint(self, vertex: str) -> None:
        """Here it is."""
        self._hint_at, self.hint = None, vertex

    def forget(self) -> None:
        """The position is another."""
        self.hint = self._hint_at = self._until = None
        self.is_spent = False

    def begin_search(self) -> None:
        """A search is asked for; its time runs from its first report, as its engine counts, or else soon."""
        self._until = None if self.longest is None else self._now() + self.longest + LOADING

    def hear_report(self) -> None:
        """The search is under way."""
        if self._until is not None and self.longest is not None:
            self._until = min(self._until, self._now() + self.longest)

    def is_late(self) -> bool:
        """True, once, when the search under way has to end."""
        late = self._until is not None and self._now() >= self._until
        if late:
            self._until = None
        return late
