import numpy as np
import pytest

from extremum.engine.games.game import Color, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.layout import (
    BLACK_DISCS,
    BLACK_WON,
    DRAWN,
    EMPTIES,
    GOMOKU,
    GUARD,
    IN_A_ROW,
    KIND,
    NUM_LINES,
    OBJECTIVE,
    OTHELLO,
    PASSED,
    RENJU,
    RESULT,
    ROWS,
    RULE,
    SIDE,
    SIZE,
    STATE_WORDS,
    STONES,
    WHITE_DISCS,
)
from extremum.engine.search.states import state_of


def test_gomoku_header_and_rows() -> None:
    state = state_of(Gomoku(15, 5, "renju").start().play(112).play(0))
    assert len(state) == STATE_WORDS
    header = [int(state[word]) for word in (KIND, SIZE, SIDE, RESULT, EMPTIES, IN_A_ROW, RULE)]
    assert header == [GOMOKU, 15, Color.BLACK, 0, 223, 5, RENJU]
    assert state[STONES + ROWS + 7] == 1 << (GUARD + 7)
    assert state[STONES + NUM_LINES + ROWS] == 1 << GUARD


def test_othello_header_and_discs() -> None:
    state = state_of(Othello(6).start())
    header = [int(state[word]) for word in (KIND, SIZE, SIDE, RESULT, EMPTIES, PASSED)]
    assert header == [OTHELLO, 6, Color.BLACK, 0, 32, 0]
    assert state[BLACK_DISCS] == 1 << (2 * 8 + 3) | 1 << (3 * 8 + 2)
    assert state[WHITE_DISCS] == 1 << (2 * 8 + 2) | 1 << (3 * 8 + 3)


@pytest.mark.parametrize(
    ("position", "result"),
    [
        (Gomoku(5, 3).setup(0b111, 0, Color.WHITE), BLACK_WON),
        (Gomoku(3, 3).setup(0b101011010, 0b010100101, Color.BLACK), DRAWN),
    ],
)
def test_results(position: Position, result: int) -> None:
    assert state_of(position)[RESULT] == result


def test_a_misere_position_has_the_ordinary_state_but_for_its_objective() -> None:
    position = Gomoku(5, 3).setup(0b111, 0, Color.WHITE)
    differing = np.flatnonzero(state_of(misere(position)) != state_of(position))
    assert differing.tolist() == [OBJECTIVE]
