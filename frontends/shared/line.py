"""The moves of a game, with those that were taken back, and the commands that lay them out on an engine."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...protocol.course import Course
from .points import COLORS
from .setup import Seat, Setup

Moves = tuple[tuple[str, str], ...]  # colors and vertices


@dataclass(frozen=True, slots=True)
class Start:
    """Where a game begins."""

    setup: Setup
    stones: Moves = ()
    player: str = "black"


@dataclass(frozen=True, slots=True)
class Line:
    """A game up to the position that is shown, and how it went on."""

    start: Start
    moves: Moves = ()
    future: Moves = ()

    @property
    def setup(self) -> Setup:
        """The rules, the seats and the time."""
        return self.start.setup

    @property
    def ply(self) -> int:
        """How many moves led to the position."""
        return len(self.moves)

    @property
    def whole(self) -> Moves:
        """Every move, those that were taken back at the end."""
        return self.moves + self.future

    def played(self, color: str, vertex: str) -> Line:
        """The same after a move; what was taken back is kept where the move only repeats it."""
        move = (color, vertex)
        future = self.future[1:] if self.future[:1] == (move,) else ()
        return replace(self, moves=(*self.moves, move), future=future)

    def seated(self, color: str, seat: Seat) -> Line:
        """The same with another player of a color."""
        return replace(self, start=replace(self.start, setup=self.setup.with_seat(color, seat)))

    def at(self, ply: int) -> Line:
        """The same shown after so many moves."""
        return replace(self, moves=self.whole[:ply], future=self.whole[ply:])

    def before(self) -> int | None:
        """Where taking back leads to: one move, or to a person's last move where an engine plays the other color."""
        return next((ply for ply in range(self.ply - 1, -1, -1) if self._is_persons(ply)), None)

    def after(self) -> int | None:
        """Where playing again leads to."""
        end = len(self.whole)
        return next((ply for ply in range(self.ply + 1, end + 1) if ply == end or self._is_persons(ply)), None)

    def _is_persons(self, ply: int) -> bool:
        seats = [self.setup.seat(color) for color in COLORS]
        alike = seats[0].is_engine == seats[1].is_engine
        return alike or not self.setup.seat(self.whole[ply][0]).is_engine


def line_of(course: Course, setup: Setup) -> Line:
    """A game from a record; the seats and the time stay."""
    rules = {"game": course.game, "size": course.size, "rule": course.rule, "in_a_row": course.in_a_row}
    if course.game == "othello":
        rules |= {"rule": "freestyle", "in_a_row": 5}
    changed = replace(setup, **rules)  # type: ignore[arg-type]  # names with their own types
    return Line(Start(changed, course.stones, course.player), course.moves)


def commands(line: Line) -> list[str]:
    """What brings an engine to the line's position."""
    setup, start = line.setup, line.start
    lines = [f"set_game {setup.game}", f"boardsize {setup.size}"]
    if setup.game == "gomoku":
        lines.append(f"set_game gomoku {setup.rule} {setup.in_a_row}")
    if start.stones:
        lines += [f"gogui-setup {words(start.stones)}", f"gogui-setup_player {start.player}"]
    if line.moves:
        lines.append(f"gogui-play_sequence {words(line.moves)}")
    return lines


def words(moves: Moves) -> str:
    """Colors and vertices in turn."""
    return " ".join(f"{color} {vertex}" for color, vertex in moves)
