"""Swap2, the opening where one side places stones and the other takes the color of its choice."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...engine.errors import EngineError
from ...engine.games.game import Move
from ...engine.search.analysis import Choice
from .balance import balance
from .desk import Call, Desk
from .games import place_all
from .points import read_field, write_point, write_points
from .table import body, line
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
    return _answer(desk, call) if moves else write_points(_open(desk, call), size)


@line("YXSWAP2STEP1")
def open_for_yixin(desk: Desk, rest: str, call: Call) -> str:
    """Open with three stones, as Yixin-Board has them told."""
    desk.run("clear_board")
    size = desk.session.game.size
    places = [divmod(move, size) for move in _open(desk, call)]
    return "\n".join(f"MESSAGE SWAP2 MOVE{number} {column} {row}" for number, (row, column) in enumerate(places, 1))


@line("YXSWAP2STEP2")
def answer_three_for_yixin(desk: Desk, rest: str, call: Call) -> str:
    """Take black or stay with white after the three stones of YXBOARD."""
    return _answer_yixin(desk, call, 3, "SWAP1")


@line("YXSWAP2STEP3")
def answer_five_for_yixin(desk: Desk, rest: str, call: Call) -> str:
    """Take black or stay with white after the five stones of YXBOARD."""
    return _answer_yixin(desk, call, 5, "SWAP2")


def _answer_yixin(desk: Desk, call: Call, stones: int, word: str) -> str:
    if len(desk.session.moves) != stones:
        raise EngineError(f"there are {len(desk.session.moves)} stones, not {stones}")
    return f"MESSAGE SWAP2 {word} {'YES' if _choice(desk, call).analysis.best.value < 0 else 'NO'}"


def _open(desk: Desk, call: Call) -> list[Move]:
    """Three stones between which others may choose: the first one near the edge, where it is worth little."""
    session = desk.session
    size, rng = session.game.size, random.Random(session.options.seed or None)
    row, column = rng.randrange(1, 3), rng.randrange(size // 4, size - size // 4)
    first = rng.choice([row * size + column, column * size + row])
    session.play(session.position.side_to_move, first)
    return [first, *balance(desk, call, 2, 0.0)]


def _answer(desk: Desk, call: Call) -> str:
    """White is to move: whoever likes its prospects keeps it."""
    session, choice = desk.session, _choice(desk, call)
    if choice.analysis.best.value < 0:
        return SWAP
    session.play(session.position.side_to_move, choice.move)
    return write_point(choice.move, session.game.size)


def _choice(desk: Desk, call: Call) -> Choice:
    if desk.session.outcome() is not None:
        raise EngineError("the game is over")
    choice = judge(desk, call, seconds_for(desk, call))
    assert choice is not None
    return choice
