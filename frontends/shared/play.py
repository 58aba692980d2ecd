"""A game between two seats over one engine: everything a window does, nothing that it shows."""

from __future__ import annotations

import time
from collections.abc import Callable

from ...engine.errors import EngineError
from ...protocol.course import read_course
from .board import Board
from .driver import Driver
from .line import Line, Start, line_of
from .link import Dials
from .notice import Notice
from .objection import objection
from .points import PASS, other
from .score import Score, Tally
from .setup import Seat, Setup
from .study import Study
from .timer import Timer


class Play:
    """Plays; no call waits, and `version` grows whenever there is something new to show."""

    def __init__(
        self,
        dials: Dials,
        setup: Setup,
        score: Score,
        now: Callable[[], float] = time.monotonic,
        arrived: Callable[[], None] = lambda: None,
        longest: float | None = None,
    ) -> None:
        self.version = 0
        self.pondering = self.paused = False
        self.time_winner: str | None = None
        self.winrates: dict[int, float] = {}  # black's chance to win, by ply
        self.tally: Tally = score.read()
        self._dials, self._score, self._now, self._arrived = dials, score, now, arrived
        self._notices: list[Notice] = []
        self._counted = self._arriving = False
        self.study = Study(longest, now)
        self.timer = Timer(setup, now)
        self._start(Line(Start(setup)))

    @property
    def setup(self) -> Setup:
        """The rules, the seats and the time."""
        return self.line.setup

    @property
    def line(self) -> Line:
        """The moves."""
        return self.driver.line

    @property
    def board(self) -> Board | None:
        """The position, None before the engine told it."""
        return self.driver.board

    @property
    def is_over(self) -> bool:
        """True once nobody may move any more."""
        return self.time_winner is not None or (self.board is not None and bool(self.board.result))

    def notices(self) -> list[Notice]:
        """What is to be told since the last call."""
        told, self._notices = self._notices, []
        return told

    def pump(self) -> None:
        """Take in what the engine said, and look at the clocks; returns at once."""
        self.driver.pump(self._now() - self._started)
        if self.study.hint_is_due:
            self._give_hint()
        if self.study.is_late():
            self._end_search()
        if self.timer.has_turned():
            self.changed()
        if not self.is_over and self.setup.has_clock and (winner := self.timer.winner()) is not None:
            self._lose_on_time(winner)

    def restart(self) -> None:
        """Start the engine anew and bring it to where the game stands."""
        before = self.driver
        before.close()
        self._start(self.line)
        self.driver.board, self.driver.boards = before.board, before.boards  # shown until the new engine tells

    def begin(self, setup: Setup) -> None:
        """Begin a new game; SetupError when its moves may take longer than is allowed."""
        self.study.admit(setup)
        self.driver.when_still(lambda: self._lay_out(Line(Start(setup))))

    def load(self, text: str) -> None:
        """Go on with a game from SGF; one that cannot be read is refused and changes nothing."""
        try:
            line = line_of(read_course(text, self.setup.game), self.setup)
        except (EngineError, ValueError) as error:
            return self.tell("bad_sgf", str(error))
        return self.driver.when_still(lambda: self._lay_out(line, arriving=True))

    def record(self, take: Callable[[str], None]) -> None:
        """Have the game's SGF written and handed over."""
        if self.driver.dead:
            return self.tell("engine_gone")
        self.driver.record(take)
        return self._proceed()

    def play(self, vertex: str) -> None:
        """Play a person's move; whatever speaks against it is told."""
        board, key = self.board, objection(self)
        if key is not None or board is None:
            return self.tell(key or "wait")
        self.paused = False
        return self.driver.play(board.side, vertex)

    def undo(self) -> None:
        """Take back a person's last move, with the engine's answer."""
        self.driver.when_still(lambda: self._go(self.line.before(), "nothing_to_undo"))

    def redo(self) -> None:
        """Play again what was taken back."""
        self.driver.when_still(lambda: self._go(self.line.after(), "nothing_to_redo"))

    def go_to(self, ply: int) -> None:
        """Show the game after so many moves."""
        self.driver.when_still(lambda: self._go(ply if 0 <= ply <= len(self.line.whole) else None, "no_such_move"))

    def hint(self) -> None:
        """Have the engine say what it would play; in weakest mode, how to lose."""
        if self.is_over or self.driver.busy or self.driver.dead or self.board is None:
            return self.tell("no_hint")
        self.study.ask_hint()
        return self._analyze()

    def move_now(self) -> None:
        """Have the engine play what it has."""
        if self.driver.thinking:
            return self.driver.cut_short()
        return self.tell("not_thinking")

    def analyze(self, *, on: bool) -> None:
        """Think about the position while a person does, or stop it."""
        self.study.switch(on=on)
        self.changed()
        if not on and not self.driver.busy:
            self.driver.engine.ask("stop")
        self._proceed()

    def ponder(self, *, on: bool) -> None:
        """Let the engine use its opponent's time, or not."""
        self.pondering = on
        self.changed()
        self.driver.when_still(self._proceed)

    def pause(self, *, on: bool) -> None:
        """Hold the engines, or let them go on."""
        self.paused = on
        self.changed()
        if on:
            self.timer.stop()
            self.driver.cut_short()
        self._proceed()

    def sit(self, color: str, seat: Seat) -> None:
        """Change who plays a color."""
        self.driver.sit(color, seat)
        self.changed()
        self._proceed()

    def close(self) -> None:
        """Leave the engines; returns at once."""
        self.driver.close()

    def tell(self, key: str, *values: str) -> None:
        """Tell the person something."""
        self._notices.append(Notice(key, values))
        self.changed()

    def changed(self) -> None:
        """There is something new to show."""
        self.version += 1
        thought = self.driver.thought
        if thought is not None and thought.ply == self.line.ply and thought.best.visits:
            self.study.hear_report()
            self.winrates[self.line.ply] = thought.black_wins

    def moved(self, color: str) -> None:
        """A move was made."""
        self.timer.move(color)
        self.study.forget()
        if not self.line.future:
            self.winrates = {ply: rate for ply, rate in self.winrates.items() if ply < self.line.ply}

    def settled(self) -> None:
        """A change is complete: go on."""
        if self.board is not None and self.board.result:
            self._count()
        self._proceed()

    def _start(self, line: Line) -> None:
        """Start an engine and bring it to a position."""
        self._started = self._now()
        self.driver = Driver(self._dials, line, self, self._arrived)
        self.driver.lay_out(line, None)

    def _lay_out(self, line: Line, *, arriving: bool = False) -> None:
        """Leave the game for another; one that was loaded waits where an engine is to move, and is not counted."""
        self.timer = Timer(line.setup, self._now)
        self.study.forget()
        self.time_winner = None
        self.winrates = {}
        self.paused = False
        self._counted = self._arriving = arriving
        self.driver.lay_out(line, self.line)

    def _go(self, ply: int | None, otherwise: str) -> None:
        if ply is None or ply == self.line.ply:
            self.tell(otherwise)
            return self._proceed()
        self._arriving = True
        self.timer.stop()
        self.study.forget()
        return self.driver.go(ply)

    def _proceed(self) -> None:
        """Have whoever's turn it is move."""
        driver, board = self.driver, self.board
        if driver.busy or driver.dead or board is None:
            return
        driver.apply(self.setup, pondering=self.pondering)
        seat = self.setup.seat(board.side)
        if self._arriving or driver.stuck:
            self.paused = seat.is_engine
        self._arriving = driver.stuck = False
        if self.is_over:
            self.timer.stop()
        elif not self.paused:
            self._let_move(board, seat)
        elif self.study.is_wanted:
            self._analyze()

    def _let_move(self, board: Board, seat: Seat) -> None:
        if self.setup.has_clock:
            self.timer.start(board.side)
        if seat.is_engine:
            self.study.begin_search()
            self.driver.think(board.side, seat, self.timer.left(board.side) if self.setup.has_clock else None)
        elif board.must_pass:
            self.tell("must_pass", board.side)
            self.driver.play(board.side, PASS)
        elif self.study.is_wanted:
            self._analyze()

    def _analyze(self) -> None:
        """Have the position analyzed by the engine at the board, or by the strongest where there is none."""
        assert self.board is not None
        side = self.board.side
        self.study.begin_search()
        seats = (self.setup.seat(other(side)), self.setup.seat(side))
        self.driver.analyze(side, next((seat for seat in seats if seat.is_engine), Seat(is_engine=True)))

    def _give_hint(self) -> None:
        thought = self.driver.thought
        if thought is None or thought.ply != self.line.ply:
            return
        self.study.give_hint(thought.best.vertex)
        self.tell("hint_to_lose" if thought.losing else "hint_to_win", thought.best.vertex)
        if not self.study.is_wanted:
            self.driver.engine.ask("stop")

    def _end_search(self) -> None:
        """A search has taken all the time it may: the move is made, the analysis rests."""
        if self.driver.thinking:
            self.driver.cut_short()
        elif not self.driver.busy:
            self.study.is_spent = True
            self.driver.engine.ask("stop")
            self.changed()

    def _lose_on_time(self, winner: str) -> None:
        self.time_winner = winner
        self.timer.stop()
        self.driver.cut_short()
        self.tell("lost_on_time", other(winner))

    def _count(self) -> None:
        """Count a finished game against the weakest mode, once."""
        person = self.setup.against_weakest
        if self._counted or person is None or self.board is None:
            return
        self._counted = True
        try:
            self.tally = self._score.add(lost=self.board.winner == other(person))
        except OSError as error:
            self.tell("no_score", error.strerror or str(error))
