"""How a command has a move chosen, whichever command it is."""

from __future__ import annotations

import time

from ..engine.games.game import Color, Move
from ..engine.search.analysis import Reporter, ignore
from ..engine.session import Session
from .command import Exchange
from .host import Interrupted

WAITING = 0.5  # of a move's time, for a place to search; then it is searched without one


def chosen(session: Session, exchange: Exchange, color: Color, report: Reporter = ignore) -> Move | None:
    """Choose a move and play it; the clock runs also while others have the machine."""
    interrupted = exchange.waiting.interrupted
    session.clock.start()
    with exchange.host.searching(hurried(session, color, interrupted)):
        return session.genmove(color, interrupted, report, session.clock.started)


def hurried(session: Session, color: Color, interrupted: Interrupted) -> Interrupted:
    """As `interrupted`, and also true when the clock does not let the move wait any longer."""
    planned = session.clock.budget(session.position.turned(color), session.options.lag)
    if planned is None:
        return interrupted
    due = session.clock.started + WAITING * planned.seconds
    return lambda: interrupted() or time.monotonic() > due
