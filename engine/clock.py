"""Time controls, a countdown of our own, and what it allows for the next move."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from .games.game import Color, Position


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Main time, then at most one kind of overtime."""

    main: float = 0.0
    period: float = 0.0  # seconds of an overtime period
    stones: int = 1  # Canadian: moves to make in a period
    periods: int = 1  # Japanese: how many periods there are; each move may use up some
    increment: float = 0.0  # Fischer: added after each move
    cap: float = math.inf  # Fischer: main time never grows above this
    longest: float = math.inf  # Fischer: no move may take longer


@dataclass(frozen=True, slots=True)
class Left:
    """What one side has left."""

    main: float
    period: float  # of the period under way
    stones: int  # to make in it
    periods: int


class Clock:
    """Counts down while we think; `time_left` corrects it. Without a control there is no limit."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._control: TimeControl | None = None
        self._left: dict[Color, Left] = {}
        self.started: float = now()  # when thinking began

    @property
    def control(self) -> TimeControl | None:
        """The control in force, if any."""
        return self._control

    def set_control(self, control: TimeControl | None) -> None:
        """Change the control; both sides start afresh."""
        self._control = control
        self.reset()

    def reset(self) -> None:
        """Give both sides their full time."""
        if self._control is not None:
            self._left = {color: _full(self._control) for color in Color}

    def left(self, color: Color) -> Left | None:
        """What that side has left, None without limit."""
        return None if self._control is None else self._left[color]

    def correct(self, color: Color, seconds: float, count: int) -> None:
        """Take a controller's word: `count` is 0 in main time, else stones or periods left in overtime."""
        if self._control is None:
            self.set_control(TimeControl(main=max(0.0, seconds)) if count == 0 else _overtime_only(seconds, count))
        self._left[color] = _corrected(self._running(), max(0.0, seconds), count)

    def start(self) -> None:
        """Begin to think."""
        self.started = self._now()

    def stop(self, color: Color) -> float:
        """End thinking; returns and charges the seconds used."""
        used = self._now() - self.started
        if self._control is not None:
            self._left[color] = _charged(self._control, self._left[color], used)
        return used

    def allowance(self, color: Color, moves_to_go: float, lag: float) -> float | None:
        """Seconds to spend on the next move, the lag taken off; None without limit."""
        if self._control is None:
            return None
        control, left = self._control, self._left[color]
        most = _most(control, left)
        wanted = min(_share(control, left, moves_to_go), most, control.longest)
        return max(0.0, wanted - min(lag, 0.15 * wanted + 0.001, most))

    def _running(self) -> TimeControl:
        assert self._control is not None
        return self._control


def moves_to_go(position: Position) -> float:
    """How many moves the side to move probably still has to think about."""
    area = position.game.size**2
    empties = area - (position.black | position.white).bit_count()
    if position.game.name == "othello":
        solved = min(empties, 12)  # the last ones are solved at once
        return max(4.0, (empties - solved) / 2 + 0.1 * solved)
    return max(8.0, 0.5 * (0.15 * area + 20 - (area - empties)))


def _full(control: TimeControl) -> Left:
    return Left(control.main, control.period, control.stones, control.periods)


def _overtime_only(seconds: float, stones: int) -> TimeControl:
    return TimeControl(period=max(0.0, seconds), stones=stones)


def _corrected(control: TimeControl, seconds: float, count: int) -> Left:
    if count == 0:  # some controllers say `0 0` when overtime begins
        return replace(_full(control), main=seconds)
    if control.periods > 1:
        return Left(0.0, seconds, control.stones, count)
    return Left(0.0, seconds, count, control.periods)


def _charged(control: TimeControl, left: Left, used: float) -> Left:
    """What is left after a move."""
    if used <= left.main or control.period == 0:
        return replace(left, main=min(max(0.0, left.main - used) + control.increment, control.cap))
    used -= left.main
    left = replace(left, main=0.0)
    while used >= left.period and left.periods > 1:
        used -= left.period
        left = replace(left, period=control.period, periods=left.periods - 1)
    if left.stones <= 1:
        return replace(left, period=control.period, stones=control.stones)
    return replace(left, period=max(0.0, left.period - used), stones=left.stones - 1)


def _most(control: TimeControl, left: Left) -> float:
    """Seconds until this move would lose on time, or break into the share of the other moves of a period."""
    overtime = left.period / max(1, left.stones) + control.period * (left.periods - 1)
    return left.main + overtime


def _share(control: TimeControl, left: Left, moves: float) -> float:
    """What a fair division gives this move."""
    in_overtime = left.period / max(1, left.stones)
    if left.main <= 0:
        return in_overtime
    if control.period > 0:  # all but the last five periods count as main time; a period is always to be had
        spare = max(0, left.periods - 5) * control.period
        return max((left.main + spare) / moves, in_overtime)
    if control.increment > 0:
        return control.increment + max(0.0, left.main - control.increment) / moves
    return left.main / moves
