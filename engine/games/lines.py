"""The lines through a point, as sets of one point each."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import TypeAlias

from .game import Bits, Move

Ray: TypeAlias = tuple[Bits, ...]  # from the point's neighbor to the edge

AXES = ((0, 1), (1, 0), (1, 1), (1, -1))  # row, column, diagonal, antidiagonal


@cache
def axes(size: int, move: Move) -> tuple[tuple[Ray, Ray], ...]:
    """The two opposite rays of each of the four lines through a point."""
    return tuple((_ray(size, move, down, right), _ray(size, move, -down, -right)) for down, right in AXES)


@cache
def rays(size: int, move: Move) -> tuple[Ray, ...]:
    """The rays from a point that are not empty."""
    return tuple(ray for axis in axes(size, move) for ray in axis if ray)


def _ray(size: int, move: Move, down: int, right: int) -> Ray:
    row, column = divmod(move, size)
    bits: list[Bits] = []
    for distance in count(1):
        r, c = row + distance * down, column + distance * right
        if not (0 <= r < size and 0 <= c < size):
            break
        bits.append(1 << (r * size + c))
    return tuple(bits)
