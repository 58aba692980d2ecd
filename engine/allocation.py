"""How much of a clock the next move deserves."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .games.game import Position

if TYPE_CHECKING:
    from .clock import Left, TimeControl

SPARE_PERIODS = 5  # of Japanese overtime, kept for overtime; all others count as main time
BUSY_FACTOR = 1.3  # where games are decided
SHARE_AT_MOST = 0.2  # of the main time, for one move
SHORT_LAG = 0.2  # of a short move is kept back at most, which leaves most of it and is seldom late on a busy machine
LEAST_MOVE = 0.005  # seconds that a move takes which is not thought about at all


@dataclass(frozen=True, slots=True)
class Budget:
    """What a move should take and what it may take, in seconds; the lag is taken off."""

    seconds: float
    most: float


def budget(control: TimeControl, left: Left, position: Position, lag: float, over: float = 1.0) -> Budget:
    """Divide what is left among the moves to come; `over` is allotted beyond it, where moves tend to end early."""
    in_overtime = left.period / max(1, left.stones)
    bound = min(control.longest, left.main + in_overtime + control.period * (left.periods - 1))
    if left.main <= 0:
        return _less_lag(in_overtime, in_overtime, bound, lag)
    left = replace(left, main=max(0.0, left.main - _reserve(control, position)))
    share = _share(control, left, moves_to_go(position))
    wanted = share * over * (BUSY_FACTOR if is_busy(position) else 1.0)
    most = control.increment + in_overtime + SHARE_AT_MOST * max(0.0, left.main - control.increment)
    return _less_lag(wanted, max(most, share), bound, lag)


def moves_to_go(position: Position) -> float:
    """How many moves the side to move probably still has to think about."""
    area, stones = position.game.size**2, _stones(position)
    empties = area - stones
    if position.game.name == "othello":
        solved = min(empties, 12)  # the last ones are solved at once
        return max(4.0, (empties - solved) / 2 + 0.1 * solved)
    return max(8.0, 0.5 * (0.15 * area + 20 - stones))


def is_busy(position: Position) -> bool:
    """True in the part of the game that decides it."""
    stones = _stones(position)
    if position.game.name == "othello":
        return 20 <= position.game.size**2 - stones <= 40
    return 6 <= stones <= 30


def _stones(position: Position) -> int:
    return (position.black | position.white).bit_count()


def _reserve(control: TimeControl, position: Position) -> float:
    """What the moves of a whole board take, where no time is ever added; it is never planned with."""
    return 0.0 if control.increment + control.period > 0 else LEAST_MOVE * position.game.size**2 / 2


def _share(control: TimeControl, left: Left, moves: float) -> float:
    """What a fair division of the main time gives this move."""
    in_overtime = left.period / max(1, left.stones)
    if in_overtime > 0:
        # If thinking twice as long is always worth the same, main time goes best in helpings of e periods.
        main = left.main + max(0, left.periods - SPARE_PERIODS) * control.period
        return max(main / moves, min(main, math.e * in_overtime), in_overtime)
    if control.increment > 0:
        return control.increment + max(0.0, left.main - control.increment) / moves
    return left.main / moves


def _less_lag(wanted: float, most: float, bound: float, lag: float) -> Budget:
    most = min(most, bound)
    wanted = min(wanted, most)
    seconds, most = (max(0.0, time - min(lag, SHORT_LAG * time, bound)) for time in (wanted, most))
    return Budget(seconds, most)
