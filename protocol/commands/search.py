"""Commands that have a move chosen."""

from __future__ import annotations

import logging

from ...engine.games.game import Color
from ...engine.search.analysis import Analysis
from ...engine.session import Session
from ..command import COMMANDS, Exchange
from ..notation import write_color, write_line, write_vertex

PROOFS = {1: "win", 0: "draw", -1: "loss"}


@COMMANDS.command("genmove")
def genmove(session: Session, exchange: Exchange, color: Color) -> str:
    """Choose a move and play it; after the end of the game it is a pass."""
    move = session.genmove(color, exchange.waiting.interrupted)
    summarize(session)
    return write_vertex(move, session.game)


@COMMANDS.command("reg_genmove")
def reg_genmove(session: Session, exchange: Exchange, color: Color) -> str:
    """Choose a move without playing it; the same position has the same answer."""
    return write_vertex(session.suggest(color, exchange.waiting.interrupted), session.game)


@COMMANDS.command("stop")
def stop() -> None:
    """End the search before it at once."""


@COMMANDS.command("gogui-interrupt")
def interrupt() -> None:
    """Tell that the comment line `# interrupt` ends the search under way."""


@COMMANDS.command("gomill-explain_last_move")
def explain_last_move(session: Session) -> str:
    """Explain the last move by the search behind it; empty when there was none."""
    analysis = session.moves[-1].analysis if session.moves else None
    return "" if analysis is None else explanation(analysis, session)


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
