"""Matrix products in sixteen bits: each lane of a vector has a pair of numbers, two channels of a position.

One instruction multiplies a register of pairs by a pair of weights and adds up the two products of each, twice as many
as there are in single precision. The sums have 32 bits; who scales numbers and weights sees to it that they suffice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils

from .bits import instruction
from .products import ROWS, ROWS_OF_TWO
from .vectors import FLOAT_ARRAY, INDEX, LANES, Memory, Vector, offset, repeat, unpacked

WORD_ARRAY = types.int32[::1]
HAS_PAIRS = bool(binding.get_host_cpu_features().get("avx2", False))  # without it, single precision is as quick

_HALF, _WORD = ir.IntType(16), ir.IntType(32)
_WORDS = ir.VectorType(_WORD, LANES)
_HALVES = ir.VectorType(_HALF, 2 * LANES)
_MULTIPLY_ADD = {8: "llvm.x86.avx2.pmadd.wd", 16: "llvm.x86.avx512.pmaddw.d.512"}
_ROUNDING = 1.5 * 2**23  # a number added to this stands, rounded, in the last bits of the sum
_AT = types.int64
_KIND = types.void(
    WORD_ARRAY, _AT, WORD_ARRAY, _AT, _AT, _AT, FLOAT_ARRAY, _AT, _AT, _AT, _AT, FLOAT_ARRAY, _AT
)  # fmt: skip


def paired(firsts: Vector, seconds: Vector, scales: Vector) -> Vector:
    """Two numbers of each lane, scaled and rounded to sixteen bits, the first one in the lower half."""
    builder = firsts.builder
    rounding = Vector.constant(builder, _ROUNDING)
    low, high = (builder.bitcast(rounding.plus(scales, each).value, _WORDS) for each in (firsts, seconds))
    raised = builder.shl(high, ir.Constant(_WORDS, [16] * LANES))
    halves = [builder.bitcast(each, _HALVES) for each in (low, raised)]
    chosen = [index if index % 2 == 0 else 2 * LANES + index for index in range(2 * LANES)]
    mixed = builder.shuffle_vector(*halves, ir.Constant(ir.VectorType(_WORD, 2 * LANES), chosen))
    return Vector(builder, builder.bitcast(mixed, _WORDS))


def _plus_products(sums: Vector, factors: Vector, values: Vector) -> Vector:
    builder = sums.builder
    halves = [builder.bitcast(each.value, _HALVES) for each in (factors, values)]
    return Vector(builder, builder.add(sums.value, _products(builder, *halves)))


def _products(builder: Any, factors: Any, values: Any) -> Any:
    """Each lane's two products, added up."""
    if HAS_PAIRS:
        kind = ir.FunctionType(_WORDS, [_HALVES] * 2)
        declare: Any = cgutils.get_or_insert_function
        return builder.call(declare(builder.module, kind, _MULTIPLY_ADD[LANES]), [factors, values])
    parts = [_part(builder, each, half) for half in range(2) for each in (factors, values)]
    return builder.add(builder.mul(parts[0], parts[1]), builder.mul(parts[2], parts[3]))


def _part(builder: Any, halves: Any, half: int) -> Any:
    """The lower or the upper half of each lane in 32 bits."""
    chosen = ir.Constant(_WORDS, [2 * lane + half for lane in range(LANES)])
    return builder.sext(builder.shuffle_vector(halves, halves, chosen), _WORDS)


def _defined(groups: int, columns: int) -> Any:
    """Multiply as `products` does; each row's sums are written times a factor of its own."""

    def define(
        _: Any, w: Any, w_at: Any, v: Any, v_at: Any, v_step: Any, v_next: Any, r: Any, r_at: Any, r_step: Any,
        r_next: Any, n: Any, f: Any, f_at: Any,
    ) -> Any:  # fmt: skip
        return _KIND, _product(groups, columns)

    return instruction(define)


def _product(groups: int, columns: int) -> Callable[..., Any]:
    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        weights, w_at, values, v_at, v_step, v_next, results, r_at, r_step, r_next, num, factors, f_at = unpacked(
            context, builder, signature, given
        )
        below = builder.mul(num, ir.Constant(INDEX, ROWS))  # from a group of rows to the next
        rows = range(groups * ROWS)

        def turn(w_now: Any, v_now: Any, sums: list[Vector]) -> list[Vector]:
            vectors = [values.load(offset(builder, v_now, column, v_next)) for column in range(columns)]
            places = [offset(builder, w_now, group, below) for group in range(groups)]
            spread = [_spread(weights, place, row) for place in places for row in range(ROWS)]
            products = [(factor, vector) for factor in spread for vector in vectors]
            return [_plus_products(each, *pair) for each, pair in zip(sums, products, strict=True)]

        nothing = [Vector(builder, ir.Constant(_WORDS, [0] * LANES)) for _ in rows for _ in range(columns)]
        sums = repeat(builder, num, (w_at, v_at), (ir.Constant(INDEX, ROWS), v_step), nothing, turn)
        for index, each in enumerate(sums):
            row = index // columns
            place = offset(builder, offset(builder, r_at, row, r_step), index % columns, r_next)
            results.store(place, _scaled(each, _spread(factors, f_at, row)))
        return context.get_dummy_value()

    return build


def _spread(numbers: Memory, at: Any, row: int) -> Vector:
    return Vector.spread(numbers.builder, numbers.number(offset(numbers.builder, at, row, 1)))


def _scaled(words: Vector, factor: Vector) -> Vector:
    """Whole numbers times a factor."""
    builder = words.builder
    return Vector(builder, builder.fmul(builder.sitofp(words.value, factor.value.type), factor.value))


multiply_pairs_two, multiply_pairs_one = _defined(ROWS_OF_TWO // ROWS, 2), _defined(2, 1)


def paired_weights(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights [..., rows, inputs] as pairs [..., rows, inputs / 2], and the factor that makes up for a row's scale.

    No sum goes beyond 32 bits, whatever numbers of sixteen bits they are multiplied by.
    """
    most = np.maximum(
        np.abs(matrices).sum(-1) / (2**16 - 1 - matrices.shape[-1]), np.abs(matrices).max(-1) / (2**15 - 1)
    )
    factors = np.where(most > 0, most, 1.0)
    whole = np.rint(matrices / factors[..., None]).astype(np.int32)
    pairs = (whole[..., 0::2] & 0xFFFF) | (whole[..., 1::2] << 16)
    return pairs, factors.astype(np.float32)
