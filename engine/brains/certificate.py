"""The mirror's certificate in misère Gomoku: whoever answers every move with its reflection never completes a row.

On an even board a row that the mirror's stone completes is the reflection of a row that the opponent completed one ply
before; there is no point that is its own reflection.
"""

from __future__ import annotations

from ..games.game import Bits, Color, Move, Position


def mirror_reply(position: Position) -> Move | None:
    """The reflection of the last move while the mirror's stones are still the reflection of the opponent's."""
    game, last = position.game, position.last_move
    if game.name != "gomoku" or game.rule == "renju" or game.size % 2 or last is None:
        return None
    own, other = position.white, position.black
    if position.side_to_move is Color.BLACK:
        own, other = other, own
    is_mirror = other >> last & 1 and _reflected(own, game.num_moves) == other ^ 1 << last
    return game.num_moves - 1 - last if is_mirror else None


def _reflected(stones: Bits, num_points: int) -> Bits:
    return int(f"{stones:0{num_points}b}"[::-1], 2)
