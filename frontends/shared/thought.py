"""What an engine thinks, from the lines of its analysis."""

from __future__ import annotations

from dataclasses import dataclass

MOST_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that the engine considers."""

    vertex: str
    visits: int
    winrate: float  # the chance that its side reaches its aim: to win, or in weakest mode to lose
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thought:
    """The candidates at one position of the game, best first."""

    ply: int
    color: str
    losing: bool  # the aim is to lose
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The first candidate."""
        return self.candidates[0]

    @property
    def black_wins(self) -> float:
        """Black's chance to win."""
        winning = 1 - self.best.winrate if self.losing else self.best.winrate
        return winning if self.color == "black" else 1 - winning


def read_thought(line: str, ply: int, color: str, *, losing: bool) -> Thought | None:
    """The report of a line of analysis; None where it is none."""
    found = [read_candidate(part.split()) for part in f" {line}".split(" info ")[1:]]
    candidates = tuple(each for each in found if each is not None)[:MOST_CANDIDATES]
    return Thought(ply, color, losing, candidates) if candidates else None


def read_candidate(words: list[str]) -> Candidate | None:
    """One candidate: keys with their values, then the line of play; None where anything is not as it should be."""
    middle = words.index("pv") if "pv" in words else len(words)
    values = dict(zip(words[:middle:2], words[1:middle:2], strict=False))
    try:
        return Candidate(
            values["move"],
            int(values["visits"]),
            min(1.0, max(0.0, float(values["winrate"]))),
            tuple(words[middle + 1 :]),
        )
    except (KeyError, ValueError):
        return None
