"""Matrix products of positions side by side: each has a number in one of the lanes of a vector.

Eight sums stay in registers: of four rows of a matrix with two vectors of values, or of eight rows with one; sixteen
where there are 32 registers, of eight rows with two. Weights are laid out for all: four rows' numbers of the first
column, of the second one, and so on; then the next four rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types

from .bits import instruction
from .jit import lean_kernel
from .vectors import FLOAT_ARRAY, INDEX, LANES, Memory, Vector, offset, repeat, unpacked

ROWS = 4  # that lie together
PADDED = 2 * ROWS  # matrices have a multiple of so many rows
_HAS_32_REGISTERS = binding.get_host_cpu_features().get("avx512vl", False)
ROWS_OF_TWO = PADDED if _HAS_32_REGISTERS else ROWS  # that are multiplied with two vectors at a time

_AT = types.int64
_KIND = types.void(FLOAT_ARRAY, _AT, FLOAT_ARRAY, _AT, _AT, _AT, FLOAT_ARRAY, _AT, _AT, _AT, _AT)
_BIASED = types.void(*_KIND.args, FLOAT_ARRAY, _AT)


def _defined(groups: int, columns: int, *, active: bool = False) -> Any:
    """Multiply groups of four rows of `n` weights with vectors at each of `n` places, `v_next` apart; write likewise.

    Of active values what is positive is taken.
    """

    def define(
        _: Any, w: Any, w_at: Any, v: Any, v_at: Any, v_step: Any, v_next: Any, r: Any, r_at: Any, r_step: Any,
        r_next: Any, n: Any,
    ) -> Any:  # fmt: skip
        return _KIND, _product(groups, columns, active=active)

    return instruction(define)


def _defined_biased(groups: int, columns: int, *, active: bool = False) -> Any:
    """The same, with sums that begin with biases."""

    def define(
        _: Any, w: Any, w_at: Any, v: Any, v_at: Any, v_step: Any, v_next: Any, r: Any, r_at: Any, r_step: Any,
        r_next: Any, n: Any, b: Any, b_at: Any,
    ) -> Any:  # fmt: skip
        return _BIASED, _product(groups, columns, active=active)

    return instruction(define)


def _product(groups: int, columns: int, *, active: bool = False) -> Callable[..., Any]:
    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        weights, w_at, values, v_at, v_step, v_next, results, r_at, r_step, r_next, num, *bias = unpacked(
            context, builder, signature, given
        )
        below = builder.mul(num, ir.Constant(INDEX, ROWS))  # from a group of rows to the next
        nothing = Vector.constant(builder, 0.0)

        def turn(w_now: Any, v_now: Any, sums: list[Vector]) -> list[Vector]:
            vectors = [values.load(offset(builder, v_now, column, v_next)) for column in range(columns)]
            vectors = [vector.at_least(nothing) for vector in vectors] if active else vectors
            places = [offset(builder, w_now, group, below) for group in range(groups)]
            rows = [_factor(weights, place, row) for place in places for row in range(ROWS)]
            products = [(factor, vector) for factor in rows for vector in vectors]
            return [each.plus(*pair) for each, pair in zip(sums, products, strict=True)]

        rows = range(groups * ROWS)
        firsts = [_factor(bias[0], bias[1], row) if bias else nothing for row in rows for _ in range(columns)]
        sums = repeat(builder, num, (w_at, v_at), (ir.Constant(INDEX, ROWS), v_step), firsts, turn)
        for index, each in enumerate(sums):
            row = offset(builder, r_at, index // columns, r_step)
            results.store(offset(builder, row, index % columns, r_next), each)
        return context.get_dummy_value()

    return build


def _factor(weights: Memory, at: Any, row: int) -> Vector:
    return Vector.spread(weights.builder, weights.number(offset(weights.builder, at, row, 1)))


multiply_two, multiply_one = _defined(ROWS_OF_TWO // ROWS, 2), _defined(2, 1)
_connect = _defined_biased(2, 1)
combine_two, combine_one = _defined_biased(1, 2, active=True), _defined_biased(1, 1, active=True)
_connect_active = _defined_biased(2, 1, active=True)


@lean_kernel("void(float32[::1], float32[::1], float32[::1], boolean, float32[::1], int64, int64, int64, int64)")
def connect(
    weights: np.ndarray,
    biases: np.ndarray,
    vectors: np.ndarray,
    active: bool,
    results: np.ndarray,
    blocks: int,
    inputs: int,
    width: int,
    rows: int,
) -> None:
    """A fully connected layer: [blocks, width, LANES], of which the inputs come first, to [blocks, rows, LANES]."""
    for block in range(blocks):
        v, r = block * width * LANES, block * rows * LANES
        for row in range(0, rows, PADDED):
            w, at = row * inputs, r + row * LANES
            if active:
                _connect_active(weights, w, vectors, v, LANES, 0, results, at, LANES, 0, inputs, biases, row)
            else:
                _connect(weights, w, vectors, v, LANES, 0, results, at, LANES, 0, inputs, biases, row)


def packed(matrix: np.ndarray) -> np.ndarray:
    """Weights [rows, inputs] as the products take them, filled up with zeros."""
    rows, inputs = matrix.shape
    filled = np.zeros((-(-rows // PADDED) * PADDED, inputs), matrix.dtype)
    filled[:rows] = matrix
    return filled.reshape(-1, ROWS, inputs).transpose(0, 2, 1).ravel()
