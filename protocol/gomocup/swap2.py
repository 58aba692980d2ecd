"""Swap2, the opening where one side places stones and the other takes the color of its choice."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...engine.errors import EngineError
from ...engine.games.game import Move
from .balance import balance
from .desk import Call, Desk
from .games import place_all
from .points import read_field, write_point, write_points
from .table import body
from .thinking import judge, seconds_for

SWAP = "SWAP"


@body("SWAP2BOARD")
def swap2board(desk: Desk, lines: Sequence[str], call: Call) -> str:
    """Open with three stones, or answer three or five: SWAP takes black, a point keeps white and moves."""
    size = desk.session.game.size
    stones = [read_field(text, size) for text in lines]
    if any(color is not None for _, color in stones):
        raise EngineError("the stones of SWAP2BOARD have no color")
    moves = [move for move, _ in stones]
    if len(moves) not in (0, 3, 5) or len(set(moves)) < len(moves):
        raise EngineError("SWAP2BOARD takes no stone, three or five, each on a point of its own")
    place_all(desk.session, moves[::2], moves[1::2])
    return _answer(desk, call) if moves else _open(desk, call)


def _open(desk: Desk, call: Call) -> str:
    """Three stones between which others may choose: the first one near the edge, where it is worth little."""
    session = desk.session
    size, rng = session.game.size, random.Random(session.options.seed or None)
    row, column = rng.randrange(1, 3), rng.randrange(size // 4, size - size // 4)
    first = rng.choice([row * size + column, column * size + row])
    session.play(session.position.side_to_move, first)
    moves = [first, *balance(desk, call, 2, 0.0)]
    return write_points(moves, size)


def _answer(desk: Desk, call: Call) -> str:
    """White is to move: whoever likes its prospects keeps it."""
    session = desk.session
    if session.outcome() is not None:
        raise EngineError("the game is over")
    choice = judge(desk, call, seconds_for(desk, call))
    assert choice is not None
    move: Move = choice.move
    if choice.analysis.best.value < 0:
        return SWAP
    session.play(session.position.side_to_move, move)
    return write_point(move, session.game.size)
