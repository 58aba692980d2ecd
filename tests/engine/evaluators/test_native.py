"""Our own kernels for nets: every board size, batches that fill no block, many threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from extremum.engine.evaluators.native import NativeEvaluator, ShortEvaluator
from extremum.engine.evaluators.numpy import NumpyEvaluator
from extremum.engine.evaluators.plans import BLOCKS
from extremum.engine.games import make_game
from extremum.engine.kernels.vectors import LANES
from extremum.engine.kernels.winograd import convolve, room_for, side_of, transformed
from tests.engine.evaluators.test_agreement import TOLERANCE, furthest
from tests.engine.kernels.positions import random_positions, states_of
from tests.engine.nets.random_nets import random_checkpoint

CHUNK = BLOCKS * LANES
SHARE = 0.01  # of the spread, by which sixteen bits may be wrong


@pytest.mark.parametrize("size", range(3, 21))
def test_it_agrees_on_every_board(size: int) -> None:
    checkpoint = random_checkpoint("gomoku", "b4c32", size)
    states = states_of(random_positions(make_game("gomoku", size), 4))[:11]
    expected = NumpyEvaluator(checkpoint).evaluate(states)
    assert furthest(NativeEvaluator(checkpoint).evaluate(states), expected) < TOLERANCE


@pytest.mark.parametrize("size", range(3, 21))
def test_sixteen_bits_nearly_agree_on_every_board(size: int) -> None:
    checkpoint = random_checkpoint("gomoku", "b4c32", size)
    states = states_of(random_positions(make_game("gomoku", size), 4))[:11]
    exact, short = NativeEvaluator(checkpoint).evaluate(states), ShortEvaluator(checkpoint).evaluate(states)
    assert 0 < np.abs(short.logits - exact.logits).std() < SHARE * exact.logits.std()
    assert np.abs(short.value - exact.value).max() < SHARE


@pytest.mark.parametrize("threads", [1, 2])
def test_sixteen_bits_say_of_a_position_exactly_what_they_say_of_it_alone(threads: int) -> None:
    evaluator = ShortEvaluator(random_checkpoint("othello", "b4c32", 8), threads)
    states = states_of(random_positions(make_game("othello", 8), 4))[: CHUNK + 3]
    together = evaluator.evaluate(states)
    for position, state in enumerate(states):
        assert furthest(together[position : position + 1], evaluator.evaluate(state[None])) == 0.0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_of_any_length_says_of_each_position_what_it_says_alone(threads: int) -> None:
    evaluator = NativeEvaluator(random_checkpoint("othello", "b4c32", 8), threads)
    states = states_of(random_positions(make_game("othello", 8), 4))[: 2 * CHUNK + 3]
    alone = [evaluator.evaluate(state[None]) for state in states]
    for count in (1, LANES - 1, LANES, LANES + 1, CHUNK, CHUNK + 1, len(states)):
        together = evaluator.evaluate(states[:count])
        assert len(together) == count
        for position in range(count):
            assert furthest(together[position : position + 1], alone[position]) < TOLERANCE


def test_many_threads_may_ask_at_once_and_for_different_boards() -> None:
    evaluator = NativeEvaluator(random_checkpoint("gomoku", "b4c32", 8, 15))
    batches = [states_of(random_positions(make_game("gomoku", size), 3))[:20] for size in (8, 15)] * 8
    expected = [evaluator.evaluate(batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        for first, second in zip(pool.map(evaluator.evaluate, batches), expected, strict=True):
            assert furthest(first, second) == 0.0


@pytest.mark.parametrize(("inputs", "outputs", "size"), [(4, 32, 8), (9, 32, 6), (64, 128, 8), (32, 64, 10), (1, 8, 3)])
def test_a_convolution_is_the_sum_of_its_nine_products(inputs: int, outputs: int, size: int) -> None:
    rng = np.random.default_rng(1)
    blocks, side = 2, side_of(size)
    boards = rng.standard_normal((blocks, inputs, size, size, LANES), np.float32)
    kernel = rng.standard_normal((outputs, inputs, 3, 3), np.float32) / np.float32(3 * inputs**0.5)
    biases = rng.standard_normal(outputs, np.float32)
    maps = np.pad(boards, ((0, 0), (0, 0), (1, side - size - 1), (1, side - size - 1), (0, 0)))
    before = rng.standard_normal((blocks, outputs, size, size, LANES), np.float32)
    results = np.pad(before, ((0, 0), (0, 0), (1, side - size - 1), (1, side - size - 1), (0, 0)))
    positive = np.maximum(maps, 0)
    parts = [positive[:, :, y : y + size, x : x + size] for y in range(3) for x in range(3)]
    expected = before + biases[:, None, None, None]
    for place, part in enumerate(parts):
        expected += np.einsum("bcyxl,oc->boyxl", part, kernel[:, :, place // 3, place % 3])
    room = np.empty(room_for(side, inputs), np.float32)
    weights = transformed(kernel)
    how = (room, blocks, size, inputs, outputs)
    ones = np.ones(LANES, np.float32)
    convolve(maps.reshape(-1), True, weights, ones, biases, results.reshape(-1), True, *how)
    inside = results[:, :, 1 : size + 1, 1 : size + 1]
    assert np.abs(inside - expected).max() < TOLERANCE
    inside[:] = 0
    assert not results.any()  # nothing was written beyond the board
