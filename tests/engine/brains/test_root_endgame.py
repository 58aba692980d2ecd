"""Endgames that mcts solves before it searches."""

import random
import subprocess
import sys

import pytest

from extremum.engine.brains.root_endgame import RootEndgame
from extremum.engine.games.game import Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper

LOADS_NOTHING_LATER = """
import sys
from extremum.engine.brains.mcts import MctsBrain
from extremum.engine.games.othello import Othello
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper

brain, position = MctsBrain(Options(seed=1, memory=16, evaluator="patterns")), Othello(8).start()
brain.choose(position, Stopper(Limits(visits=1)))
before = set(sys.modules)
while position.outcome() is None and position.ply < 54:
    position = position.play(position.legal_moves()[0])
choice = brain.choose(position, Stopper(Limits(visits=1000)))
assert choice.analysis.best.proven is not None
print(sorted(name for name in set(sys.modules) - before if "kernels" in name))
"""


def endgame(position: Position, empties: int, seed: int = 1) -> Position:
    """A position of a random game with about so many empty squares, and with a choice."""
    rng, last = random.Random(seed), position.game.size**2 - 4 - empties
    while position.ply < last or len(position.legal_moves()) < 2:
        position = position.play(rng.choice(position.legal_moves()))
    return position


def result(position: Position) -> int:
    """What the side to move reaches, by all lines of play."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.side_to_move else -1
    after = [position.play(move) for move in position.legal_moves()]
    return max((1 if one.side_to_move == position.side_to_move else -1) * result(one) for one in after)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", [Othello(6), Misere(Othello(6))], ids=["ordinary", "misere"])
def test_what_is_found_is_the_result(game: Othello | Misere, seed: int) -> None:
    position = endgame(game.start(), 6, seed)
    found = RootEndgame(Options(memory=16), 6000.0).find(position, Stopper(Limits(visits=1000)))
    assert found is not None
    assert found.best.proven == result(position)
    assert found.best.move in position.legal_moves()


def test_nothing_is_begun_that_would_not_end_in_time() -> None:
    solver, position = RootEndgame(Options(memory=16), 6000.0), endgame(Othello(8).start(), 30)
    assert solver.find(position, Stopper(Limits(visits=100))) is None
    assert solver.find(position, Stopper(Limits(seconds=0.1))) is None
    assert solver.find(Gomoku(8).start(), Stopper(Limits(visits=100))) is None


def test_everything_is_loaded_before_the_first_endgame() -> None:
    done = subprocess.run([sys.executable, "-c", LOADS_NOTHING_LATER], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
