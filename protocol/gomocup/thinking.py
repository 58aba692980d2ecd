"""Searches as Gomocup asks for them: the move, the lines of play, and what a position is worth."""

from __future__ import annotations

from ...engine.errors import EngineError
from ...engine.search.analysis import Choice
from ..summary import summarize
from .desk import Call, Desk
from .detail import Details, Found
from .points import write_point

FIRST_SLICE = 0.1  # seconds of a line of play, doubled in each round


def genmove(desk: Desk, call: Call) -> str:
    """Choose a move, play it and tell it."""
    session = desk.session
    if session.outcome() is not None:
        raise EngineError("the game is over")
    color = session.position.side_to_move
    _correct_clock(desk)
    details = Details(desk, call)
    move = session.genmove(color, lambda: desk.is_interrupted(call.waiting), details, call.asked)
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
    """Search the position for so long without playing; None after the end of the game."""
    deadline = None if seconds is None else desk.now() + seconds

    def ended() -> bool:
        return desk.is_interrupted(call.waiting) or (deadline is not None and desk.now() >= deadline)

    return desk.session.analyze(desk.session.position.side_to_move, ended, lambda make: None)


def best_lines(desk: Desk, call: Call, count: int) -> list[Found]:
    """The best lines of play, best first; each has its own searches, in which the moves before it are barred."""
    session = desk.session
    if session.outcome() is not None:
        raise EngineError("the game is over")
    seconds, details = seconds_for(desk, call), Details(desk, call)
    if session.brain_at_work != "alphabeta":  # the others know the values of all moves from one search
        choice = judge(desk, call, seconds)
        assert choice is not None
        found = [(choice.analysis, each) for each in choice.analysis.candidates[:count]]
        details.tell(found)
        return found
    end, slice_, found = None if seconds is None else desk.now() + seconds, FIRST_SLICE, list[Found]()
    while True:
        lines, goes_on = _round(desk, call, count, slice_, end)
        found = lines if len(lines) >= len(found) else found
        details.tell(found)
        if not goes_on:
            return found
        slice_ *= 2


def _round(desk: Desk, call: Call, count: int, seconds: float, end: float | None) -> tuple[list[Found], bool]:
    """Search each line for so long: the lines, and whether longer searches may tell more."""
    session, blocked = desk.session, desk.session.barred
    found: list[Found] = []
    is_used = False
    try:
        for _ in range(max(1, min(count, len(set(session.position.legal_moves()) - blocked)))):
            left = seconds if end is None else min(seconds, end - desk.now())
            if found and (left <= 0 or desk.is_interrupted(call.waiting)):
                break
            choice = judge(desk, call, left)
            assert choice is not None
            found.append((choice.analysis, choice.analysis.best))
            is_used = is_used or choice.analysis.seconds >= 0.9 * left
            session.barred |= {choice.move}
    finally:
        session.barred = blocked
    is_over = desk.is_interrupted(call.waiting) or (end is not None and desk.now() >= end)
    return sorted(found, key=lambda line: -line[1].value), is_used and not is_over


def _correct_clock(desk: Desk) -> None:
    """Tell the clock what the manager told of the side that is to move now."""
    if desk.left is not None:
        desk.session.clock.correct(desk.session.position.side_to_move, desk.left, 0)
        desk.left = None
