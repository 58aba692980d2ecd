from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from extremum.engine.games.game import Bits, Color, Position
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, transform_position
from extremum.engine.kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from extremum.engine.kernels.othello import mobility, playable_squares
from extremum.engine.kernels.othello_stable import stable_discs
from extremum.engine.kernels.othello_value import features, value
from extremum.engine.kernels.othello_weights import CORNER, EDGE_STABLE, MOVES, NUM_FEATURES, TEMPO, WEIGHTS
from extremum.engine.kernels.scores import PROVEN
from extremum.engine.search.states import state_of
from tests.engine.kernels.positions import random_positions

GAMES = [Othello(8), Othello(6)]
AXES = [(0, 1), (1, 0), (1, 1), (1, -1)]
Cell = tuple[int, int]


@pytest.mark.parametrize("game", GAMES)
def test_stable_discs_are_those_held_on_all_four_lines(game: Othello) -> None:
    for position in random_positions(game, 20):
        mine, yours = stable_discs(*_discs(position), playable_squares(game.size))
        own, opp = _cells(position)
        assert _set(int(mine)) == _held(own, own | opp, game.size)
        assert _set(int(yours)) == _held(opp, own | opp, game.size)


@pytest.mark.parametrize("game", GAMES)
def test_stable_discs_stay_to_the_end(game: Othello) -> None:
    rng = random.Random(3)
    for position in random_positions(game, 10):
        stable, _ = (int(discs) for discs in stable_discs(*_discs(position), playable_squares(game.size)))
        side, later = position.side_to_move, position
        while later.outcome() is None:
            later = later.play(rng.choice(later.legal_moves()))
        state = state_of(later)
        assert not stable & ~int(state[BLACK_DISCS + side])


@pytest.mark.parametrize("game", GAMES)
def test_features_equal_a_plain_count(game: Othello) -> None:
    for position in random_positions(game, 10):
        counted = _features(position)
        ours, theirs = (dict(_count(position, side)) for side in (False, True))
        assert counted == [ours[name] - theirs[name] for name in ours] + [1]


@pytest.mark.parametrize("game", GAMES)
def test_the_other_side_counts_the_opposite(game: Othello) -> None:
    for position in random_positions(game, 5):
        counted = _features(position.turned(position.side_to_move.opponent))
        assert counted[:TEMPO] == [-number for number in _features(position)[:TEMPO]]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("objective", [1, -1])
def test_the_eight_symmetries_are_worth_the_same(game: Othello, objective: int) -> None:
    for position in random_positions(game, 2):
        values = {_value(transform_position(position, symmetry), objective) for symmetry in SYMMETRIES}
        assert len(values) == 1


def test_a_finished_game_is_scored_by_its_margin() -> None:
    ended = Othello().setup(black=0b111, white=1 << 60, side_to_move=Color.BLACK)
    assert _value(ended, 1) == PROVEN + 2
    assert _value(ended, -1) == -PROVEN - 2
    assert _value(ended.turned(Color.WHITE), 1) == -PROVEN - 2
    assert _value(Othello().setup(1, 1 << 60, Color.BLACK), -1) == 0


def test_estimates_stay_below_proofs() -> None:
    for game in GAMES:
        for position in random_positions(game, 10):
            assert max(abs(_value(position, objective)) for objective in (1, -1)) < 500_000


def test_the_misere_turns_corners_round_but_wants_moves_too() -> None:
    strongest, weakest = WEIGHTS[:, 10:]
    assert (strongest[:, [CORNER, EDGE_STABLE]] > 0).all()
    assert (weakest[:, [CORNER, EDGE_STABLE]] < 0).all()
    assert (strongest[:, MOVES] > 0).all()
    assert (weakest[:, MOVES] > 0).all()


def _value(position: Position, objective: int) -> int:
    return int(value(*_discs(position), playable_squares(position.game.size), objective))


def _features(position: Position) -> list[int]:
    own, opp = _discs(position)
    board = playable_squares(position.game.size)
    counted = features(own, opp, board, mobility(own, opp, board), mobility(opp, own, board))
    assert len(counted) == NUM_FEATURES
    return list(counted)


def _discs(position: Position) -> tuple[np.uint64, np.uint64]:
    """The bitboards of the side to move and of the other one."""
    state = state_of(position)
    side = int(state[SIDE])
    return state[BLACK_DISCS + side], state[WHITE_DISCS - side]


def _set(board: Bits) -> set[Cell]:
    return {divmod(square, 8) for square in range(64) if board >> square & 1}


def _cells(position: Position) -> tuple[set[Cell], set[Cell]]:
    own, opp = _discs(position)
    return _set(int(own)), _set(int(opp))


def _held(own: set[Cell], occupied: set[Cell], size: int) -> set[Cell]:
    """The slow twin of stability: grow from nothing while a disc is held on every axis."""
    stable: set[Cell] = set()
    while grown := {
        cell for cell in own - stable if all(_is_held(cell, axis, stable, occupied, size) for axis in AXES)
    }:
        stable |= grown
    return stable


def _is_held(cell: Cell, axis: Cell, stable: set[Cell], occupied: set[Cell], size: int) -> bool:
    ahead, behind = _ray(cell, axis, size), _ray(cell, (-axis[0], -axis[1]), size)
    if not ahead or not behind or occupied.issuperset(ahead + behind):
        return True
    return ahead[0] in stable or behind[0] in stable


def _ray(cell: Cell, step: Cell, size: int) -> list[Cell]:
    found, (row, column) = [], (cell[0] + step[0], cell[1] + step[1])
    while 0 <= row < size and 0 <= column < size:
        found.append((row, column))
        row, column = row + step[0], column + step[1]
    return found


def _count(position: Position, other_side: bool) -> Iterator[tuple[str, int]]:
    """The slow twin of the features: what one side has, in the order of the weights."""
    size = position.game.size
    own, opp = _cells(position)[:: -1 if other_side else 1]
    turned = position.turned(position.side_to_move.opponent) if other_side else position
    empty = {(row, column) for row in range(size) for column in range(size)} - own - opp
    exposed = {cell for corner in empty if _depths(corner, size) == (0, 0) for cell in _around(corner)}
    yield from _squares(own, exposed, size)
    stable = _held(own, own | opp, size) if any(_depths(cell, size) == (0, 0) for cell in own | opp) else set()
    yield "edge stable", sum(_depths(cell, size)[0] == 0 for cell in stable)
    yield "inner stable", sum(_depths(cell, size)[0] > 0 for cell in stable)
    yield "moves", len([move for move in turned.legal_moves() if move < size * size])
    yield "frontier", sum(bool(_around(cell) & opp) for cell in empty)
    yield "discs", len(own)


def _squares(own: set[Cell], exposed: set[Cell], size: int) -> Iterator[tuple[str, int]]:
    def number(test: Callable[[Cell, Cell], bool]) -> int:
        return sum(test(cell, _depths(cell, size)) for cell in own)

    yield "corner", number(lambda cell, depths: depths == (0, 0))
    yield "c", number(lambda cell, depths: depths == (0, 1) and cell in exposed)
    yield "x", number(lambda cell, depths: depths == (1, 1) and cell in exposed)
    yield "edge", number(lambda cell, depths: depths[0] == 0 and depths[1] > 0 and cell not in exposed)
    yield "ring", number(lambda cell, depths: depths[0] == 1 and cell not in exposed)


def _depths(cell: Cell, size: int) -> Cell:
    """How far a square is from the nearest edge, and from the nearest edge of the other direction."""
    near, far = sorted(min(place, size - 1 - place) for place in cell)
    return near, far


def _around(cell: Cell) -> set[Cell]:
    steps = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]
    return {(cell[0] + row, cell[1] + column) for row, column in steps} - {cell}
