"""A register of numbers of 32 bits: what the products and the transforms of convolutions are built from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils

# Processors that compute sixteen numbers in the time of eight. Not all that have registers for them do, and where they
# do not, a batch that fills no sixteen lanes only takes longer.
_WIDE = ("znver5",)
_IS_WIDE = binding.get_host_cpu_name() in _WIDE and binding.get_host_cpu_features().get("avx512bw", False)
LANES = 16 if _IS_WIDE else 8
INDEX = ir.IntType(64)
FLOAT_ARRAY = types.float32[::1]

_FLOAT = ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, LANES)
_PLACE = ir.IntType(32)
_HAS_FMA = binding.get_host_cpu_features().get("fma", True)  # an x86 of before 2013 has none


@dataclass(frozen=True, slots=True)
class Vector:
    """The numbers of a register, with Python's operators; factors are known at compile time."""

    builder: Any
    value: Any

    @classmethod
    def constant(cls, builder: Any, number: float) -> Vector:
        """A number in all lanes."""
        return cls(builder, ir.Constant(_VECTOR, [number] * LANES))

    @classmethod
    def spread(cls, builder: Any, number: Any) -> Vector:
        """A number known at run time in all lanes."""
        undefined = ir.Constant(ir.VectorType(number.type, LANES), ir.Undefined)
        single = builder.insert_element(undefined, number, ir.Constant(_PLACE, 0))
        everywhere = ir.Constant(ir.VectorType(_PLACE, LANES), [0] * LANES)
        return cls(builder, builder.shuffle_vector(single, undefined, everywhere))

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.builder, self.builder.fadd(self.value, other.value))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.builder, self.builder.fsub(self.value, other.value))

    def at_least(self, other: Vector) -> Vector:
        """The greater one, lane by lane."""
        is_greater = self.builder.fcmp_ordered(">", self.value, other.value)
        return Vector(self.builder, self.builder.select(is_greater, self.value, other.value))

    def plus(self, factor: Vector, other: Vector) -> Vector:
        """Add the product of two others, in one instruction."""
        if not _HAS_FMA:
            return Vector(self.builder, self.builder.fmul(factor.value, other.value)) + self
        kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        declare: Any = cgutils.get_or_insert_function
        function = declare(self.builder.module, kind, f"llvm.fma.v{LANES}f32")
        return Vector(self.builder, self.builder.call(function, [factor.value, other.value, self.value]))

    def plus_times(self, factor: float, other: Vector) -> Vector:
        """Add a multiple of another."""
        return self.plus(Vector.constant(self.builder, factor), other)


@dataclass(frozen=True, slots=True)
class Memory:
    """An array's numbers."""

    builder: Any
    pointer: Any

    def number(self, at: Any) -> Any:
        """One of them."""
        return self.builder.load(self.builder.gep(self.pointer, [at]))

    def load(self, at: Any) -> Vector:
        """As many numbers as a register has, side by side."""
        return Vector(self.builder, self.builder.load(self._place(at), align=4))

    def store(self, at: Any, vector: Vector) -> None:
        """Write a register."""
        self.builder.store(vector.value, self._place(at), align=4)

    def _place(self, at: Any) -> Any:
        kind = ir.VectorType(self.pointer.type.pointee, LANES)
        return self.builder.bitcast(self.builder.gep(self.pointer, [at]), kind.as_pointer())


def unpacked(context: Any, builder: Any, signature: Any, values: Any) -> list[Any]:
    """An instruction's arguments, arrays as their memory."""
    return [
        Memory(builder, context.make_array(kind)(context, builder, value).data)
        if isinstance(kind, types.Array)
        else value
        for kind, value in zip(signature.args, values, strict=True)
    ]


def offset(builder: Any, at: Any, steps: int, step: Any) -> Any:
    """A place so many steps further."""
    step = step if isinstance(step, ir.Value) else ir.Constant(INDEX, step)
    return builder.add(at, builder.mul(ir.Constant(INDEX, steps), step))


def repeat(
    builder: Any,
    num: Any,
    starts: Sequence[Any],
    steps: Sequence[Any],
    firsts: Sequence[Vector],
    turn: Callable[..., list[Vector]],
) -> list[Vector]:
    """What becomes of vectors in so many turns, at least one; a turn has them, and places that go on by steps."""
    before, loop, after = builder.block, builder.append_basic_block("turn"), builder.append_basic_block("done")
    builder.branch(loop)
    builder.position_at_end(loop)
    places = [builder.phi(INDEX) for _ in range(1 + len(starts))]
    vectors = [Vector(builder, builder.phi(first.value.type)) for first in firsts]
    new = turn(*places[1:], vectors)
    one = ir.Constant(INDEX, 1)
    further = [builder.add(place, step) for place, step in zip(places, (one, *steps), strict=True)]
    builder.cbranch(builder.icmp_signed("<", further[0], num), loop, after)
    begins = [ir.Constant(INDEX, 0), *starts, *(first.value for first in firsts)]
    ends = [*further, *(each.value for each in new)]
    for variable, begin, end in zip([*places, *(each.value for each in vectors)], begins, ends, strict=True):
        variable.add_incoming(begin, before)
        variable.add_incoming(end, loop)
    builder.position_at_end(after)
    return new
