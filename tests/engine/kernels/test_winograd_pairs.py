"""Convolutions in sixteen bits: near those in single precision, and no sum ever overflows."""

from typing import Any

import numba
import numpy as np
import pytest

from extremum.engine.kernels import pairs
from extremum.engine.kernels.pairs import paired_weights
from extremum.engine.kernels.vectors import LANES
from extremum.engine.kernels.winograd import convolve, room_for, side_of, transformed
from extremum.engine.kernels.winograd_pairs import convolve_pairs, rooms_for, transformed_pairs

SIZE = 4
TO_NUMBERS = np.array(
    [[4, 0, -5, 0, 1, 0], [0, -4, -4, 1, 1, 0], [0, 4, -4, -1, 1, 0], [0, -4, -2, 4, 2, 0], [0, 4, -2, -4, 2, 0],
     [0, 4, 0, -5, 0, 1]]
)  # fmt: skip


def both(maps: np.ndarray, kernel: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """What single precision and sixteen bits make of maps [inputs, side, side, LANES]."""
    outputs, inputs = kernel.shape[:2]
    side, biases = int(side_of(size)), np.zeros(outputs, np.float32)
    exact, short = (np.zeros((outputs, side, side, LANES), np.float32) for _ in range(2))
    room, shape = np.empty(room_for(side, inputs), np.float32), (1, size, inputs, outputs)
    flat, ones = maps.reshape(-1), np.ones(LANES, np.float32)
    convolve(flat, True, transformed(kernel), ones, biases, exact.reshape(-1), False, room, *shape)
    num_pairs, numbers = rooms_for(side, inputs)
    rooms = np.empty(num_pairs, np.int32), np.empty(numbers, np.float32)
    convolve_pairs(flat, *transformed_pairs(kernel), biases, short.reshape(-1), False, *rooms, *shape)
    return exact, short


@pytest.mark.parametrize(("inputs", "outputs", "size"), [(32, 32, 8), (64, 128, 8), (128, 32, 5), (2, 8, 15)])
def test_sixteen_bits_are_near_single_precision(inputs: int, outputs: int, size: int) -> None:
    rng, side = np.random.default_rng(1), int(side_of(size))
    maps = np.zeros((inputs, side, side, LANES), np.float32)
    scales = 10.0 ** np.arange(-4, LANES - 4)  # positions of very different size beside each other
    maps[:, 1 : size + 1, 1 : size + 1] = rng.standard_normal((inputs, size, size, LANES)) * scales
    exact, short = both(maps, rng.standard_normal((outputs, inputs, 3, 3)).astype(np.float32), size)
    for lane in range(LANES):
        assert np.abs(exact[..., lane] - short[..., lane]).std() < 0.006 * exact[..., lane].std()


@pytest.mark.parametrize("row", range(6))
@pytest.mark.parametrize("column", range(6))
def test_the_largest_numbers_and_weights_do_not_overflow(row: int, column: int) -> None:
    signs = np.sign(np.outer(TO_NUMBERS[row], TO_NUMBERS[column]))[1:5, 1:5]  # a board of four has the inner points
    maps, inputs = np.zeros((128, SIZE + 2, SIZE + 2, LANES), np.float32), 128
    maps[:, 1:-1, 1:-1, ::2] = (signs > 0)[None, :, :, None]
    maps[:, 1:-1, 1:-1, 1::2] = (signs < 0)[None, :, :, None]
    kernel = np.zeros((8, inputs, 3, 3), np.float32)
    kernel[:4], kernel[4:, :, 1, 1] = 1.0, -1.0
    exact, short = both(maps, kernel, SIZE)
    assert np.abs(exact - short).max() < 0.01 * np.abs(exact).max()


def test_weights_of_all_sizes_keep_within_their_bits() -> None:
    rng = np.random.default_rng(2)
    matrices = rng.standard_normal((5, 8, 64)) * 10.0 ** rng.integers(-6, 6, (5, 8, 1))
    matrices[0, 0], matrices[1, 1] = 0.0, np.eye(64)[3] * 1e6
    both_halves, factors = paired_weights(matrices)
    low, high = (both_halves & 0xFFFF).astype(np.uint16).view(np.int16), both_halves >> 16
    whole = np.stack([low, high], axis=-1).reshape(matrices.shape).astype(np.int64)
    assert np.abs(whole).sum(-1).max() * (2**15 - 1) < 2**31
    assert (np.abs(whole * factors[..., None] - matrices) <= 0.51 * factors[..., None]).all()


@pytest.mark.parametrize("has_pairs", [True, False])
@pytest.mark.parametrize("groups", [1, 2])
def test_every_kind_of_processor_has_the_same_sums(
    monkeypatch: pytest.MonkeyPatch, *, has_pairs: bool, groups: int
) -> None:
    monkeypatch.setattr(pairs, "HAS_PAIRS", has_pairs and pairs.HAS_PAIRS)
    multiply: Any = pairs._defined(groups, 2)
    rows = 4 * groups

    @numba.njit
    def multiplied(weights: np.ndarray, values: np.ndarray, results: np.ndarray, factors: np.ndarray) -> None:
        multiply(weights, 0, values, 0, LANES, 5 * LANES, results, 0, LANES, rows * LANES, 5, factors, 0)

    rng = np.random.default_rng(3)
    weights, values = (rng.integers(-3000, 3000, shape, np.int16) for shape in ((groups, 5, 4, 2), (2, 5, LANES, 2)))
    results, factors = np.zeros((2, rows, LANES), np.float32), 0.5 ** np.arange(rows, dtype=np.float32)
    multiplied(weights.view(np.int32).ravel(), values.view(np.int32).ravel(), results.reshape(-1), factors)
    sums = np.einsum("gnrp,cnlp->cgrl", weights.astype(np.int64), values.astype(np.int64))
    assert np.allclose(results, sums.reshape(2, rows, LANES) * factors[:, None], rtol=1e-6)
