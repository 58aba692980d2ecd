"""The eight symmetries of the square, as permutations of moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from .game import Bits, Game, Move, Position, points

Symmetry: TypeAlias = int  # 0..7: bit 0 mirrors left and right, then bit 1 top and bottom, then bit 2 at the diagonal

SYMMETRIES: Sequence[Symmetry] = range(8)
IDENTITY: Symmetry = 0


@cache
def permutation(size: int, symmetry: Symmetry) -> tuple[Move, ...]:
    """Where each point goes."""
    return tuple(_moved(size, symmetry, *divmod(point, size)) for point in range(size * size))


def inverse(symmetry: Symmetry) -> Symmetry:
    """The symmetry that undoes this one."""
    return {5: 6, 6: 5}.get(symmetry, symmetry)  # the two quarter turns; the others undo themselves


def transform_move(game: Game, move: Move, symmetry: Symmetry) -> Move:
    """Where a move goes; a pass stays a pass."""
    return move if move == game.pass_move else permutation(game.size, symmetry)[move]


def transform_bits(size: int, stones: Bits, symmetry: Symmetry) -> Bits:
    """Where a set of points goes."""
    goal = permutation(size, symmetry)
    return sum(1 << goal[point] for point in points(stones))


def transform_position(position: Position, symmetry: Symmetry) -> Position:
    """The position as seen through the symmetry, without its history."""
    game = position.game
    black = transform_bits(game.size, position.black, symmetry)
    white = transform_bits(game.size, position.white, symmetry)
    return game.setup(black, white, position.side_to_move)


def _moved(size: int, symmetry: Symmetry, row: int, column: int) -> Move:
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return row * size + column
