"""The board in plain text."""

from __future__ import annotations

from ...protocol.notation import COLUMNS
from ..shared.board import Board
from ..shared.play import Play
from ..shared.points import Point, point_of, row_name
from ..shared.situation import situation
from ..shared.texts import Texts

SIGNS = {"black": "X", "white": "O"}
BOLD, FAINT, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def picture(play: Play, texts: Texts, *, colored: bool) -> str:
    """The board, who plays what, and where the game stands."""
    board = play.board
    if board is None:
        return texts.notices(situation(play))
    last = point_of(play.line.moves[-1][1], board.game, board.size) if play.line.moves else None
    legal = set(board.legal_points()) if board.game == "othello" and not play.is_over else set()
    forbidden = set(board.forbidden_points())
    columns = "   " + " ".join(COLUMNS[: board.size])
    lines = [columns]
    for row in range(board.size):
        number = row_name(row, board.game, board.size)
        cells = "".join(_cell(board, (row, column), last, legal, forbidden, colored) for column in range(board.size))
        lines.append(f"{number:>2}{cells}{')' if last == (row, board.size - 1) else ' '}{number}")
    return "\n".join([*lines, columns, *_below(play, texts)])


def _cell(
    board: Board, point: Point, last: Point | None, legal: set[Point], forbidden: set[Point], colored: bool
) -> str:
    """A point and what stands before it: the last move is in brackets."""
    color = board.stone(point)
    sign = SIGNS[color] if color else "+" if point in legal else "x" if point in forbidden else "."
    before = "(" if point == last else ")" if last == (point[0], point[1] - 1) else " "
    if not colored:
        return before + sign
    return before + (BOLD if color == "black" or point == last else FAINT if color is None else "") + sign + PLAIN


def _below(play: Play, texts: Texts) -> list[str]:
    seats = [f"{sign} {texts(color)}: {_who(play, color, texts)}" for color, sign in SIGNS.items()]
    lines = ["   ".join(seats)]
    if play.setup.against_weakest is not None:
        lines.append(texts("score", play.tally.lost, play.tally.games))
    return [*lines, texts.notices(situation(play))]


def _who(play: Play, color: str, texts: Texts) -> str:
    seat = play.setup.seat(color)
    if not seat.is_engine:
        return texts("person")
    named = {0: "weakest", 50: "random", 100: "strongest"}
    level = texts(named[seat.level]) if seat.level in named else texts("level_of", seat.level)
    return f"{texts('engine')}, {level}"
