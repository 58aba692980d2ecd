"""How a command has a move chosen, whichever command it is."""

from __future__ import annotations

from ..engine.games.game import Color, Move
from ..engine.search.analysis import Reporter, ignore
from ..engine.session import Session
from .command import Exchange


def chosen(session: Session, exchange: Exchange, color: Color, report: Reporter = ignore) -> Move | None:
    """Choose a move and play it; the clock runs also while others have the machine."""
    interrupted = exchange.waiting.interrupted
    session.clock.start()
    with exchange.host.searching(interrupted):
        return session.genmove(color, interrupted, report, session.clock.started)
