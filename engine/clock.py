"""Time controls and a countdown of our own."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from .allocation import Budget, budget
from .games.game import Color, Position

OVERRUNS = 1.5  # times the average overrun are kept back
LONGEST_OVERRUN = 2.0  # seconds; what is more is a correction, no lag
MOST_OVER = 1.6
MEMORY = 0.2  # the weight of the last move in an average
FORGETTING = 0.9  # of the longest delay, with each move
MOST_DELAYED = 0.5  # of a move's time, kept back for delays


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
        self._overrun = 0.0  # seconds that the controller charges beyond our count, on average
        self._used_share = 1.0  # of what was planned for a move, on average
        self._planned: Budget | None = None
        self._is_shared = False  # the plan is a share of main time
        self._delay = 0.0  # seconds by which moves of late have ended after the most that they might take

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
        if count == 0:
            self._note_overrun(self._left[color].main - seconds)
        self._left[color] = _corrected(self._running(), max(0.0, seconds), count)

    def start(self, asked: float | None = None) -> None:
        """Begin to think: now, or when the move was asked for."""
        self.started = self._now() if asked is None else asked

    def stop(self, color: Color) -> float:
        """End thinking; returns and charges the seconds used."""
        used = self._now() - self.started
        if self._control is not None:
            self._left[color] = _charged(self._control, self._left[color], used)
        self._note_use(used)
        return used

    def budget(self, position: Position, lag: float) -> Budget | None:
        """What the side to move may spend on its next move; None without limit."""
        if self._control is None:
            return None
        left = self._left[position.side_to_move]
        lag = max(lag, OVERRUNS * self._overrun)
        planned = budget(self._control, left, position, lag, over=min(MOST_OVER, 1 / self._used_share))
        self._planned, self._is_shared = _sooner(planned, self._delay), left.main > 0
        return self._planned

    def _note_overrun(self, seconds: float) -> None:
        """Learn how much more the controller charges for a move than we count."""
        if 0 <= seconds <= LONGEST_OVERRUN:
            self._overrun += MEMORY * (seconds - self._overrun)

    def _note_use(self, used: float) -> None:
        """Learn what share of their plan moves really take, and how late a busy machine lets them end."""
        if self._planned is None:
            return
        if self._is_shared and self._planned.seconds > 0:
            self._used_share += MEMORY * (min(1.0, used / self._planned.seconds) - self._used_share)
        late = used - self._planned.most
        self._delay = max(FORGETTING * self._delay, late if late <= LONGEST_OVERRUN else 0.0)
        self._planned = None

    def _running(self) -> TimeControl:
        assert self._control is not None
        return self._control


def _sooner(planned: Budget, delay: float) -> Budget:
    """The plan, to be ended so much sooner that the delay fits in, but not to nothing."""
    most = planned.most - min(delay, MOST_DELAYED * planned.most)
    return Budget(min(planned.seconds, most), most)


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
