"""Commands that have a move chosen."""

from __future__ import annotations

from ...engine.games.game import Color
from ...engine.session import Session
from ..choosing import chosen, hurried
from ..command import COMMANDS, Exchange
from ..notation import write_vertex
from ..reply import Told
from ..summary import analysis_record, explanation, summarize


@COMMANDS.command("genmove")
def genmove(session: Session, exchange: Exchange, color: Color) -> str:
    """Choose a move and play it; after the end of the game it is a pass."""
    move = chosen(session, exchange, color)
    summarize(session)
    return write_vertex(move, session.game)


@COMMANDS.command("reg_genmove")
def reg_genmove(session: Session, exchange: Exchange, color: Color) -> str:
    """Choose a move without playing it; the same position has the same answer."""
    interrupted = exchange.waiting.interrupted
    session.clock.start()
    with exchange.host.searching(hurried(session, color, interrupted)):
        return write_vertex(session.suggest(color, interrupted), session.game)


@COMMANDS.command("stop")
def stop() -> None:
    """End the search before it at once."""


@COMMANDS.command("gogui-interrupt")
def interrupt() -> None:
    """Tell that the comment line `# interrupt` ends the search under way."""


@COMMANDS.command("gomill-explain_last_move")
def explain_last_move(session: Session) -> Told | None:
    """Explain the last move by the search behind it; empty when there was none."""
    analysis = session.moves[-1].analysis if session.moves else None
    if analysis is None:
        return None
    return Told(explanation(analysis, session), analysis_record(analysis, session.game))
