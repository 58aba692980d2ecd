"""The end of misère Gomoku as the brains see it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from extremum.engine.brains import make_brain
from extremum.engine.brains.root_misere import RootMisere, has_endings, is_ending
from extremum.engine.games.game import Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper
from tests.engine.search.small_games import random_position, solved

# Against a careful loser; white forces black to complete a row, but a search of twelve plies does not see it.
RECORD = """
63 53  0 90 80  9 91 99 19  8 89 98 97 93 92 96 94 95  7 70 60 29 39  6  5  3  1  2  4 10 20 30 50 40 13 11 31 21 22
12 18 81 71 23 88 41 51 69 59 79 49 14 68 28 26 17 82 83 84 61 32 16 25 27 43 38 47 36 34 58 56 57 77 24 37 72 52 73
75 46 86 67 78
"""
LOADS_NOTHING_LATER = """
import sys
from extremum.engine.brains import make_brain
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper

brain, position = make_brain("alphabeta", Options(seed=1, memory=16)), Misere(Gomoku(8)).start()
brain.choose(position, Stopper(Limits(visits=1)))
before = set(sys.modules)
for _ in range(48):
    position = position.play(brain.choose(position, Stopper(Limits(visits=100))).move)
brain.choose(position, Stopper(Limits(visits=1000)))
print(sorted(name for name in set(sys.modules) - before if "kernels" in name))
"""


def recorded() -> Position:
    position: Position = Misere(Gomoku(10)).start()
    for move in RECORD.split():
        position = position.play(int(move))
    return position


@pytest.mark.parametrize(("brain", "visits"), [("alphabeta", 200_000), ("mcts", 100)])
def test_a_loss_is_forced_that_no_search_sees(brain: str, visits: int) -> None:
    options = Options(seed=1, memory=16, evaluator="rollout")
    choice = make_brain(brain, options).choose(recorded(), Stopper(Limits(visits=visits)))
    assert choice.analysis.best.proven == 1
    assert choice.analysis.best.distance is None
    assert choice.analysis.visits < 100_000


def test_moves_that_lose_are_known_where_none_wins() -> None:
    positions = (random_position(Misere(Gomoku(5, 4)), 9, seed) for seed in range(200))
    position = next(each for each in positions if solved(each) == 0)
    ending = RootMisere(nodes_a_visit=1).look(position, Stopper(Limits()), np.zeros((1 << 12, 2), np.uint64))
    assert ending.win is None
    assert ending.losing == {move for move in position.legal_moves() if solved(position.play(move)) == 1}
    assert ending.losing


@pytest.mark.parametrize(
    "game", [Gomoku(5), Misere(Gomoku(5, rule="standard")), Misere(Gomoku(5, rule="renju")), Misere(Othello(6))]
)
def test_other_games_have_no_such_endings(game: Game) -> None:
    assert not has_endings(game)
    assert not is_ending(game.start())
    assert is_ending(random_position(Misere(Gomoku(5)), 20, 1))


def test_everything_is_loaded_before_the_first_ending() -> None:
    done = subprocess.run([sys.executable, "-c", LOADS_NOTHING_LATER], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
