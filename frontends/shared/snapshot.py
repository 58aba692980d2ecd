"""A game as plain values, for a page in a browser."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .board import Board
from .link import Ended
from .notice import Notice
from .play import Play
from .points import COLORS, Point, vertex_of
from .situation import situation
from .thought import Thought


def snapshot(play: Play) -> dict[str, Any]:
    """Everything that there is to see."""
    driver, line = play.driver, play.line
    return {
        "setup": asdict(play.setup),
        "board": None if play.board is None else _board(play.board, driver.flipped()),
        "moves": line.whole,
        "ply": line.ply if play.board is None else play.board.ply,
        "thought": None if driver.thought is None else _thought(driver.thought),
        "winrates": play.winrates,
        "hint": play.study.hint,
        "analyzing": play.study.on,
        "pondering": play.pondering,
        "paused": play.paused,
        "thinking": driver.thinking,
        "busy": driver.busy,
        "over": play.is_over,
        "brains": driver.brains,
        "dead": None if driver.dead is None else _dead(driver.dead),
        "score": asdict(play.tally) if play.setup.against_weakest is not None else None,
        "clocks": _clocks(play),
        "situation": [written(notice) for notice in situation(play)],
    }


def written(notice: Notice) -> list[str]:
    """A notice as its key and its values."""
    return [notice.key, *notice.values]


def _dead(ended: Ended) -> dict[str, Any]:
    return {"notice": written(ended.notice), "words": ended.last_words}


def _board(board: Board, flipped: list[Point]) -> dict[str, Any]:
    def names(points: list[Point]) -> list[str]:
        return [vertex_of(point, board.game, board.size) for point in points]

    return {
        "rows": board.rows,
        "side": board.side,
        "result": board.result,
        "legal": names(board.legal_points()) if board.game == "othello" else [],
        "forbidden": names(board.forbidden_points()),
        "flipped": names(flipped),
    }


def _thought(thought: Thought) -> dict[str, Any]:
    return asdict(thought) | {"black_wins": thought.black_wins}


def _clocks(play: Play) -> dict[str, Any] | None:
    if not play.setup.has_clock:
        return None
    timer = play.timer
    sides = {color: asdict(timer.left(color)) for color in COLORS}
    return sides | {"running": timer.running, "overtime": play.setup.overtime}
