"""The second look at a preferred move."""

from __future__ import annotations

from extremum.engine.brains.root_guard import FIRST_LOOK, RootGuard
from extremum.engine.brains.root_threats import RootThreats
from extremum.engine.evaluators.weightless import PatternsEvaluator
from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.search.mcts import MEGABYTE, Search
from extremum.engine.search.stopper import Limits, Stopper

VISITS = 400
SIZE = 15
BLACK, WHITE = ((7, 5), (7, 6), (7, 7)), ((8, 8), (2, 2))
FAR, NEAR = 0, 7 * SIZE + 8  # where white's stone does nothing, and where it stops the three


def open_three(game: Game) -> Position:
    """White is to move against an open three."""
    black, white = (sum(1 << SIZE * row + column for row, column in stones) for stones in (BLACK, WHITE))
    return game.setup(black, white, Color.WHITE)


def limited() -> Stopper:
    return Stopper(Limits(visits=VISITS))


def test_a_move_that_lets_the_opponent_win_by_threats_is_refuted() -> None:
    guard, position = RootGuard(RootThreats(6_000)), open_three(Gomoku(SIZE))
    stopper = limited()
    assert guard.refutation(position, FAR, stopper, VISITS) == 3  # an open four, a stone beside it, the row
    assert guard.refutation(position, NEAR, stopper, VISITS) == 0


def test_looks_begin_late_and_come_to_an_end() -> None:
    guard, position = RootGuard(RootThreats(6_000)), open_three(Gomoku(SIZE))
    stopper = limited()
    assert guard.refutation(position, FAR, stopper, int(FIRST_LOOK * VISITS) - 1) == 0
    found = [guard.refutation(position, move, stopper, VISITS) for move in range(40)]
    assert found[0] > 0
    assert found[-1] == 0
    assert guard.refutation(position, FAR, limited(), VISITS) > 0  # another search begins anew


def test_only_where_fours_win_is_there_anything_to_look_for() -> None:
    guard = RootGuard(RootThreats(6_000))
    assert guard.refutation(open_three(Misere(Gomoku(SIZE))), FAR, limited(), VISITS) == 0
    assert guard.refutation(Othello(8).start(), 19, limited(), VISITS) == 0


def test_a_search_turns_away_from_what_is_refuted_and_counts_all_visits() -> None:
    class Against:
        """Refutes whatever is preferred first."""

        def __init__(self) -> None:
            self.move: int | None = None

        def refutation(self, position: Position, move: int, stopper: Stopper, visits: int) -> int:
            if self.move is None:
                self.move = move
                return 7
            return 0

    guard = Against()
    search = Search(PatternsEvaluator(), 16 * MEGABYTE, guard=guard)
    choice = search.choose(Gomoku(9).start(), Stopper(Limits(visits=300)))
    refuted = next(each for each in choice.analysis.candidates if each.move == guard.move)
    assert choice.move != guard.move
    assert (refuted.proven, refuted.distance, refuted.visits) == (-1, 8, 1)
    assert search.tree.visits == 300
    assert choice.analysis.best.value > -0.5
