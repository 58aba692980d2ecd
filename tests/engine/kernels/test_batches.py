import numpy as np
import pytest

from extremum.engine.games.game import Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, permutation, transform_position
from extremum.engine.kernels.batches import keys, turn
from extremum.engine.kernels.layout import OBJECTIVE, PASSED, RULE, SIDE
from tests.engine.kernels.positions import random_positions, states_of


@pytest.mark.parametrize("game", [Gomoku(7), Gomoku(20), Othello(6), Othello(8)], ids=str)
def test_a_turned_state_is_the_state_of_the_turned_position(game: Game) -> None:
    positions = random_positions(game, 1)[::7]
    goals = np.array([permutation(game.size, symmetry) for symmetry in SYMMETRIES], np.int16)
    for symmetry in SYMMETRIES:
        states = states_of(positions)
        turned = np.full_like(states, 7)
        turn(states, np.full(len(states), symmetry), goals, turned)
        expected = states_of([transform_position(position, symmetry) for position in positions])
        expected[:, PASSED] = states[:, PASSED]  # the turned position has no history
        assert (turned == expected).all()


def test_keys_tell_everything_apart_that_an_evaluation_depends_on() -> None:
    states = states_of([*random_positions(Gomoku(8), 2), *random_positions(Gomoku(8, rule="standard"), 1, seed=2)])
    states = np.unique(states, axis=0)
    variants = [states]
    for word in (SIDE, RULE, OBJECTIVE):
        changed = states.copy()
        changed[:, word] ^= 1 if word != RULE else 2
        variants.append(changed)
    every = np.unique(np.concatenate(variants), axis=0)
    hashes = np.empty(len(every), np.uint64)
    keys(every, hashes)
    assert len(np.unique(hashes)) == len(every)


def test_keys_of_equal_states_are_equal() -> None:
    states = states_of(random_positions(Othello(8), 1))
    first, second = np.empty((2, len(states)), np.uint64)
    keys(states, first)
    keys(states.copy(), second)
    assert (first == second).all()
