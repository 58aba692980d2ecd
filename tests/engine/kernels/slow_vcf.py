"""Victory by continuous fours as its definition has it, without speed."""

from __future__ import annotations

from functools import cache
from itertools import product

from extremum.engine.games.game import Color, Position
from extremum.engine.games.gomoku import Gomoku


def shortest_vcf(position: Position, known: dict[tuple[int, int], int] | None = None) -> int:
    """The plies of the shortest win by fours of the side to move; 0 when there is none."""
    known = {} if known is None else known
    key = position.black, position.white
    if key not in known:
        known[key] = _shortest(position, known)
    return known[key]


def five_points(position: Position, color: Color) -> set[int]:
    """The empty points where a color completes a row."""
    game = position.game
    assert isinstance(game, Gomoku)
    exactly = game.rule == "standard" or (game.rule == "renju" and color is Color.BLACK)
    stones, others = (position.white, position.black) if color else (position.black, position.white)
    found = set()
    for window, ends in _windows(game.size, game.in_a_row):
        missing = window & ~stones
        if missing.bit_count() == 1 and not missing & others and not (exactly and ends & stones):
            found.add(missing.bit_length() - 1)
    return found


def _shortest(position: Position, known: dict[tuple[int, int], int]) -> int:
    if position.outcome() is not None:
        return 0
    attacker = position.side_to_move
    if five_points(position, attacker):
        return 1
    lengths = [_length_of_four(position.play(move), attacker, known) for move in position.legal_moves()]
    return min((length for length in lengths if length), default=0)


def _length_of_four(position: Position, attacker: Color, known: dict[tuple[int, int], int]) -> int:
    """The plies of the win from before this move of the attacker on; 0 when it is no four, or does not win."""
    fives = five_points(position, attacker)
    if not fives or position.outcome() is not None or five_points(position, attacker.opponent):
        return 0
    legal = position.legal_moves()
    lengths = [shortest_vcf(position.play(reply), known) for reply in fives if reply in legal]
    return 0 if 0 in lengths else 2 + max(lengths, default=1)


@cache
def _windows(size: int, in_a_row: int) -> list[tuple[int, int]]:
    """The points of each possible row, and the points next to its ends."""
    found = []
    for row, column, (down, right) in product(range(size), range(size), ((0, 1), (1, 0), (1, 1), (1, -1))):
        line = [(row + down * step, column + right * step) for step in range(-1, in_a_row + 1)]
        bits = [1 << r * size + c if 0 <= r < size and 0 <= c < size else 0 for r, c in line]
        if all(bits[1:-1]):
            found.append((sum(bits[1:-1]), bits[0] | bits[-1]))
    return found
