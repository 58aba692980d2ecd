from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from extremum.engine.games.game import Position
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, transform_position
from extremum.engine.kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from extremum.engine.kernels.othello import flips
from extremum.engine.kernels.othello_patterns import (
    FOLDED,
    INSTANCES,
    NUM_STAGES,
    count_numbers,
    follow,
    pattern_value,
    stage_of,
    tempo_column,
    turn,
)
from extremum.engine.kernels.othello_rows import NUM_LANES
from extremum.engine.kernels.scores import PROVEN
from extremum.engine.search.states import state_of
from tests.engine.kernels.pattern_weights import random_weights
from tests.engine.kernels.positions import random_positions

Numbers = npt.NDArray[np.uint16]


def test_a_number_has_a_digit_for_each_square_of_its_shape() -> None:
    for position in random_positions(Othello(), 5):
        own, opp = _discs(position)
        for lane, (_, squares) in enumerate(INSTANCES):
            digits = [0 if own >> square & 1 else 2 if opp >> square & 1 else 1 for square in squares]
            assert _numbers(own, opp)[lane] == sum(digit * 3**place for place, digit in enumerate(digits))


def test_the_numbers_after_a_move_are_those_of_the_position_after_it() -> None:
    for position in random_positions(Othello(), 5):
        own, opp = _discs(position)
        after = np.zeros(NUM_LANES, np.uint16)
        for move in position.legal_moves():
            if move == 64:
                turn(_numbers(own, opp), after)
            else:
                follow(_numbers(own, opp), move, flips(np.uint64(own), np.uint64(opp), move), after)
            played = position.play(move)
            mine, yours = _discs(played.turned(position.side_to_move.opponent))
            assert (after == _numbers(mine, yours)).all()


@pytest.mark.parametrize("objective", [1, -1])
def test_the_eight_symmetries_are_worth_the_same(objective: int) -> None:
    weights = random_weights()
    for position in random_positions(Othello(), 4):
        values = {_value(transform_position(position, symmetry), objective, weights) for symmetry in SYMMETRIES}
        assert len(values) == 1


def test_mirror_images_stand_for_each_other_once() -> None:
    assert (FOLDED[FOLDED] == FOLDED).all()
    assert len(np.unique(FOLDED)) < 0.7 * len(FOLDED)


def test_a_finished_game_is_scored_by_its_margin() -> None:
    ended = Othello().setup(black=0b111, white=1 << 60, side_to_move=Othello().start().side_to_move)
    assert _value(ended, 1, random_weights()) == PROVEN + 2
    assert _value(ended, -1, random_weights()) == -PROVEN - 2


def test_every_number_of_empty_squares_has_its_stage_and_tempo() -> None:
    stages = [stage_of(empties) for empties in range(60, -1, -1)]
    assert stages == sorted(stages)
    assert set(stages) == set(range(NUM_STAGES))
    places = {(stage_of(empties), tempo_column(empties, stage_of(empties))) for empties in range(61)}
    assert len(places) == 61


def _value(position: Position, objective: int, weights: npt.NDArray[np.int16]) -> int:
    own, opp = _discs(position)
    return int(pattern_value(np.uint64(own), np.uint64(opp), _numbers(own, opp), objective, weights))


def _numbers(own: int, opp: int) -> Numbers:
    numbers = np.zeros(NUM_LANES, np.uint16)
    count_numbers(np.uint64(own), np.uint64(opp), numbers)
    return numbers


def _discs(position: Position) -> tuple[int, int]:
    state = state_of(position)
    side = int(state[SIDE])
    return int(state[BLACK_DISCS + side]), int(state[WHITE_DISCS - side])
