"""Convolutions of 3x3 by Winograd's minimal filtering, the products in sixteen bits.

Maps are as in `winograd`, and what is positive is meant. A position's numbers are scaled by its largest point, so that
none goes beyond sixteen bits; therefore what is said of a position does not depend on those beside it.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from .bits import instruction
from .jit import lean_kernel
from .pairs import WORD_ARRAY, multiply_pairs_one, multiply_pairs_two, paired, paired_weights
from .products import PADDED, ROWS_OF_TWO
from .vectors import FLOAT_ARRAY, INDEX, LANES, Vector, offset, repeat, unpacked
from .winograd import (
    GROUP,
    LARGEST,
    NUMBERS,
    SUMS_STEP,
    TILE,
    clear_beyond,
    numbers_of,
    numbers_of_weights,
    packed_groups,
    put_line,
    side_of,
)

ABREAST = 4  # points at which one looks at a time: an even number of planes, whose sides are even, has them
_AT = types.int64
_LEVELS = np.float32((2**15 - 1) // LARGEST)  # that the largest point is counted in
_LEAST = np.float32(1e-20)  # that counts as the largest point: nothing is divided by zero


@instruction
def _largest(_: Any, maps: Any, at: Any, num: Any, tops: Any) -> Any:
    """Write each lane's maximum of so many points, a multiple of ABREAST; zero where all are negative."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        maps, at, num, tops = unpacked(context, builder, signature, given)

        def turn(place: Any, found: list[Vector]) -> list[Vector]:
            return [top.at_least(maps.load(offset(builder, place, i, LANES))) for i, top in enumerate(found)]

        nothing, turns = Vector.constant(builder, 0.0), builder.sdiv(num, ir.Constant(INDEX, ABREAST))
        found = repeat(builder, turns, [at], [ir.Constant(INDEX, ABREAST * LANES)], [nothing] * ABREAST, turn)
        tops.store(ir.Constant(INDEX, 0), reduce(Vector.at_least, found))
        return context.get_dummy_value()

    return types.void(FLOAT_ARRAY, _AT, _AT, FLOAT_ARRAY), build


@instruction
def _transform_two(
    _: Any, maps: Any, at: Any, plane: Any, row: Any, scales: Any, values: Any, v_at: Any, step: Any
) -> Any:
    """Turn the same patch of two channels into 36 pairs with a step between them."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        maps, at, plane, row, scales, values, v_at, step = unpacked(context, builder, signature, given)
        scale, nothing = scales.load(ir.Constant(INDEX, 0)), Vector.constant(builder, 0.0)
        firsts, seconds = (numbers_of(maps, place, row, nothing) for place in (at, builder.add(at, plane)))
        for index, pair in enumerate(zip(firsts, seconds, strict=True)):
            values.store(offset(builder, v_at, index, step), paired(*pair, scale))
        return context.get_dummy_value()

    return types.void(FLOAT_ARRAY, _AT, _AT, _AT, FLOAT_ARRAY, WORD_ARRAY, _AT, _AT), build


@lean_kernel("int64(int64)")
def _values_step(inputs: int) -> int:
    """From one transformed pair of numbers of a tile to the next."""
    return (inputs // 2 + 1) * LANES


@lean_kernel("void(float32[::1], int64, int64, float32[::1], float32[::1])")
def _scale(maps: np.ndarray, at: int, num: int, scales: np.ndarray, factors: np.ndarray) -> None:
    """What each lane's numbers are multiplied by, and the factor that makes up for it."""
    _largest(maps, at, num, factors)
    for lane in range(LANES):
        top = max(factors[lane], _LEAST)
        scales[lane], factors[lane] = _LEVELS / top, top / _LEVELS


@lean_kernel("void(float32[::1], int64, int64, int64, float32[::1], int32[::1], int64)")
def _transform_line(
    maps: np.ndarray, at: int, side: int, inputs: int, scales: np.ndarray, values: np.ndarray, tiles: int
) -> None:
    """The patches of a line of tiles, all channels."""
    step, plane = _values_step(inputs), side * side * LANES
    for tile in range(tiles):
        for channel in range(0, inputs, 2):
            corner, to = at + channel * plane + tile * TILE * LANES, tile * NUMBERS * step + channel // 2 * LANES
            _transform_two(maps, corner, plane, side * LANES, scales, values, to, step)


@lean_kernel("void(int32[::1], int64, float32[::1], int64, int32[::1], float32[::1], int64, int64, int64)")
def _multiply(
    weights: np.ndarray,
    w_at: int,
    factors: np.ndarray,
    f_at: int,
    values: np.ndarray,
    sums: np.ndarray,
    tiles: int,
    pairs: int,
    outputs: int,
) -> None:
    """The 36 products of each tile, two tiles at a time; weights are used for all tiles while they are at hand."""
    step = _values_step(2 * pairs)
    v_next, s_next = NUMBERS * step, NUMBERS * SUMS_STEP
    for number in range(NUMBERS):
        v, s = number * step, number * SUMS_STEP
        for row in range(0, outputs, ROWS_OF_TWO):
            w, f = w_at + (number * outputs + row) * pairs, f_at + number * outputs + row
            for tile in range(0, tiles - 1, 2):
                at, to = v + tile * v_next, s + tile * s_next + row * LANES
                multiply_pairs_two(weights, w, values, at, LANES, v_next, sums, to, LANES, s_next, pairs, factors, f)
        if tiles % 2:
            v, s = v + (tiles - 1) * v_next, s + (tiles - 1) * s_next
            for row in range(0, outputs, PADDED):
                w, f = w_at + (number * outputs + row) * pairs, f_at + number * outputs + row
                multiply_pairs_one(weights, w, values, v, LANES, 0, sums, s + row * LANES, LANES, 0, pairs, factors, f)


@lean_kernel(
    "void(float32[::1], int32[::1], float32[::1], float32[::1], float32[::1], boolean, int32[::1], float32[::1],"
    " int64, int64, int64, int64)"
)
def convolve_pairs(
    maps: np.ndarray, weights: np.ndarray, factors: np.ndarray, biases: np.ndarray, results: np.ndarray, adds: bool,
    values: np.ndarray, room: np.ndarray, blocks: int, size: int, inputs: int, outputs: int,
) -> None:  # fmt: skip
    """Convolve what is positive in all blocks, an even number of inputs; results are written, or added."""
    side = side_of(size)
    tiles, plane = (side - 2) // TILE, side * side * LANES
    scales, lanes, sums = room[:LANES], room[LANES : 2 * LANES], room[2 * LANES :]
    for block in range(blocks):
        _scale(maps, block * inputs * plane, inputs * side * side, scales, lanes)
        for line in range(tiles):
            corner = line * TILE * side * LANES
            _transform_line(maps, block * inputs * plane + corner, side, inputs, scales, values, tiles)
            for group in range(0, outputs, GROUP):
                width = min(GROUP, outputs - group)
                w, f = NUMBERS * inputs // 2 * group, NUMBERS * group
                _multiply(weights, w, factors, f, values, sums, tiles, inputs // 2, width)
                at = (block * outputs + group) * plane + corner + (side + 1) * LANES
                put_line(sums, 0, lanes, biases, results, at, side, group, width, adds)
    if size % TILE:
        clear_beyond(results, blocks * outputs, size, side)


def rooms_for(side: int, inputs: int) -> tuple[int, int]:
    """How many pairs, and how many numbers, of room a convolution needs."""
    tiles = (side - 2) // TILE
    return tiles * NUMBERS * (inputs // 2 + 1) * LANES, 2 * LANES + tiles * NUMBERS * SUMS_STEP


def transformed_pairs(kernel: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A layer's weights [outputs, inputs, 3, 3] as `convolve_pairs` takes them, and their rows' factors."""
    pairs, factors = paired_weights(numbers_of_weights(kernel))
    grouped = [factors[:, start : start + GROUP].ravel() for start in range(0, factors.shape[1], GROUP)]
    return packed_groups(pairs), np.concatenate(grouped)
