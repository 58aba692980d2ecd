"""Where a game stands, in a line."""

from __future__ import annotations

from .board import Board
from .notice import Notice
from .play import Play
from .points import other


def situation(play: Play) -> list[Notice]:
    """What a person wants to know first."""
    board, dead = play.board, play.driver.dead
    if dead is not None:
        return [dead.notice]
    if board is None:
        return [Notice("starting")]
    if play.time_winner is not None:
        return [Notice("won_on_time", (play.time_winner,))]
    if board.result:
        return [*_result(board), *_achievement(play, board)]
    key = "thinking" if play.driver.thinking else "paused" if play.paused else "to_move"
    rest = [Notice("analysis_spent", (f"{play.study.longest:g}",))] if play.study.on and play.study.is_spent else []
    return [Notice(key, (board.side,)), *rest]


def _result(board: Board) -> list[Notice]:
    ending = Notice("draw") if board.winner is None else Notice("won", (board.winner,))
    if board.game != "othello":
        return [ending]
    return [ending, Notice("discs", (str(board.count("black")), str(board.count("white"))))]


def _achievement(play: Play, board: Board) -> list[Notice]:
    person = play.setup.against_weakest
    if person is None or board.winner is None:
        return []
    return [Notice("you_lost" if board.winner == other(person) else "you_won")]
