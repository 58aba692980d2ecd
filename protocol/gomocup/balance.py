"""Moves that leave a position balanced: openings for others to choose a side of."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...engine.errors import EngineError
from ...engine.games.game import Move, points
from .desk import Call, Desk
from .detail import evaluation
from .thinking import get_ready, judge, seconds_for

MOST = 12  # sets of moves that are compared
WITHOUT_LIMIT = 5.0  # seconds for all of them where there is no limit
REACH = 2  # points around the stones that are looked at


def balance(desk: Desk, call: Call, count: int, target: float) -> list[Move]:
    """So many moves that bring the evaluation, seen by whoever makes the first of them, nearest the target."""
    if desk.session.outcome() is not None:
        raise EngineError("the game is over")
    candidates = _candidates(desk, count)
    get_ready(desk, call, seconds_for(desk, call))
    seconds = seconds_for(desk, call)
    share = (WITHOUT_LIMIT if seconds is None else seconds) / len(candidates)
    found = [(abs(_worth(desk, call, moves, share) - target), moves) for moves in candidates]
    return min(found, key=lambda pair: pair[0])[1]


def _worth(desk: Desk, call: Call, moves: Sequence[Move], seconds: float) -> float:
    """The evaluation after these moves, for the side that made the first."""
    session, first = desk.session, desk.session.position.side_to_move
    for move in moves:
        session.play(session.position.side_to_move, move)
    try:
        choice = judge(desk, call, seconds)
        if choice is None:
            outcome = session.outcome()
            return evaluation(0.0 if outcome is None else float(outcome.value(first)))
        value = choice.analysis.best.value
        return evaluation(value if session.position.side_to_move is first else -value)
    finally:
        session.undo(len(moves))


def _candidates(desk: Desk, count: int) -> list[list[Move]]:
    """Sets of legal moves near the stones, by chance; on an empty board anywhere but in the middle."""
    session, rng = desk.session, random.Random(desk.session.options.seed or None)
    near = _near(points(session.position.black | session.position.white), session.game.size)
    found: list[list[Move]] = []
    for _ in range(4 * MOST):
        position, moves = session.position, list[Move]()
        while len(moves) < count and position.outcome() is None:
            legal = position.legal_moves()
            move = rng.choice([move for move in legal if not near or move in near] or legal)
            position, moves = position.play(move), [*moves, move]
        if len(moves) == count and position.outcome() is None and moves not in found:
            found.append(moves)
    if not found:
        raise EngineError("there are no such moves")
    return found[:MOST]


def _near(stones: Sequence[Move], size: int) -> set[Move]:
    found = set()
    for stone in stones:
        row, column = divmod(stone, size)
        for r in range(max(0, row - REACH), min(size, row + REACH + 1)):
            found |= {r * size + c for c in range(max(0, column - REACH), min(size, column + REACH + 1))}
    return found
