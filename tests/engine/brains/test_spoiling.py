from extremum.engine.brains.alphabeta import AlphaBetaBrain
from extremum.engine.brains.spoiling import least_spoiling
from extremum.engine.games.game import Color
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import misere
from extremum.engine.options import Options
from extremum.engine.search.stopper import Limits, Stopper


def test_moves_in_the_opponents_lines_come_last_and_equals_keep_their_order() -> None:
    position = Gomoku(9).setup(1 << 0, sum(1 << move for move in (39, 40, 41)), Color.BLACK)
    ordered = least_spoiling(position, [38, 8, 42, 80, 1])
    assert set(ordered[-2:]) == {38, 42}
    assert least_spoiling(position, [7, 8, 1]) == [7, 8, 1]
    assert sorted(ordered) == [1, 8, 38, 42, 80]


def test_a_loser_leaves_the_winners_four_alone() -> None:
    """White wants to lose; black's open four is left open, and so is the game lost at once to a player who sees it."""
    four = sum(1 << move for move in (38, 39, 40, 41))
    position = misere(Gomoku(9).setup(four, 1 << 20 | 1 << 22 | 1 << 60, Color.WHITE))
    for seed in range(1, 4):
        choice = AlphaBetaBrain(Options(seed=seed, memory=1)).choose(position, Stopper(Limits(visits=2000)))
        assert choice.move not in (37, 42)
