"""Machine instructions on sets of squares: a set is a uint64, a count or an index an int64.

numba turns arithmetic between int64 and uint64 into float64: kernels keep the two apart and cross with these functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def instruction(definition: Callable[..., Any]) -> Any:
    """Make kernels able to call what this definition builds."""
    return intrinsic(definition)


@instruction
def popcount(typing_context: Any, squares: Any) -> Any:
    """The number of squares in a set."""
    return types.int64(types.uint64), lambda context, builder, signature, values: builder.ctpop(values[0])


@instruction
def first(typing_context: Any, squares: Any) -> Any:
    """The lowest square of a set, which must not be empty."""
    return types.int64(types.uint64), lambda context, builder, signature, values: builder.cttz(values[0], _true())


@instruction
def last(typing_context: Any, squares: Any) -> Any:
    """The highest square of a set, which must not be empty."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.xor(builder.ctlz(values[0], _true()), ir.Constant(ir.IntType(64), 63))

    return types.int64(types.uint64), build


@instruction
def signed(typing_context: Any, word: Any) -> Any:
    """The same 64 bits as an int64."""
    return types.int64(types.uint64), lambda context, builder, signature, values: values[0]


@instruction
def square_bit(typing_context: Any, square: Any) -> Any:
    """The set of this one square, 0..63."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.shl(ir.Constant(ir.IntType(64), 1), values[0])

    return types.uint64(types.int64), build


def _true() -> ir.Constant:
    return ir.Constant(ir.IntType(1), 1)  # zero is poison: the caller promises a set that is not empty
