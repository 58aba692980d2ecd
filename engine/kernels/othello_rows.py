"""Rows of 64 small numbers, which a processor adds up a vector at a time; compilers are not always brave enough."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils

from .bits import instruction

NUM_LANES = 64

cgutils: Any = _cgutils  # it carries no types

_WORD = ir.IntType(64)
_PART = ir.VectorType(ir.IntType(16), 16)
_PARTS = range(0, NUM_LANES, 16)


@instruction
def add_rows(typing_context: Any, row: Any, table: Any, places: Any) -> Any:
    """Add the rows of a table at a set of places to a row, all of uint16, the sums modulo 2**16."""

    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        target, rows = (_data(context, builder, kind, value) for kind, value in zip((row, table), values, strict=False))
        left = cgutils.alloca_once_value(builder, values[2])
        sums = [cgutils.alloca_once_value(builder, builder.load(_part(builder, target, at), align=2)) for at in _PARTS]
        loop, done = builder.append_basic_block("loop"), builder.append_basic_block("done")
        builder.cbranch(builder.icmp_unsigned("!=", values[2], _number(0)), loop, done)
        builder.position_at_end(loop)
        _add_one(builder, rows, left, sums)
        builder.cbranch(builder.icmp_unsigned("!=", builder.load(left), _number(0)), loop, done)
        builder.position_at_end(done)
        for at, total in zip(_PARTS, sums, strict=True):
            builder.store(builder.load(total), _part(builder, target, at), align=2)
        return context.get_dummy_value()

    return types.void(row, table, types.uint64), build


def _add_one(builder: Any, rows: Any, left: Any, sums: list[Any]) -> None:
    """Add the row at the lowest place that is left, and take it away."""
    places = builder.load(left)
    start = builder.mul(builder.cttz(places, ir.Constant(ir.IntType(1), 1)), _number(NUM_LANES))
    builder.store(builder.and_(places, builder.sub(places, _number(1))), left)
    for at, total in zip(_PARTS, sums, strict=True):
        other = builder.load(_part(builder, builder.gep(rows, [start]), at), align=2)
        builder.store(builder.add(builder.load(total), other), total)


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, value).data


def _part(builder: Any, pointer: Any, at: int) -> Any:
    return builder.bitcast(builder.gep(pointer, [_number(at)]), _PART.as_pointer())


def _number(value: int) -> Any:
    return ir.Constant(_WORD, value)
