"""Drives one engine through a game: one change at a time, each followed by a look at the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from .board import LOOKS, Board, read_board
from .engine import Answer, Engine
from .line import Line, commands, words
from .link import Dials, Ended
from .player import INTERVAL, Player
from .points import Point
from .setup import Seat, Setup
from .thought import Thought, read_thought
from .timer import Left


class Listener(Protocol):
    """Who is told what becomes of the game."""

    def tell(self, key: str, *values: str) -> None:
        """Tell the person something."""

    def changed(self) -> None:
        """There is something new to show."""

    def moved(self, color: str) -> None:
        """A move was made."""

    def settled(self) -> None:
        """A change is complete, and the board is the engine's."""


class Driver:
    """The engine's side of a game; what the board shows is what the engine says."""

    def __init__(self, dials: Dials, line: Line, listener: Listener, arrived: Callable[[], None]) -> None:
        self.line = line
        self.board: Board | None = None
        self.boards: dict[int, Board] = {}  # by ply, as far as they were seen
        self.thought: Thought | None = None
        self.thinking = False
        self.busy = False  # a change is under way
        self.stuck = False  # the engine owes a move or a board, and gives none
        self.brains: tuple[str, ...] = ("auto",)
        self.dead: Ended | None = None
        self._listener = listener
        self._then: Callable[[], None] | None = None  # what the person wants once the change is done
        self._coming: Line | None = None  # what is being laid out
        self._in_force: dict[str, str] = {}
        self.engine = Engine(dials.referee, self._ended, arrived)
        self.engine.ask("list_brains", self._learn_brains)
        self._players = {color: Player(dial, self._ended, arrived) for color, dial in dials.players.items()}

    @property
    def engines(self) -> list[Engine]:
        """The referee, and those who play a color each."""
        return [self.engine, *(player.engine for player in self._players.values())]

    def pump(self, age: float) -> None:
        """Take in what was said in the seconds since the engines were started; returns at once."""
        for engine in self.engines:
            engine.pump(age)

    def close(self) -> None:
        """Leave the engines; returns at once."""
        for engine in self.engines:
            engine.close()

    def join(self) -> None:
        """Wait until engines that were left are gone."""
        for engine in self.engines:
            engine.join()

    def when_still(self, action: Callable[[], None]) -> None:
        """Do something at once, or as soon as the change under way is done; a search is cut short for it."""
        if self.dead:
            return self._listener.tell("engine_gone")
        if not self.busy:
            return action()
        self._then = action
        return self.cut_short()

    def cut_short(self) -> None:
        """End the search for a move, if there is one: the move is made at once."""
        for engine in self.engines if self.thinking else ():
            engine.interrupt()

    def apply(self, setup: Setup, *, pondering: bool) -> None:
        """Have the settings in force; after the board is shown, for an engine on a clock loads much."""
        self._set("set_option ponder", str(pondering).lower())
        self._set("set_option movetime", f"{setup.movetime:g}")
        self._set("kata-time_settings", setup.clock)

    def lay_out(self, line: Line, otherwise: Line | None) -> None:
        """Bring the engine to a line's position; if it refuses, to the other's."""
        self._begin_change()
        self._coming = line
        refusals: list[str] = []

        def note(answer: Answer) -> None:
            if not answer.accepted:
                refusals.append(answer.text)

        def done(answer: Answer) -> None:
            if refusals:
                self._listener.tell("refused", refusals[0])
            if refusals and otherwise is not None:
                return self.lay_out(otherwise, None)
            self.line, self._coming, self.boards = self._coming or line, None, {}
            return self._look()

        for command in commands(line):
            self.engine.ask(command, note)
        self.engine.ask("gogui-rules_game_id", done)

    def sit(self, color: str, seat: Seat) -> None:
        """Change who plays a color, also in a game that is being laid out."""
        self.line = self.line.seated(color, seat)
        self._coming = None if self._coming is None else self._coming.seated(color, seat)

    def play(self, color: str, vertex: str) -> None:
        """Play a person's move."""
        self._begin_change()

        def done(answer: Answer) -> None:
            if answer.accepted:
                self._append(color, vertex)
            else:
                self._listener.tell("refused", answer.text)
            self._look()

        self.engine.ask(f"play {color} {vertex}", done)

    def go(self, ply: int) -> None:
        """Go to another move of the line."""
        self._begin_change()
        line, back = self.line.at(ply), self.line.ply - ply
        steps = f"gg-undo {back}" if back > 0 else f"gogui-play_sequence {words(line.moves[self.line.ply :])}"

        def done(answer: Answer) -> None:
            if answer.accepted:
                self.line = line
            else:
                self._listener.tell("refused", answer.text)
            self._look()

        self.engine.ask(steps, done)

    def think(self, color: str, seat: Seat, left: Left | None) -> None:
        """Have the engine choose and play a move."""
        self._begin_change()
        self.thinking = True
        if (player := self._players.get(color)) is not None:
            told = partial(self._report, color=color, losing=seat.losing)
            return player.choose(self.line, seat, color, left, partial(self._brought, color), told)
        self._advise(seat)
        if left is not None:
            self.engine.ask(f"time_left {color} {max(0.0, left.seconds):.2f} {left.count}", self._accept)
        told = partial(self._report, color=color, losing=seat.losing)
        return self.engine.ask(f"kata-genmove_analyze {color} {INTERVAL}", partial(self._chosen, color), told)

    def analyze(self, color: str, seat: Seat) -> None:
        """Have the engine think about the position until anything else is asked."""
        self._advise(seat)
        told = partial(self._report, color=color, losing=seat.losing)
        self.engine.ask(f"kata-analyze {color} {INTERVAL}", told=told)

    def record(self, take: Callable[[str], None]) -> None:
        """Have the game's SGF written and handed over."""

        def answered(answer: Answer) -> None:
            self._accept(answer)
            if answer.accepted:
                take(answer.text + "\n")

        self.engine.ask("printsgf", answered)

    def flipped(self) -> list[Point]:
        """The discs that the last move turned, as far as the position before it was seen."""
        before = None if self.board is None else self.boards.get(self.board.ply - 1)
        return [] if before is None or self.board is None else self.board.flipped(before)

    def _advise(self, seat: Seat) -> None:
        """Have the engine play as a seat wants it."""
        self._set("set_brain", seat.brain)
        self._set("set_level", str(seat.level))

    def _set(self, command: str, value: str) -> None:
        if self._in_force.get(command) != value:
            self._in_force[command] = value
            self.engine.ask(f"{command} {value}", self._accept)

    def _begin_change(self) -> None:
        self.busy = True
        self.thought = None
        self._listener.changed()

    def _chosen(self, color: str, answer: Answer) -> None:
        self.thinking = False
        verb, _, vertex = answer.last_line.partition(" ")
        if answer.accepted and verb == "play" and vertex:
            self._append(color, vertex.strip())
        else:
            self._miss(answer.last_line)
        self._look()

    def _brought(self, color: str, brought: Answer) -> None:
        """Have the referee play what another engine has chosen."""
        self.thinking = False

        def done(answer: Answer) -> None:
            if answer.accepted:
                self._append(color, brought.text)
            else:
                self._miss(f"{brought.text}: {answer.text}")
            self._look()

        if brought.accepted and brought.text:
            return self.engine.ask(f"play {color} {brought.text}", done)
        self._miss(brought.text)
        return self._look()

    def _miss(self, text: str) -> None:
        """The engine owes a move."""
        self.stuck = True
        self._listener.tell("no_move", text)

    def _append(self, color: str, vertex: str) -> None:
        self.line = self.line.played(color, vertex)
        self._listener.moved(color)

    def _look(self) -> None:
        """Ask for the board; the change is complete once it is here."""
        said: dict[str, str] = {}

        def note(key: str, answer: Answer) -> None:
            said[key] = answer.text if answer.accepted else ""
            if len(said) == len(LOOKS):
                self._seen(said)

        for key, command in LOOKS.items():
            self.engine.ask(command, partial(note, key))

    def _seen(self, said: dict[str, str]) -> None:
        board = read_board(said, self.line.setup.game, self.line.setup.size, self.line.ply)
        self.busy = False
        if board is None:
            self.stuck = True
            self._listener.tell("no_board")
        else:
            self.board = self.boards[self.line.ply] = board
            self._forget(ply for ply in tuple(self.boards) if ply > len(self.line.whole))
        self._listener.changed()
        then, self._then = self._then, None
        if then is not None:
            then()
        else:
            self._listener.settled()

    def _forget(self, plies: Iterable[int]) -> None:
        for ply in plies:
            del self.boards[ply]

    def _report(self, text: str, *, color: str, losing: bool) -> None:
        thought = read_thought(text, self.line.ply, color, losing=losing)
        if thought is not None and (self.thinking or not self.busy):
            self.thought = thought
            self._listener.changed()

    def _accept(self, answer: Answer) -> None:
        if not answer.accepted:
            self._listener.tell("refused", answer.text)

    def _learn_brains(self, answer: Answer) -> None:
        if answer.accepted:
            self.brains = tuple(answer.text.split())
            self._listener.changed()

    def _ended(self, ended: Ended) -> None:
        self.dead, self.busy, self.thinking, self._then = ended, False, False, None
        self._listener.tell(ended.key, ended.reason)
