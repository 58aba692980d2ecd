"""Four directions at a time: Othello's two inner formulas on vectors of four uint64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir
from numba import types

from .bits import instruction

_WORD = ir.IntType(64)
_FOUR = ir.VectorType(_WORD, 4)
_ALL = 0xFFFFFFFFFFFFFFFF
_INNER = 0x7E7E7E7E7E7E7E7E  # a disc on the left or right edge is never flipped along a row or a diagonal
_STEPS = (1, 7, 8, 9)  # bits between neighbors: along a row, an antidiagonal, a column, a diagonal


@instruction
def reached(typing_context: Any, own: Any, opp: Any) -> Any:
    """The squares at the far ends of lines of opponent's discs that begin at one of our own."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        discs, other = (Lanes.filled(builder, (value,) * 4) for value in values)
        other &= Lanes.constant(builder, (_INNER, _INNER, _ALL, _INNER))
        step = _steps(builder, 1)
        up, down = other & (discs << step), other & (discs >> step)
        up, down = up | (other & (up << step)), down | (other & (down >> step))
        pairs = other & (other << step)
        for _ in range(2):
            up |= pairs & (up << _steps(builder, 2))
            down |= (pairs >> step) & (down >> _steps(builder, 2))
        return ((up << step) | (down >> step)).joined()

    return types.uint64(types.uint64, types.uint64), build


@instruction
def turned(typing_context: Any, own: Any, opp: Any, rays: Any) -> Any:
    """The discs enclosed along the eight rays of a square: four to higher squares, the opposite four to lower ones."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        discs, other = (Lanes.filled(builder, (value,) * 4) for value in values[:2])
        squares = [builder.extract_value(values[2], index) for index in range(8)]
        higher, lower = Lanes.filled(builder, squares[:4]), Lanes.filled(builder, squares[4:])
        one, zero = Lanes.constant(builder, (1,) * 4), Lanes.constant(builder, (0,) * 4)
        # Upwards a carry runs through the opponent's discs to the first square that is none of them.
        end = ((other | ~higher) + one) & discs & higher
        above = (end - end.any()) & higher
        # Downwards that square is the one above which no other lies.
        shade = lower & ~other
        for factor in (1, 2, 4):
            shade |= shade >> _steps(builder, factor)
        end = discs & lower & shade & ~(shade >> _steps(builder, 1))
        below = (zero - end - end) & lower
        return (above | below).joined()

    return types.uint64(types.uint64, types.uint64, rays), build


@dataclass(frozen=True, slots=True)
class Lanes:
    """Four uint64 in a register, with Python's operators."""

    builder: Any
    value: Any

    @classmethod
    def constant(cls, builder: Any, values: tuple[int, ...]) -> Lanes:
        """Four numbers known at compile time."""
        return cls(builder, ir.Constant(_FOUR, [ir.Constant(_WORD, value) for value in values]))

    @classmethod
    def filled(cls, builder: Any, values: Any) -> Lanes:
        """Four scalars side by side."""
        vector = ir.Constant(_FOUR, ir.Undefined)
        for index, value in enumerate(values):
            vector = builder.insert_element(vector, value, _index(index))
        return cls(builder, vector)

    def any(self) -> Lanes:
        """1 in every lane that is not zero."""
        zero = Lanes.constant(self.builder, (0,) * 4)
        return Lanes(self.builder, self.builder.zext(self.builder.icmp_unsigned("!=", self.value, zero.value), _FOUR))

    def joined(self) -> Any:
        """The union of the four lanes, a scalar."""
        first, second, third, fourth = (self.builder.extract_element(self.value, _index(index)) for index in range(4))
        return self.builder.or_(self.builder.or_(first, second), self.builder.or_(third, fourth))

    def __and__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.and_(self.value, other.value))

    def __or__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.or_(self.value, other.value))

    def __invert__(self) -> Lanes:
        return Lanes(self.builder, self.builder.not_(self.value))

    def __add__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.add(self.value, other.value))

    def __sub__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.sub(self.value, other.value))

    def __lshift__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.shl(self.value, other.value))

    def __rshift__(self, other: Lanes) -> Lanes:
        return Lanes(self.builder, self.builder.lshr(self.value, other.value))


def _steps(builder: Any, factor: int) -> Lanes:
    return Lanes.constant(builder, tuple(factor * step for step in _STEPS))


def _index(index: int) -> Any:
    return ir.Constant(ir.IntType(32), index)
