"""The best lines of play of a position: several, each with a value of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from ..engine.games.game import Move
from ..engine.search.analysis import Analysis, Candidate
from ..engine.search.stopper import Limits
from ..engine.session import Session

Found: TypeAlias = tuple[Analysis, Candidate]  # a line of play and the search that found it

FIRST_SLICE, LONGEST_SLICE = 0.1, 2.0  # seconds of a search for one line, doubled in each round
CATCHING_UP = 4.0  # times as long for a line that is to come as deep as the best one
ONE_SEARCH = ("mcts", "rollout")  # these know the values of all moves from one search
EQUALLY_DEEP = ("othello",)  # Gomoku's searches to a depth do without the wins by fours and threes


def best_lines(
    session: Session, count: int, ended: Callable[[], bool], now: Callable[[], float] = time.monotonic
) -> Iterator[list[Found]]:
    """Yield so many lines, best first, again and again and ever better; a single one is always found.

    Alpha-beta proves of the other moves only that they are not better: each line has searches of its own, in which
    the moves of the lines before it are barred. Values of different depths compare badly, so all lines of a round
    are as deep as its first, if that can be.
    """
    seconds, blocked = FIRST_SLICE, session.barred
    shared = session.brain_at_work in ONE_SEARCH
    found: list[Found] = []
    while True:
        try:
            lines, is_used = (_share if shared else _round)(session, count, seconds, ended, now)
        finally:
            session.barred = blocked
        if len(lines) >= len(found):
            found = lines
            yield found
        if not is_used or ended():
            return
        seconds = min(2 * seconds, LONGEST_SLICE)


def _share(
    session: Session, count: int, seconds: float, ended: Callable[[], bool], now: Callable[[], float]
) -> tuple[list[Found], bool]:
    """One search for all lines, which goes on where the last one ended."""
    analysis, is_used = _search(session, seconds, ended, now)
    return [(analysis, each) for each in analysis.candidates[:count]], is_used


def _round(
    session: Session, count: int, seconds: float, ended: Callable[[], bool], now: Callable[[], float]
) -> tuple[list[Found], bool]:
    """A search for each line, and whether any of them might have used more time."""
    found: list[Found] = []
    is_used, depth = False, None
    for _ in range(max(1, min(count, len(free_moves(session))))):
        if found and ended():
            break
        analysis, used = _search(session, seconds, ended, now, depth)
        if session.game.name in EQUALLY_DEEP:
            depth = depth or analysis.depth
        found.append((analysis, analysis.best))
        is_used = is_used or used
        session.barred |= {analysis.best.move}
    return sorted(found, key=lambda line: -line[1].value), is_used


def _search(
    session: Session, seconds: float, ended: Callable[[], bool], now: Callable[[], float], depth: int | None = None
) -> tuple[Analysis, bool]:
    """The analysis after so long, or as deep as that in some more time, and whether all of the time was used."""
    begun: list[float] = []
    limits = None
    if depth is not None:
        seconds *= CATCHING_UP
        limits = Limits(visits=session.options.visits or None, depth=depth, barred=session.barred)

    def is_over() -> bool:
        if not begun:
            begun.append(now())  # when everything is loaded
        return ended() or now() >= begun[0] + seconds

    choice = session.analyze(session.position.side_to_move, is_over, lambda make: None, limits)
    assert choice is not None
    return choice.analysis, bool(begun) and now() >= begun[0] + 0.9 * seconds


def free_moves(session: Session) -> set[Move]:
    """The legal moves that are not barred."""
    return set(session.position.legal_moves()) - session.barred
