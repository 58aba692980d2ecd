"""Convolutions of 3x3 by Winograd's minimal filtering, four by four points at a time: a quarter of the products.

A tile of the result needs six by six points of the maps. These are transformed to 36 numbers a channel, which are
multiplied by transformed weights, a product of matrices for each of the 36, and the sums are transformed back. Maps are
[blocks, channels, side, side, LANES] with a margin of zeros, so that every tile has its neighbors; they lie flat here.
Two of the six numbers of a line are doubled, their weights halved: so all have about the same range (`LARGEST`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from .bits import instruction
from .jit import lean_kernel
from .products import PADDED, ROWS_OF_TWO, multiply_one, multiply_two, packed
from .vectors import FLOAT_ARRAY, INDEX, LANES, Memory, Vector, offset, unpacked

TILE, PATCH = 4, 6
NUMBERS = PATCH * PATCH
GROUP = 32  # channels of the result that are computed at a time: their sums fit into the cache
_AT = types.int64
_BACK = types.void(FLOAT_ARRAY, _AT, _AT, FLOAT_ARRAY, _AT, _AT, types.float32, FLOAT_ARRAY)
LARGEST = 72  # times the largest point: what a number is at most, where no point is negative
SUMS_STEP = (GROUP + 1) * LANES  # one more, for lines of the cache must not collide


@instruction
def transform_patch(_: Any, maps: Any, at: Any, row: Any, floor: Any, values: Any, v_at: Any, step: Any) -> Any:
    """Turn six by six points, what is below the floor raised to it, into 36 numbers with a step between them."""
    return types.void(FLOAT_ARRAY, _AT, _AT, types.float32, FLOAT_ARRAY, _AT, _AT), _transform_patch


def _transform_patch(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    maps, at, row, floor, values, v_at, step = unpacked(context, builder, signature, given)
    for index, number in enumerate(numbers_of(maps, at, row, Vector.spread(builder, floor))):
        values.store(offset(builder, v_at, index, step), number)
    return context.get_dummy_value()


def numbers_of(maps: Memory, at: Any, row: Any, least: Vector) -> list[Vector]:
    """The 36 numbers of the patch at a place, of what is at least this."""
    builder = maps.builder
    rows = [offset(builder, at, y, row) for y in range(PATCH)]
    points = [[maps.load(offset(builder, place, x, LANES)).at_least(least) for x in range(PATCH)] for place in rows]
    halves = _turned([_to_numbers(*column) for column in _turned(points)])
    return [number for line in halves for number in _to_numbers(*line)]


def _to_numbers(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector, f: Vector) -> list[Vector]:
    far, near = e.plus_times(-4, c), d.plus_times(-4, b)
    edge, inner = e - c, d - b
    twice = edge + edge
    first, last = e.plus_times(-5, c).plus_times(4, a), f.plus_times(-5, d).plus_times(4, b)
    return [first, far + near, far - near, twice.plus_times(4, inner), twice.plus_times(-4, inner), last]


@instruction
def transform_back(
    _: Any, sums: Any, at: Any, step: Any, maps: Any, m_at: Any, row: Any, bias: Any, factors: Any
) -> Any:
    """Turn 36 sums with a step between them into four by four points, and write them by a lane's factor and a bias."""
    return _BACK, _transform_back(adds=False)


@instruction
def transform_onto(
    _: Any, sums: Any, at: Any, step: Any, maps: Any, m_at: Any, row: Any, bias: Any, factors: Any
) -> Any:
    """The same, added to what is there."""
    return _BACK, _transform_back(adds=True)


def _transform_back(*, adds: bool) -> Callable[..., Any]:
    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        sums, at, step, maps, m_at, row, bias, factors = unpacked(context, builder, signature, given)
        numbers = [[sums.load(offset(builder, at, PATCH * y + x, step)) for x in range(PATCH)] for y in range(PATCH)]
        halves = _turned([_to_points(*column) for column in _turned(numbers)])
        everywhere, factor = Vector.spread(builder, bias), factors.load(ir.Constant(INDEX, 0))
        for y, line in enumerate(halves):
            for x, point in enumerate(_to_points(*line)):
                place = offset(builder, offset(builder, m_at, y, row), x, LANES)
                before = maps.load(place) + everywhere if adds else everywhere
                maps.store(place, before.plus(factor, point))
        return context.get_dummy_value()

    return build


def _to_points(a: Vector, b: Vector, c: Vector, d: Vector, e: Vector, f: Vector) -> list[Vector]:
    ones, twos = b + c, d + e
    one, two = b - c, d - e
    return [a + ones + twos, one.plus_times(2, two), ones.plus_times(4, twos), (one + f).plus_times(8, two)]


def _turned(lines: list[list[Vector]]) -> list[list[Vector]]:
    return [list(column) for column in zip(*lines, strict=True)]


@lean_kernel("int64(int64)")
def side_of(size: int) -> int:
    """The points of a row of maps, their margins included."""
    return (size + TILE - 1) // TILE * TILE + 2


@lean_kernel("int64(int64)")
def values_step(inputs: int) -> int:
    """From one transformed number of a tile to the next."""
    return (inputs + 1) * LANES


@lean_kernel("void(float32[::1], int64, float32[::1], int64, int64, int64)")
def _multiply(weights: np.ndarray, w_at: int, room: np.ndarray, tiles: int, inputs: int, outputs: int) -> None:
    """The 36 products of each tile, two tiles at a time; weights are used for all tiles while they are at hand."""
    step, sums = values_step(inputs), tiles * NUMBERS * values_step(inputs)
    v_next, s_next = NUMBERS * step, NUMBERS * SUMS_STEP
    for number in range(NUMBERS):
        w, v, s = w_at + number * outputs * inputs, number * step, sums + number * SUMS_STEP
        for row in range(0, outputs, ROWS_OF_TWO):
            for tile in range(0, tiles - 1, 2):
                at, to = v + tile * v_next, s + tile * s_next + row * LANES
                multiply_two(weights, w + row * inputs, room, at, LANES, v_next, room, to, LANES, s_next, inputs)
        if tiles % 2:
            v, s = v + (tiles - 1) * v_next, s + (tiles - 1) * s_next
            for row in range(0, outputs, PADDED):
                multiply_one(weights, w + row * inputs, room, v, LANES, 0, room, s + row * LANES, LANES, 0, inputs)


@lean_kernel("void(float32[::1], int64, int64, int64, float32, float32[::1], int64)")
def _transform_line(
    maps: np.ndarray, at: int, side: int, inputs: int, floor: float, room: np.ndarray, tiles: int
) -> None:
    """The patches of a line of tiles, all channels."""
    step = values_step(inputs)
    for tile in range(tiles):
        for channel in range(inputs):
            corner = at + channel * side * side * LANES + tile * TILE * LANES
            to = tile * NUMBERS * step + channel * LANES
            transform_patch(maps, corner, side * LANES, floor, room, to, step)


@lean_kernel("void(float32[::1], int64, float32[::1], float32[::1], float32[::1], int64, int64, int64, int64, boolean)")
def put_line(
    room: np.ndarray,
    sums: int,
    factors: np.ndarray,
    biases: np.ndarray,
    results: np.ndarray,
    at: int,
    side: int,
    group: int,
    width: int,
    adds: bool,
) -> None:
    """The points of a line of tiles, some channels, by a factor for each lane."""
    for tile in range((side - 2) // TILE):
        for channel in range(width):
            place = at + channel * side * side * LANES + tile * TILE * LANES
            s = sums + tile * NUMBERS * SUMS_STEP + channel * LANES
            if adds:
                transform_onto(room, s, SUMS_STEP, results, place, side * LANES, biases[group + channel], factors)
            else:
                transform_back(room, s, SUMS_STEP, results, place, side * LANES, biases[group + channel], factors)


@lean_kernel("void(float32[::1], int64, int64, int64)")
def clear_beyond(maps: np.ndarray, planes: int, size: int, side: int) -> None:
    """Make points beyond the board zero again."""
    for plane in range(planes):
        at = plane * side * side * LANES
        for row in range(1, side - 1):
            first = size + 1 if row <= size else 1
            for x in range((row * side + first) * LANES, (row * side + side - 1) * LANES):
                maps[at + x] = 0.0


@lean_kernel(
    "void(float32[::1], boolean, float32[::1], float32[::1], float32[::1], float32[::1], boolean, float32[::1],"
    " int64, int64, int64, int64)"
)
def convolve(
    maps: np.ndarray,
    active: bool,
    weights: np.ndarray,
    factors: np.ndarray,
    biases: np.ndarray,
    results: np.ndarray,
    adds: bool,
    room: np.ndarray,
    blocks: int,
    size: int,
    inputs: int,
    outputs: int,
) -> None:
    """Convolve all blocks, of active maps what is positive; results by a factor for each lane are written, or added."""
    side = side_of(size)
    tiles, plane = (side - 2) // TILE, side * side * LANES
    floor, sums = np.float32(0.0) if active else np.float32(-np.inf), tiles * NUMBERS * values_step(inputs)
    for block in range(blocks):
        for line in range(tiles):
            corner = line * TILE * side * LANES
            _transform_line(maps, block * inputs * plane + corner, side, inputs, floor, room, tiles)
            for group in range(0, outputs, GROUP):
                width = min(GROUP, outputs - group)
                _multiply(weights, NUMBERS * inputs * group, room, tiles, inputs, width)
                at = (block * outputs + group) * plane + corner + (side + 1) * LANES
                put_line(room, sums, factors, biases, results, at, side, group, width, adds)
    if size % TILE:
        clear_beyond(results, blocks * outputs, size, side)


def room_for(side: int, inputs: int) -> int:
    """How many numbers of room a convolution needs."""
    return (side - 2) // TILE * NUMBERS * ((inputs + 1) * LANES + SUMS_STEP)


_TO_WEIGHTS = (
    np.array([[6, 0, 0], [-4, -4, -4], [-4, 4, -4], [0.5, 1, 2], [0.5, -1, 2], [0, 0, 24]], np.float64) / 24
)  # [PATCH, 3]


def transformed(kernel: np.ndarray) -> np.ndarray:
    """A layer's weights [outputs, inputs, 3, 3] as `convolve` takes them; outputs are a multiple of PADDED."""
    return packed_groups(numbers_of_weights(kernel).astype(np.float32))


def numbers_of_weights(kernel: np.ndarray) -> np.ndarray:
    """What numbers are multiplied by: [NUMBERS, outputs, inputs]."""
    outputs, inputs = kernel.shape[:2]
    return np.einsum("ia,jb,ocab->ijoc", _TO_WEIGHTS, _TO_WEIGHTS, kernel).reshape(NUMBERS, outputs, inputs)


def packed_groups(numbers: np.ndarray) -> np.ndarray:
    """Weights [NUMBERS, outputs, inputs] as they are taken, one group of outputs after the other."""
    groups = [numbers[:, start : start + GROUP] for start in range(0, numbers.shape[1], GROUP)]
    return np.concatenate([packed(matrix) for group in groups for matrix in group])
