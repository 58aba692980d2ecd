"""Renju: the points forbidden to black."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from .game import Bits, Move, points
from .lines import Ray, axes

REACH = 5  # points on either side that decide what a stone makes in a line
NEAR = 4  # how far the stones of a three or a four can be from each other


class Shape(NamedTuple):
    """What a black stone makes in one line."""

    length: int  # of the unbroken row through it
    fours: int  # 0, 1 or 2
    extensions: tuple[int, ...]  # offsets where one more stone would make a straight four


def forbidden(black: Bits, white: Bits, size: int, move: Move) -> str | None:
    """Why black may not play on this empty point: `overline`, `double-four` or `double-three`; None when black may."""
    verdict = _judge(black, white, size, move)
    return None if verdict == "five" else verdict


def forbidden_points(black: Bits, white: Bits, size: int) -> Bits:
    """All empty points where black may not play."""
    empty = ((1 << size * size) - 1) ^ black ^ white
    crowded = points(empty & _crowded(black, size))
    return sum(1 << move for move in crowded if forbidden(black, white, size, move) is not None)


def has_allowed_point(black: Bits, white: Bits, size: int) -> bool:
    """True when there is an empty point where black may play; most often the first one looked at is."""
    empty = ((1 << size * size) - 1) ^ black ^ white
    while empty:
        move = empty.bit_length() - 1
        if forbidden(black, white, size, move) is None:
            return True
        empty ^= 1 << move
    return False


def _crowded(black: Bits, size: int) -> Bits:
    """The points with two stones near on two lines, or four on one, and some more: lines go on over the edge here."""
    two_somewhere = crowded = 0
    for step in (1, size - 1, size, size + 1):
        one = two = three = four = 0
        for distance in range(step, NEAR * step + 1, step):
            for stones in (black << distance, black >> distance):
                four |= three & stones
                three |= two & stones
                two |= one & stones
                one |= stones
        crowded |= two_somewhere & two | four
        two_somewhere |= two
    return crowded


def _judge(black: Bits, white: Bits, size: int, move: Move) -> str | None:
    """The first of `five`, `overline`, `double-four` and `double-three` that black makes here."""
    shapes = _shapes(black, white, size, move)
    lengths = [shape.length for shape in shapes]
    if 5 in lengths:
        return "five"
    if any(length > 5 for length in lengths):
        return "overline"
    if sum(shape.fours for shape in shapes) > 1:
        return "double-four"
    if sum(bool(shape.extensions) for shape in shapes) < 2:
        return None
    black |= 1 << move
    lines = zip(axes(size, move), shapes, strict=True)
    threes = sum(_is_three(black, white, size, axis, shape.extensions) for axis, shape in lines)
    return "double-three" if threes > 1 else None


def _is_three(black: Bits, white: Bits, size: int, axis: tuple[Ray, Ray], extensions: tuple[int, ...]) -> bool:
    """True when black may make a straight four at one of these offsets, and makes no five by it."""
    forward, backward = axis
    ends = (forward[offset - 1] if offset > 0 else backward[-offset - 1] for offset in extensions)
    return any(_judge(black, white, size, end.bit_length() - 1) is None for end in ends)


def _shapes(black: Bits, white: Bits, size: int, move: Move) -> list[Shape]:
    """What a stone here makes on each axis, or nothing at all when too few stones are near to forbid the point."""
    counts = [(black & near).bit_count() for near in _near(size, move)]
    if max(counts) < 4 and sum(count > 1 for count in counts) < 2:
        return []
    lines = zip(axes(size, move), counts, strict=True)
    return [_line_shape(black, white, axis) if count > 1 else NOTHING for axis, count in lines]


@cache
def _near(size: int, move: Move) -> tuple[Bits, ...]:
    return tuple(sum(forward[:NEAR] + backward[:NEAR]) for forward, backward in axes(size, move))


def _line_shape(black: Bits, white: Bits, axis: tuple[Ray, Ray]) -> Shape:
    forward, backward = axis
    line = [_cell(black, white, bit) for bit in reversed(backward[:REACH])]
    line = ["#"] * (REACH - len(line)) + line + ["X"]
    line += [_cell(black, white, bit) for bit in forward[:REACH]]
    return _shape("".join(line).ljust(2 * REACH + 1, "#"))


def _cell(black: Bits, white: Bits, bit: Bits) -> str:
    if black & bit:
        return "X"
    return "#" if white & bit else "."


@cache
def _shape(line: str) -> Shape:
    """What the stone in the middle of eleven points makes: `X` black, `.` empty, `#` white or off the board."""
    fives = _fives(line)
    fours = 1 if _is_straight(fives) else len(fives)
    empty = [offset for offset in range(-NEAR, NEAR + 1) if line[REACH + offset] == "."]
    extensions = (offset for offset in empty if _is_straight(_fives(_with_stone(line, offset))))
    return Shape(_length(line), fours, () if fours else tuple(extensions))  # a four is not a three as well


def _length(line: str) -> int:
    left, right = line[:REACH], line[REACH:]
    return len(left) - len(left.rstrip("X")) + len(right) - len(right.lstrip("X"))


def _fives(line: str) -> list[int]:
    """The offsets of the empty points that complete five, and no more, with the stone in the middle."""
    offsets = range(-NEAR, NEAR + 1)
    return [offset for offset in offsets if line[REACH + offset] == "." and _length(_with_stone(line, offset)) == 5]


def _with_stone(line: str, offset: int) -> str:
    return line[: REACH + offset] + "X" + line[REACH + offset + 1 :]


def _is_straight(fives: list[int]) -> bool:
    """True when the four between these points is unbroken: either of them completes it."""
    return len(fives) == 2 and fives[1] - fives[0] == 5


NOTHING = Shape(length=1, fours=0, extensions=())
