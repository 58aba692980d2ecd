"""What a search was, in one line."""

from __future__ import annotations

import logging

from ..engine.search.analysis import Analysis
from ..engine.session import Session
from .notation import write_color, write_line, write_vertex

PROOFS = {1: "win", 0: "draw", -1: "loss"}


def summarize(session: Session) -> None:
    """Tell the log about the search behind the last move, in one line."""
    played = session.moves[-1]
    if played.analysis is not None:
        move = f"{write_color(played.color)} {write_vertex(played.move, session.game)}"
        logging.getLogger(__name__).info("%s: %s", move, explanation(played.analysis, session))


def explanation(analysis: Analysis, session: Session) -> str:
    """One line about a search: its best move's prospects and its size."""
    best = analysis.best
    line = write_line(best.line, session.game)
    proof = "" if best.proven is None else f"{PROOFS[best.proven]} in {best.distance}, "
    speed = analysis.visits / max(analysis.seconds, 1e-3)
    size = f"visits {analysis.visits}, depth {analysis.depth}, {analysis.seconds:.2f} s, {speed:.0f}/s"
    return f"{proof}winrate {50 + 50 * best.value:.1f}%, {size}, pv {line}"
