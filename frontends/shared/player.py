"""An engine that plays one color: it hears the game and is asked for moves; a referee keeps the board."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from .engine import Answer, Answered, Engine, Told, nobody
from .line import Line, Moves, words
from .link import Dial, Ended
from .points import PASS
from .setup import Seat
from .timer import Left

INTERVAL = 20  # centiseconds between two reports


class Player:
    """Asks for moves in plain GTP, and for what it thinks where it tells that."""

    def __init__(self, dial: Dial, ended: Callable[[Ended], None], arrived: Callable[[], None]) -> None:
        self.engine = Engine(dial, ended, arrived)
        self._start: list[str] = []  # the commands behind what it has on its board
        self._moves: Moves = ()

    def choose(self, line: Line, seat: Seat, color: str, left: Left | None, chosen: Answered, told: Told) -> None:
        """Have it choose a move; the answer is refused where it cannot follow the game."""
        refusals: list[Answer] = []

        def note(answer: Answer) -> None:
            if not answer.accepted and "unknown command" not in answer.text:  # whoever has one game need not name it
                refusals.append(answer)

        def ask(answer: Answer) -> None:
            if refusals:
                self._start = []
                return chosen(refusals[0])
            tells = answer.text == "true"
            for command in _terms(line, seat, color, left) if tells else _plain_terms(line, color, left):
                self.engine.ask(command)  # whoever knows no levels or no clocks plays as it does
            command = f"kata-genmove_analyze {color} {INTERVAL}" if tells else f"genmove {color}"
            return self.engine.ask(command, partial(self._chosen, color, chosen), told)

        self._follow(line, note)
        self.engine.ask("known_command kata-genmove_analyze", ask)

    def _follow(self, line: Line, note: Answered) -> None:
        """Bring it to the line's position, by the moves that it has not heard if that is enough."""
        start, heard = _start(line), len(self._moves)
        if start != self._start or line.moves[:heard] != self._moves:
            heard = 0
            for command in start:
                self.engine.ask(command, note)
        for color, vertex in line.moves[heard:]:  # some pass by themselves, and refuse to do it twice
            self.engine.ask(f"play {color} {vertex}", nobody if vertex == PASS else note)
        self._start, self._moves = start, line.moves

    def _chosen(self, color: str, chosen: Answered, answer: Answer) -> None:
        vertex = answer.last_line.removeprefix("play ").strip()
        if answer.accepted:
            self._moves = (*self._moves, (color, vertex))
        chosen(Answer(answer.accepted, vertex))


def _start(line: Line) -> list[str]:
    """What brings an engine to where the game begins."""
    setup, start = line.setup, line.start
    name = setup.game.capitalize()  # as others write it
    lines = [f"set_game {name}", f"boardsize {setup.size}"]
    if (setup.rule, setup.in_a_row) != ("freestyle", 5):
        lines.append(f"set_game {name} {setup.rule} {setup.in_a_row}")
    lines.append("clear_board")
    if start.stones:
        lines += [f"gogui-setup {words(start.stones)}", f"gogui-setup_player {start.player}"]
    return lines


def _terms(line: Line, seat: Seat, color: str, left: Left | None) -> list[str]:
    """The seat and the time as our own engine takes them."""
    lines = [f"set_brain {seat.brain}", f"set_level {seat.level}", f"set_option movetime {line.setup.movetime:g}"]
    lines.append(f"kata-time_settings {line.setup.clock}")
    return lines if left is None else [*lines, _time_left(color, left)]


def _plain_terms(line: Line, color: str, left: Left | None) -> list[str]:
    """The time in GTP's own words, whole seconds: an engine without a clock has so many for each move."""
    setup = line.setup
    if left is None:
        return [f"time_settings 0 {math.ceil(setup.movetime)} 1"]
    period, count = (setup.period, setup.count) if setup.overtime == "canadian" else (setup.period, 1)
    overtime = f"{period:.0f} {count}" if setup.overtime != "fischer" else "0 0"
    return [f"time_settings {setup.main:.0f} {overtime}", _time_left(color, left)]


def _time_left(color: str, left: Left) -> str:
    return f"time_left {color} {max(0, int(left.seconds))} {left.count}"
