"""A winning plan held against every legal defense, by the rules alone."""

from __future__ import annotations

from collections.abc import Callable

from extremum.engine.games.game import Move, Position
from tests.engine.kernels.slow_vcf import five_points

Plan = Callable[[Position], Move | None]


def beats_all(position: Position, plan: Plan, known: set[tuple[int, int]] | None = None) -> bool:
    """True when the side to move wins with the plan's moves, whatever the defender plays."""
    known = set() if known is None else known
    key = position.black, position.white
    if key in known or five_points(position, position.side_to_move):
        return True
    move = plan(position)
    if move is None or not _beats_replies(position.play(move), plan, known):
        return False
    known.add(key)
    return True


def _beats_replies(position: Position, plan: Plan, known: set[tuple[int, int]]) -> bool:
    """True when no reply saves the side to move; those that let a five through need no look."""
    defender, replies = position.side_to_move, position.legal_moves()
    if not replies or five_points(position, defender):
        return False
    fives = five_points(position, defender.opponent)
    if len(fives) > 1:
        return True
    if fives:
        replies = [reply for reply in fives if reply in replies]
    return all(beats_all(position.play(reply), plan, known) for reply in replies)
