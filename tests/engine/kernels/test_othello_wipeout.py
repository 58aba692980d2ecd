"""Forced wipeouts, against plain search by the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from extremum.engine.games.game import Color, Position
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.leaf import DISTANCE, UNKNOWN, leaf_result, make_leaf_work
from extremum.engine.kernels.othello_wipeout import MOST_DISCS
from extremum.engine.search.states import state_of

# Games that tree search lost, all discs of one side taken by the last move; the first three could not be saved before.
LOST = (
    "f5d6c6f6d7c7c8f4g3f3e3d3c3e6f7g5h5g6h7",
    "d3e3f3c3c4c5c6c7f6e6b3f4c8f5d6f2f1g5h5g6h7",
    "c4c5c6c3d3e3f6e6d6c7f5g6g5h5b6a7",
    "c4e3f4g5f6c5g3g4h4c3b6c6b4f3d2f5d6e2d3f2f1g6h7",
    "c4c3f5f4g3g6d3c6f6g5c2e6f7d6h5c5b6g4f3c7b8",
)


def played(text: str) -> list[Position]:
    positions: list[Position] = [Othello(8).start()]
    for column, row in zip(text[::2], text[1::2], strict=True):
        positions.append(positions[-1].play(8 * (int(row) - 1) + "abcdefgh".index(column)))
    return positions


def certain(position: Position) -> int:
    """The plies to a wipeout that is seen, 0 if none is."""
    work = make_leaf_work(empties=0)
    result = leaf_result(state_of(position), work)
    assert result in (1, UNKNOWN)
    return int(work.limits[DISTANCE]) if result == 1 else 0


def discs(position: Position) -> tuple[int, int]:
    """Of the side to move, and of the other."""
    both = position.black, position.white
    return both if position.side_to_move is Color.BLACK else (both[1], both[0])


def lopsided(game: Othello, games: int) -> Iterator[Position]:
    """Positions of games in which both sides like white to have few discs, more or less."""
    for seed in range(games):
        chance, position = random.Random(seed), game.start()
        while position.outcome() is None and position.ply < 24:
            yield position
            after = [position.play(move) for move in position.legal_moves()]
            position = min(after, key=lambda each: each.white.bit_count() + 2 * chance.random())


def takes_all(position: Position, plies: int) -> bool:
    """Whether the side to move can wipe the other out in so many plies, by the rules alone."""
    for move in position.legal_moves() if plies > 0 else ():
        after = position.play(move)
        if discs(after)[0] == 0:
            return True
        if after.outcome() is None and all(takes_all(after.play(reply), plies - 2) for reply in after.legal_moves()):
            return True
    return False


@pytest.mark.parametrize("number", range(len(LOST)))
def test_a_wipeout_is_seen_before_it_happens(number: int) -> None:
    positions = played(LOST[number])
    assert discs(positions[-1])[0] == 0
    assert certain(positions[-2]) == 1
    assert certain(positions[-4]) == (3 if number < 3 else 0)
    assert takes_all(positions[-4], 3) == (number < 3)


@pytest.mark.parametrize("size", [6, 8])
def test_wipeouts_are_true_and_none_of_one_move_is_missed(size: int) -> None:
    found = 0
    for position in lopsided(Othello(size), 200):
        plies = certain(position)
        found += plies > 0
        few = discs(position)[1].bit_count() <= MOST_DISCS
        assert takes_all(position, plies) if plies else not (few and takes_all(position, 1))
    assert found > 3


def test_in_the_misere_nobody_wants_to_wipe_out() -> None:
    last = played(LOST[0])[-2]
    assert certain(Misere(Othello(8)).setup(last.black, last.white, last.side_to_move)) == 0
