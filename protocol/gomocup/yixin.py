"""Yixin's and Rapfi's extension: what analysis boards send."""

from __future__ import annotations

from collections.abc import Sequence

from ...engine.errors import EngineError
from ...engine.games import renju
from ...engine.games.game import points
from ...engine.processors import num_processors
from .. import NAME, VERSION
from ..command import read_integer, read_number
from .balance import balance
from .desk import Call, Desk
from .games import place_all
from .points import read_point, read_sides, write_point, write_points
from .table import body, line
from .thinking import tell_lines

MAX_HASH = 20  # the logarithm of the most kilobytes


@line("YXSHOWINFO")
def show_info(desk: Desk, rest: str, call: Call) -> str:
    """Tell what the engine can take."""
    threads = f"MESSAGE INFO MAX_THREAD_NUM {num_processors()}"
    return "\n".join([f"MESSAGE {NAME} {VERSION}", threads, f"MESSAGE INFO MAX_HASH_SIZE {MAX_HASH}"])


@body("YXBOARD")
def board(desk: Desk, lines: Sequence[str], call: Call) -> None:
    """Set a position up without a move."""
    own, opponents = read_sides(lines, desk.session.game.size)
    if abs(len(own) - len(opponents)) > 1:
        raise EngineError(f"{len(own)} own stones and {len(opponents)} of the opponent cannot be")
    black, white = (own, opponents) if len(own) >= len(opponents) else (opponents, own)
    place_all(desk.session, black, white)


@line("YXNBEST")
def nbest(desk: Desk, rest: str, call: Call) -> str:
    """Tell the best lines of play and make the best move."""
    count = read_integer(rest)
    if not 1 <= count <= desk.session.game.num_moves:
        raise EngineError(f"unacceptable number of lines: {count}")
    return _best_of(desk, call, count)


@line("YXSEARCHDEFEND")
def search_defend(desk: Desk, rest: str, call: Call) -> str:
    """Tell what every move is worth and make the best one."""
    return _best_of(desk, call, desk.session.game.num_moves)


def _best_of(desk: Desk, call: Call, count: int) -> str:
    _, best = tell_lines(desk, call, count)[0]
    session = desk.session
    session.play(session.position.side_to_move, best.move)
    return write_point(best.move, session.game.size)


@line("YXBALANCEONE")
def balance_one(desk: Desk, rest: str, call: Call) -> str:
    """Make a move that brings the evaluation near a number."""
    return _balance(desk, rest, call, 1)


@line("YXBALANCETWO")
def balance_two(desk: Desk, rest: str, call: Call) -> str:
    """Make two moves that bring the evaluation near a number."""
    return _balance(desk, rest, call, 2)


def _balance(desk: Desk, rest: str, call: Call, count: int) -> str:
    session = desk.session
    moves = balance(desk, call, count, read_number(rest) if rest else 0.0)
    for move in moves:
        session.play(session.position.side_to_move, move)
    return write_points(moves, session.game.size)


@line("YXSHOWFORBID")
def show_forbidden(desk: Desk, rest: str, call: Call) -> str:
    """Tell black's forbidden points, two digits for each column and row."""
    game, position = desk.session.game, desk.session.position
    forbidden = renju.forbidden_points(position.black, position.white, game.size) if game.rule == "renju" else 0
    places = [divmod(move, game.size) for move in points(forbidden)]
    return "FORBID " + "".join(f"{column:02}{row:02}" for row, column in places) + "."


@line("YXHASHCLEAR")
def clear_hash(desk: Desk, rest: str, call: Call) -> str:
    """Forget what was searched."""
    desk.run("set_brain", desk.session.brain_name)
    return "MESSAGE the hash table is empty"


@line("YXSHOWHASHUSAGE")
def show_hash(desk: Desk, rest: str, call: Call) -> str:
    """Tell how large the hash table is."""
    return f"MESSAGE the hash table has {desk.session.options.memory} MB"


@body("YXBLOCK")
def block(desk: Desk, lines: Sequence[str], call: Call) -> None:
    """Leave points out of the moves to come, while there are others."""
    desk.session.barred |= {read_point(text, desk.session.game.size) for text in lines}


@body("YXBLOCKUNDO")
def unblock(desk: Desk, lines: Sequence[str], call: Call) -> None:
    """Look at points again."""
    desk.session.barred -= {read_point(text, desk.session.game.size) for text in lines}


@line("YXBLOCKRESET")
def unblock_all(desk: Desk, rest: str, call: Call) -> None:
    """Look at all points again."""
    desk.session.barred = frozenset()
