"""Searches as Gomocup asks for them: the move, the lines of play, and what a position is worth."""

from __future__ import annotations

from math import inf

from ...engine.brains.hasty import hasty_move
from ...engine.brains.level import unsearched
from ...engine.errors import EngineError
from ...engine.games.misere import misere
from ...engine.search.analysis import Choice
from ...engine.session import Session
from ..lines import Found, best_lines
from ..summary import summarize
from .desk import Call, Desk
from .detail import Details
from .points import write_point

PATIENCE = 0.8  # of a turn is waited for a brain: loading takes the processor, and whoever ends the wait is late


def genmove(desk: Desk, call: Call) -> str:
    """Choose a move, play it and tell it."""
    session = desk.session
    if session.outcome() is not None:
        raise EngineError("the game is over")
    color = session.position.side_to_move
    seconds, details = seconds_for(desk, call), Details(desk, call)
    impatient = inf if seconds is None else desk.now() + PATIENCE * seconds

    def interrupted() -> bool:
        return desk.is_interrupted(call.waiting) or (desk.now() >= impatient and not session.is_ready)

    move = session.genmove(color, interrupted, details, call.asked)
    assert move is not None
    played = session.moves[-1].analysis
    if played is not None:
        details.finish([(played, played.best)])
    summarize(session)
    return write_point(move, session.game.size)


def seconds_for(desk: Desk, call: Call) -> float | None:
    """What is left of the turn for a command that is no plain move; None without limit."""
    _correct_clock(desk)
    planned = desk.session.clock.budget(desk.session.position, desk.session.options.lag)
    if planned is None:
        return None
    return max(0.0, planned.seconds - (desk.now() - call.asked))


def judge(desk: Desk, call: Call, seconds: float | None) -> Choice | None:
    """Search the position for so long without playing; None after the end of the game.

    Before everything is loaded a hasty move stands in for a search that would come too late, or that is stopped.
    """
    deadline, session = None if seconds is None else desk.now() + seconds, desk.session
    if session.outcome() is None and not get_ready(desk, call, seconds):
        return _hasty(session)

    def ended() -> bool:
        return desk.is_interrupted(call.waiting) or (deadline is not None and desk.now() >= deadline)

    return session.analyze(session.position.side_to_move, ended, lambda make: None)


def tell_lines(desk: Desk, call: Call, count: int) -> list[Found]:
    """The best lines of play, best first, told whenever they are better known."""
    if desk.session.outcome() is not None:
        raise EngineError("the game is over")
    seconds, details, found = seconds_for(desk, call), Details(desk, call), list[Found]()
    deadline = inf if seconds is None else desk.now() + seconds
    if not get_ready(desk, call, seconds):
        analysis = _hasty(desk.session).analysis
        return [(analysis, analysis.best)]
    for found in best_lines(
        desk.session, count, lambda: desk.is_interrupted(call.waiting) or desk.now() >= deadline, desk.now
    ):
        details.tell(found)
    return found


def get_ready(desk: Desk, call: Call, seconds: float | None) -> bool:
    """Wait for the brain; False when so many seconds, of which it is given a part, or the manager did not let it."""
    patience = None if seconds is None else PATIENCE * seconds
    return desk.session.be_ready(patience, lambda: desk.is_interrupted(call.waiting))


def _hasty(session: Session) -> Choice:
    position = session.position
    return unsearched(hasty_move(position if session.mode == "strongest" else misere(position)))


def _correct_clock(desk: Desk) -> None:
    """Tell the clock what the manager told of the side that is to move now."""
    if desk.left is not None:
        desk.session.clock.correct(desk.session.position.side_to_move, desk.left, 0)
        desk.left = None
