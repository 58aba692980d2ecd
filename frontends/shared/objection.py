"""What speaks against a person's move before the engine is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .play import Play


def objection(play: Play) -> str | None:
    """The key of what is to be told; None where nothing speaks against a move."""
    if play.driver.dead:
        return "engine_gone"
    if play.is_over:
        return "game_over"
    if play.driver.thinking:
        return "not_now"
    if play.driver.busy or play.board is None:
        return "wait"
    return "not_your_turn" if play.setup.seat(play.board.side).is_engine and not play.paused else None
