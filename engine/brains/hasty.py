"""A move at once, in plain Python: for a clock that runs out before a brain is loaded."""

from __future__ import annotations

from ..games.game import Color, Move, Position
from ..games.lines import axes

OWN = (1, 12, 150, 4_000, 10_000_000)  # a window that only we have stones in, by how many
THEIRS = (1, 10, 120, 3_000, 1_000_000)
CORNER, BESIDE_CORNER = 20, 8  # replies that a corner is worth, and that its neighbor costs


def hasty_move(position: Position) -> Move:
    """The move that looks best one ply deep; of the misère, the one that looks worst."""
    moves = position.legal_moves()
    worth = _othello(position, moves) if position.game.name == "othello" else _gomoku(position, moves)
    return max(moves, key=lambda move: position.game.objective * worth[move])


def _othello(position: Position, moves: list[Move]) -> dict[Move, float]:
    """Few replies are good, corners are better, the points beside them are bad."""
    size = position.game.size
    return {move: _place(move, size) - len(position.play(move).legal_moves()) for move in moves}


def _place(move: Move, size: int) -> int:
    row, column = divmod(move, size)
    near, far = sorted(min(place, size - 1 - place) for place in (row, column))
    return CORNER if far == 0 else -BESIDE_CORNER if (near, far) in ((0, 1), (1, 1)) else 0


def _gomoku(position: Position, moves: list[Move]) -> dict[Move, float]:
    """Whoever has many stones in a window wants its other points; on an empty board that is the center."""
    own, other = position.black, position.white
    if position.side_to_move is Color.WHITE:
        own, other = other, own
    size, worth = position.game.size, dict.fromkeys(moves, 0.0)
    for move in moves:
        row, column = divmod(move, size)
        worth[move] = _worth(own, other, move, size) - 0.01 * max(abs(2 * row - size), abs(2 * column - size))
    return worth


def _worth(own: int, other: int, move: Move, size: int) -> float:
    """Every window of five through a point, by the stones of the one side that has any in it."""
    total = 0
    for forward, backward in axes(size, move):
        line = [*reversed(backward[:4]), 1 << move, *forward[:4]]
        for first in range(len(line) - 4):
            window = sum(line[first : first + 5])
            mine, yours = (window & own).bit_count(), (window & other).bit_count()
            total += OWN[mine] if not yours else THEIRS[yours] if not mine else 0
    return float(total)
