"""Positions as the flat states that kernels take."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Bits, Color, Game, Position, points
from ..games.gomoku import Gomoku
from ..games.misere import MiserePosition
from ..kernels.direct import direct
from ..kernels.layout import (
    BLACK_DISCS,
    BLACK_WON,
    DRAWN,
    EMPTIES,
    FREESTYLE,
    GOING_ON,
    GOMOKU,
    IN_A_ROW,
    KIND,
    OBJECTIVE,
    OTHELLO,
    PASSED,
    RENJU,
    RESULT,
    RULE,
    SIDE,
    SIZE,
    STANDARD,
    STATE,
    STATE_WORDS,
    WHITE_DISCS,
)

State: TypeAlias = NDArray[np.uint64]  # [STATE_WORDS]

_RULES = {"freestyle": FREESTYLE, "standard": STANDARD, "renju": RENJU}


def state_of(position: Position) -> State:
    """A new state; a misère position has the ordinary stones and result, and says so in its objective."""
    ordinary = position.ordinary if isinstance(position, MiserePosition) else position
    state = np.zeros(STATE_WORDS, STATE)
    stones = (ordinary.black | ordinary.white).bit_count()
    state[OBJECTIVE] = position.game.objective < 0
    state[SIZE] = ordinary.game.size
    state[SIDE] = ordinary.side_to_move
    state[RESULT] = _result(ordinary)
    state[EMPTIES] = ordinary.game.size**2 - stones
    if isinstance(ordinary.game, Gomoku):
        _set_gomoku(state, ordinary, ordinary.game)
    else:
        _set_othello(state, ordinary, ordinary.game)
    return state


def _result(position: Position) -> int:
    outcome = position.outcome()
    if outcome is None:
        return GOING_ON
    return DRAWN if outcome.winner is None else BLACK_WON + outcome.winner


def _set_gomoku(state: State, position: Position, game: Gomoku) -> None:
    place = _placer()
    state[KIND] = GOMOKU
    state[IN_A_ROW] = game.in_a_row
    state[RULE] = _RULES[game.rule]
    for color, stones in ((Color.BLACK, position.black), (Color.WHITE, position.white)):
        for move in points(stones):
            place(state, int(color), *divmod(move, game.size))


@cache
def _placer() -> Callable[..., None]:
    """What sets a stone's bits; a fifth of a second that Othello need not pay."""
    from ..kernels.gomoku import place

    return direct(place)


def _set_othello(state: State, position: Position, game: Game) -> None:
    state[KIND] = OTHELLO
    state[PASSED] = position.last_move == game.pass_move
    for word, stones in ((BLACK_DISCS, position.black), (WHITE_DISCS, position.white)):
        state[word] = _squares(stones, game.size)


def _squares(stones: Bits, size: int) -> Bits:
    """Points as squares of a board that has eight in a row."""
    row = (1 << size) - 1
    return sum((stones >> size * number & row) << 8 * number for number in range(size))
