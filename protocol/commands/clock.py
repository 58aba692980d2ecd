"""Commands about time."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...engine.clock import TimeControl
from ...engine.errors import UsageError
from ...engine.games.game import Color
from ...engine.session import Session
from ..command import COMMANDS, read_integer, read_number
from ..reply import Told, words

Reader = Callable[..., TimeControl | None]


@COMMANDS.command("time_settings")
def time_settings(session: Session, main: float, period: float, stones: int) -> None:
    """Give each side main seconds, then periods of so many seconds for so many stones; 0 1 0 is no limit."""
    refuse_negative(main, period, stones)
    if period > 0 and stones == 0:
        session.clock.set_control(None)
    elif period > 0:
        session.clock.set_control(TimeControl(main=main, period=period, stones=stones))
    else:
        session.clock.set_control(TimeControl(main=main))


@COMMANDS.command("time_left")
def time_left(session: Session, color: Color, seconds: float, stones: int) -> None:
    """Correct a side's clock: stones (or periods, in Japanese overtime) are 0 while main time runs."""
    refuse_negative(stones)
    session.clock.correct(color, seconds, stones)


@COMMANDS.command("kgs-time_settings")
def kgs_time_settings(session: Session, kind: str, *numbers: str) -> None:
    """Set the time: none, absolute MAIN, byoyomi MAIN PERIOD PERIODS or canadian MAIN PERIOD STONES."""
    session.clock.set_control(read_control(kind, numbers, KGS_KINDS))


@COMMANDS.command("kata-time_settings")
def kata_time_settings(session: Session, kind: str, *numbers: str) -> None:
    """Set the time as kgs-time_settings does, or fischer MAIN INCREMENT, fischer-capped MAIN INCREMENT CAP LONGEST."""
    session.clock.set_control(read_control(kind, numbers, KATA_KINDS))


@COMMANDS.command("kata-list_time_settings")
def kata_list_time_settings() -> Told:
    """List the kinds of time that kata-time_settings takes."""
    return words(KATA_KINDS)


def read_control(kind: str, numbers: tuple[str, ...], kinds: dict[str, tuple[Reader, int]]) -> TimeControl | None:
    """A time control from its kind and its numbers."""
    if kind not in kinds:
        raise UsageError(f"unknown time settings '{kind}': one of {', '.join(kinds)}")
    make, count = kinds[kind]
    if len(numbers) != count:
        raise UsageError(f"syntax error: {kind} takes {count} numbers, here are {len(numbers)}")
    return make(*numbers)


def refuse_negative(*numbers: float) -> None:
    """Refuse times and counts below zero."""
    for number in numbers:
        if number < 0:
            raise UsageError(f"syntax error: {number:g} is negative")


def _none() -> None:
    return None


def _absolute(main: str) -> TimeControl:
    return TimeControl(main=_seconds(main))


def _byoyomi(main: str, period: str, periods: str) -> TimeControl:
    return TimeControl(main=_seconds(main), period=_seconds(period), periods=_count(periods))


def _canadian(main: str, period: str, stones: str) -> TimeControl:
    return TimeControl(main=_seconds(main), period=_seconds(period), stones=_count(stones))


def _fischer(main: str, increment: str) -> TimeControl:
    return TimeControl(main=_seconds(main), increment=_seconds(increment))


def _capped(main: str, increment: str, cap: str, longest: str) -> TimeControl:
    return TimeControl(main=_seconds(main), increment=_seconds(increment), cap=_limit(cap), longest=_limit(longest))


def _seconds(text: str) -> float:
    seconds = read_number(text)
    refuse_negative(seconds)
    return seconds


def _limit(text: str) -> float:
    """A negative number stands for none, as KataGo has it."""
    seconds = read_number(text)
    return seconds if seconds >= 0 else math.inf


def _count(text: str) -> int:
    count = read_integer(text)
    if count < 1:
        raise UsageError(f"syntax error: {count} is less than 1")
    return count


KGS_KINDS: dict[str, tuple[Reader, int]] = {
    "none": (_none, 0),
    "absolute": (_absolute, 1),
    "byoyomi": (_byoyomi, 3),
    "canadian": (_canadian, 3),
}
KATA_KINDS: dict[str, tuple[Reader, int]] = KGS_KINDS | {"fischer": (_fischer, 2), "fischer-capped": (_capped, 4)}
