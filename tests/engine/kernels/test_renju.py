import random

import numpy as np
import pytest

from extremum.engine.games import renju as plain
from extremum.engine.games.game import Bits, Color
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels.renju import forbidden
from extremum.engine.search.states import State, state_of
from tests.diagrams import Diagram, read_file


def state_with(black: Bits, white: Bits, size: int) -> State:
    return state_of(Gomoku(size, rule="renju").setup(black, white, Color.BLACK))


def check_all_points(black: Bits, white: Bits, size: int) -> int:
    """Compare the kernel with the plain rules on every empty point; returns how many are forbidden."""
    state = state_with(black, white, size)
    before = state.copy()
    found = 0
    for move in range(size * size):
        if (black | white) >> move & 1 == 0:
            reason = plain.forbidden(black, white, size, move)
            assert forbidden(state, move) == (reason is not None), (size, move, reason)
            found += reason is not None
    assert np.array_equal(state, before)
    return found


@pytest.mark.parametrize("diagram", read_file("renju.txt"), ids=lambda diagram: diagram.title)
def test_the_kernel_forbids_the_marked_points(diagram: Diagram) -> None:
    state = state_with(diagram.black, diagram.white, diagram.size)
    marked = [move for move in diagram.empty() if diagram.cells[move] in "lft"]
    assert [move for move in diagram.empty() if forbidden(state, move)] == marked


@pytest.mark.parametrize("size", [5, 6, 9, 15, 20])
def test_the_kernel_forbids_what_the_plain_rules_forbid(size: int) -> None:
    rng = random.Random(size)
    found = 0
    for _ in range(6000 // size**2 + 20):
        share = rng.uniform(0.1, 0.5)
        stones = [rng.random() for _ in range(size * size)]
        black = sum(1 << move for move, chance in enumerate(stones) if chance < share)
        white = sum(1 << move for move, chance in enumerate(stones) if chance > 1 - share / 4)
        found += check_all_points(black, white, size)
    assert found > 30
