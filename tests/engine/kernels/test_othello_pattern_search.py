from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest

from extremum.engine.evaluators.pattern_tables import shipped_tables
from extremum.engine.games.game import Color, Position
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.layout import BLACK_DISCS, EMPTIES, SIDE, WHITE_DISCS
from extremum.engine.kernels.othello_pattern_search import search
from extremum.engine.kernels.othello_patterns import count_numbers, pattern_value
from extremum.engine.kernels.othello_rows import NUM_LANES
from extremum.engine.kernels.othello_search import search as plain_search
from extremum.engine.kernels.scores import PROVEN
from extremum.engine.search.states import State, state_of
from tests.diagrams import Diagram, read_file
from tests.engine.kernels.pattern_weights import NO_ERRORS, random_weights
from tests.engine.kernels.positions import random_positions

WEIGHTS = random_weights()
SOLVED = 100  # a depth beyond every end
OBJECTIVES = [1, -1]


@dataclass
class Found:
    """A search and what it said."""

    position: Position
    depth: int
    objective: int = 1
    caution: int = 0
    limit: int = 0
    table: State = field(default_factory=lambda: np.zeros((1 << 14, 2), np.uint64))
    weights: npt.NDArray[np.int16] = field(default_factory=lambda: WEIGHTS)

    def __post_init__(self) -> None:
        self.moves = np.array(self.position.legal_moves(), np.int16)
        self.scores = np.zeros(len(self.moves), np.int32)
        self.nodes = np.zeros(len(self.moves), np.int64)
        self.line = np.full(64, -1, np.int16)
        self.control = np.array([0, 0, self.limit], np.int64)
        self.completed = 0

    def run(self) -> Found:
        how = (state_of(self.position), self.depth, self.objective, True, self.table)
        out = (self.moves, self.scores, self.nodes, self.line, self.control)
        errors = NO_ERRORS + 200
        self.completed = search(*how, *out, self.weights, errors, self.caution, np.zeros(1, np.uint64))
        return self

    @property
    def best(self) -> int:
        return int(self.scores.max())

    @property
    def move(self) -> int:
        return int(self.moves[int(self.scores.argmax())])


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_without_cuts_the_score_is_that_of_plain_minimax(objective: int, depth: int) -> None:
    for position in _some(8 if depth < 3 else 3):
        slow = _slow_scores(position, depth, objective)
        found = Found(position, depth, objective).run()
        assert found.completed == len(slow)
        assert found.best == max(slow)
        assert all(score >= true for score, true in zip(found.scores, slow, strict=True))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_used_table_changes_no_result(objective: int) -> None:
    table = np.zeros((1 << 14, 2), np.uint64)
    for position in _some(6):
        for depth in (5, 3, 4):
            used = Found(position, depth, objective, table=table).run()
            assert used.best == Found(position, depth, objective).run().best


def test_cuts_save_nodes() -> None:
    plain, cut = (sum(Found(it, 7, 1, caution).run().control[1] for it in _early(6)) for caution in (0, 100))
    assert cut < plain


def test_searches_with_and_without_cuts_may_share_a_table() -> None:
    table = np.zeros((1 << 14, 2), np.uint64)
    for position in _early(4):
        Found(position, 6, caution=100, table=table).run()
        assert Found(position, 6, table=table).run().best == Found(position, 6).run().best


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("num_empty", [1, 2, 5, 9, 12, 13])
def test_solving_equals_the_search_without_tables(objective: int, num_empty: int) -> None:
    for position in _late(num_empty, 4):
        assert Found(position, SOLVED, objective).run().best == _solved(position, objective)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_search_to_the_end_without_cuts_finds_the_margin(objective: int) -> None:
    for position in _late(10, 4):
        margin = _solved(position, objective)
        found = Found(position, 10, objective).run()
        assert found.best == 100 * (margin - PROVEN * ((margin > 0) - (margin < 0)))


def test_a_forced_pass_is_searched_like_any_move() -> None:
    positions = [it for it in random_positions(Othello(), 60) if it.legal_moves() == [64]]
    for position in positions[:6]:
        for depth in (3, SOLVED) if _empties(position) < 14 else (3,):
            assert Found(position, depth).run().best == -Found(position.play(64), depth).run().best


def test_the_line_can_be_played_and_begins_with_the_best_move() -> None:
    for position in _early(4) + _late(12, 2):
        for depth in (5, SOLVED) if _empties(position) < 14 else (5,):
            found = Found(position, depth).run()
            assert found.line[0] == found.move
            for move in found.line[: int(found.line.argmin())]:
                position = position.play(int(move))
            position = found.position


@pytest.mark.parametrize("limit", [1, 1000, 20_000])
@pytest.mark.parametrize("depth", [20, SOLVED])
def test_the_number_of_nodes_is_respected(limit: int, depth: int) -> None:
    found = Found(_late(22, 1)[0], depth, limit=limit).run()
    assert found.completed < len(found.moves)
    assert found.control[1] <= limit + 1200


def test_a_stop_after_the_result_is_known_keeps_it() -> None:
    kept = 0
    for position in _late(13, 6):
        truth = _solved(position, 1)
        for limit in (2000, 8000, 30_000):
            found = Found(position, SOLVED, limit=limit).run()
            if found.completed == len(found.moves):
                assert np.sign(found.best) == np.sign(truth)
                assert found.best <= truth or truth < 0
                kept += found.best != truth
    assert kept


@pytest.mark.slow
def test_a_problem_of_the_ffo_suite_is_solved() -> None:
    found = Found(_problem(read_file("ffo.txt")[0]), SOLVED, table=np.zeros((1 << 20, 2), np.uint64))
    found.weights = shipped_tables(1).weights
    assert (found.run().best, found.move) == (PROVEN + 38, 8)


def _problem(diagram: Diagram) -> Position:
    side = Color.BLACK if diagram.title.split()[1] == "X" else Color.WHITE
    return Othello().setup(diagram.black, diagram.white, side)


def _solved(position: Position, objective: int) -> int:
    found = Found(position, 60, objective)
    out = (found.moves, found.scores, found.nodes, found.line, found.control)
    plain_search(state_of(position), 60, objective, True, found.table, *out)
    return found.best


def _some(count: int) -> list[Position]:
    return random_positions(Othello(), 12, seed=7)[:: 640 // count][:count]


def _early(count: int) -> list[Position]:
    return _late(40, count)


def _late(num_empty: int, count: int) -> list[Position]:
    return [it for it in random_positions(Othello(), 3 * count, seed=5) if _empties(it) == num_empty][:count]


def _empties(position: Position) -> int:
    return int(state_of(position)[EMPTIES])


def _slow_scores(position: Position, depth: int, objective: int) -> list[int]:
    """The score of every move by plain negamax; a pass costs no depth."""
    passes = position.legal_moves() == [64]
    left = depth if passes else depth - 1
    return [-_slow(position.play(move), left, objective) for move in position.legal_moves()]


def _slow(position: Position, depth: int, objective: int) -> int:
    outcome = position.outcome()
    if outcome is not None:
        return 100 * objective * outcome.value(position.side_to_move) * outcome.margin
    if depth == 0:
        return _value(position, objective)
    return max(_slow_scores(position, depth, objective))


def _value(position: Position, objective: int) -> int:
    state = state_of(position)
    side, numbers = int(state[SIDE]), np.zeros(NUM_LANES, np.uint16)
    own, opp = state[BLACK_DISCS + side], state[WHITE_DISCS - side]
    count_numbers(own, opp, numbers)
    return int(pattern_value(own, opp, numbers, objective, WEIGHTS))
