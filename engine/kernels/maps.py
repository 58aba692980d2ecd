"""A net's maps of positions side by side, besides convolutions of 3x3: [blocks, channels, side, side, LANES]."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from .bits import instruction
from .jit import lean_kernel
from .products import ROWS, combine_one, combine_two
from .vectors import FLOAT_ARRAY, INDEX, LANES, Vector, repeat, unpacked
from .winograd import side_of


@lean_kernel("void(float32[:, :, ::1], int64[::1], int16[:, ::1], float32[:, :, :, ::1])")
def enter_planes(planes: np.ndarray, symmetries: np.ndarray, places: np.ndarray, maps: np.ndarray) -> None:
    """Put the planes of positions into lanes, turned; what is in those that are left does not matter.

    `places` has a row for each symmetry: where on a map each point goes.
    """
    batch, channels, area = planes.shape
    for position in range(batch):
        block, lane, goals = position // LANES, position % LANES, places[symmetries[position]]
        for channel in range(channels):
            for point in range(area):
                maps[block, channel, goals[point], lane] = planes[position, channel, point]


@lean_kernel("void(float32[::1], float32[::1], float32[::1], float32[::1], int64, int64, int64, int64)")
def combine(
    maps: np.ndarray,
    weights: np.ndarray,
    biases: np.ndarray,
    results: np.ndarray,
    blocks: int,
    size: int,
    inputs: int,
    rows: int,
) -> None:
    """A convolution of 1x1 of what is positive; `rows` are filled up to a multiple of ROWS."""
    side = side_of(size)
    plane = side * side * LANES
    for block in range(blocks):
        for y in range(1, size + 1):
            corner = (y * side + 1) * LANES
            at, to = block * inputs * plane + corner, block * rows * plane + corner
            for x in range(0, size - 1, 2):
                v, r = at + x * LANES, to + x * LANES
                for row in range(0, rows, ROWS):
                    w, p = row * inputs, r + row * plane
                    combine_two(weights, w, maps, v, plane, LANES, results, p, plane, LANES, inputs, biases, row)
            if size % 2:
                v, r = at + (size - 1) * LANES, to + (size - 1) * LANES
                for row in range(0, rows, ROWS):
                    w, p = row * inputs, r + row * plane
                    combine_one(weights, w, maps, v, plane, 0, results, p, plane, 0, inputs, biases, row)


@lean_kernel("void(float32[:, :, :, :, ::1], float32[:, :, ::1], int64, int64, int64)")
def flatten(maps: np.ndarray, vectors: np.ndarray, blocks: int, channels: int, size: int) -> None:
    """Maps as vectors: channel by channel, row by row."""
    for block in range(blocks):
        for channel in range(channels):
            for row in range(size):
                first = (channel * size + row) * size
                for column in range(size):
                    for lane in range(LANES):
                        vectors[block, first + column, lane] = maps[block, channel, row + 1, column + 1, lane]


@lean_kernel("void(float32[:, :, ::1], float32[:, ::1], int64, int64)")
def leave_vectors(vectors: np.ndarray, answers: np.ndarray, start: int, width: int) -> None:
    """Write the first rows of vectors into columns of what is answered, a row for each position."""
    for position in range(len(answers)):
        block, lane = position // LANES, position % LANES
        for index in range(width):
            answers[position, start + index] = vectors[block, index, lane]


@lean_kernel("void(float32[:, :, ::1], int64[::1], int16[:, ::1], float32[:, ::1], int64)")
def leave_moves(
    vectors: np.ndarray, symmetries: np.ndarray, goals: np.ndarray, answers: np.ndarray, width: int
) -> None:
    """The same for moves of positions that were turned, which are turned back."""
    for position in range(len(answers)):
        block, lane, seen = position // LANES, position % LANES, goals[symmetries[position]]
        for move in range(width):
            answers[position, move] = vectors[block, seen[move], lane]


@instruction
def _add_at(_: Any, maps: Any, at: Any, vectors: Any, v_at: Any) -> Any:
    """Add a vector to another."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        maps, at, vectors, v_at = unpacked(context, builder, signature, given)
        maps.store(at, maps.load(at) + vectors.load(v_at))
        return context.get_dummy_value()

    return types.void(FLOAT_ARRAY, types.int64, FLOAT_ARRAY, types.int64), build


@instruction
def _pool_plane(_: Any, maps: Any, at: Any, num: Any, vectors: Any, sum_at: Any, top_at: Any) -> Any:
    """Write the sum and the maximum of what is positive at so many points."""

    def build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        maps, at, num, vectors, sum_at, top_at = unpacked(context, builder, signature, given)
        nothing = Vector.constant(builder, 0.0)

        def turn(place: Any, pooled: list[Vector]) -> list[Vector]:
            value = maps.load(place).at_least(nothing)
            return [pooled[0] + value, pooled[1].at_least(value)]

        total, top = repeat(builder, num, [at], [ir.Constant(INDEX, LANES)], [nothing, nothing], turn)
        vectors.store(sum_at, total)
        vectors.store(top_at, top)
        return context.get_dummy_value()

    place = types.int64
    return types.void(FLOAT_ARRAY, place, place, FLOAT_ARRAY, place, place), build


@lean_kernel("void(float32[::1], float32[::1], int64, int64)")
def add_to_channels(maps: np.ndarray, vectors: np.ndarray, planes: int, size: int) -> None:
    """Add a number to each channel of each position, on the board alone."""
    side = side_of(size)
    for plane in range(planes):
        for row in range(1, size + 1):
            at = (plane * side + row) * side * LANES
            for column in range(1, size + 1):
                _add_at(maps, at + column * LANES, vectors, plane * LANES)


@lean_kernel("void(float32[::1], float32[::1], int64, int64, int64, float32)")
def pool(maps: np.ndarray, vectors: np.ndarray, blocks: int, channels: int, size: int, scale: float) -> None:
    """The mean, the scaled mean and the maximum of what is positive: [blocks, 3 * channels, LANES]."""
    side, share = side_of(size), np.float32(1.0) / np.float32(size * size)
    for block in range(blocks):
        for channel in range(channels):
            mean = (3 * block * channels + channel) * LANES
            scaled, top = mean + channels * LANES, mean + 2 * channels * LANES
            at = (block * channels + channel) * side * side * LANES
            _pool_plane(maps, at + side * LANES, size * side, vectors, mean, top)  # with margins, which are zero
            for lane in range(LANES):
                vectors[mean + lane] *= share
                vectors[scaled + lane] = vectors[mean + lane] * scale
