from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Thread

import numpy as np
import pytest

from extremum.engine.games.game import Position
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from extremum.engine.kernels.othello import playable_squares
from extremum.engine.kernels.othello_search import search
from extremum.engine.kernels.othello_value import value
from extremum.engine.kernels.scores import PROVEN
from extremum.engine.search.states import State, state_of
from tests.engine.kernels.positions import random_positions

GAMES = [Othello(8), Othello(6)]
OBJECTIVES = [1, -1]


@dataclass
class Found:
    """A search and what it said."""

    position: Position
    depth: int
    objective: int = 1
    prune: bool = True
    limit: int = 0
    table: State = field(default_factory=lambda: np.zeros((1 << 12, 2), np.uint64))

    def __post_init__(self) -> None:
        self.moves = np.array(self.position.legal_moves(), np.int16)
        self.scores = np.zeros(len(self.moves), np.int32)
        self.nodes = np.zeros(len(self.moves), np.int64)
        self.line = np.full(64, -1, np.int16)
        self.control = np.array([0, 0, self.limit], np.int64)
        self.completed = 0

    def run(self) -> Found:
        state = state_of(self.position)
        out = (self.moves, self.scores, self.nodes, self.line, self.control)
        self.completed = search(state, self.depth, self.objective, self.prune, self.table, *out)
        return self

    @property
    def best(self) -> int:
        return int(self.scores.max())

    @property
    def variation(self) -> list[int]:
        return [int(move) for move in self.line[: int(np.argmin(self.line))]]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_pruning_changes_no_score(game: Othello, objective: int, depth: int) -> None:
    for position in _some(game, 10 if depth < 3 else 4):
        slow = _slow_scores(position, depth, objective)
        found = Found(position, depth, objective).run()
        assert found.completed == len(slow)
        assert found.best == max(slow)
        assert slow[int(found.scores.argmax())] == max(slow)
        assert all(score >= true for score, true in zip(found.scores, slow, strict=True))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_without_pruning_every_score_is_exact(game: Othello, objective: int, depth: int) -> None:
    for position in _some(game, 10 if depth < 3 else 4):
        found = Found(position, depth, objective, prune=False).run()
        assert list(found.scores) == _slow_scores(position, depth, objective)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("num_empty", [1, 2, 3, 4, 5, 6, 7])
def test_late_positions_are_solved(game: Othello, objective: int, prune: bool, num_empty: int) -> None:
    for position in _late(game, num_empty, 30 if num_empty < 6 else 6):
        assert Found(position, 60, objective, prune).run().best == max(_slow_scores(position, 60, objective))


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("num_empty", [9, 11])
def test_solving_equals_plain_minimax_to_the_end(objective: int, num_empty: int) -> None:
    for position in _late(Othello(), num_empty, 4):
        solved = Found(position, num_empty, objective, table=_table(16)).run()
        assert abs(solved.best) >= PROVEN or solved.best == 0
        assert solved.best == Found(position, num_empty, objective, prune=False, table=_table(16)).run().best


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_deep_searches_agree_with_plain_minimax(objective: int) -> None:
    for position in _some(Othello(), 6):
        pruned = Found(position, 5, objective, table=_table(16)).run()
        assert pruned.best == Found(position, 5, objective, prune=False, table=_table(16)).run().best
        assert pruned.control[1] < 200_000


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("prune", [True, False])
def test_a_used_table_changes_no_result(objective: int, prune: bool) -> None:
    table = _table(14)
    for position in _some(Othello(), 12):
        for depth in (6, 3, 4, 5) if prune else (4, 2, 3):
            fresh = Found(position, depth, objective, prune).run()
            used = Found(position, depth, objective, prune, table=table).run()
            assert used.best == fresh.best


def test_objectives_and_prunings_may_share_a_table() -> None:
    table = _table(14)
    for position in _some(Othello(), 6) + _late(Othello(), 9, 6):
        for objective in OBJECTIVES:
            for prune in (True, False):
                shared = Found(position, 4, objective, prune, table=table).run()
                assert shared.best == Found(position, 4, objective, prune).run().best


def test_the_order_of_the_root_moves_changes_no_result() -> None:
    for position in _some(Othello(), 10):
        found, turned = Found(position, 4), Found(position, 4)
        turned.moves = found.moves[::-1].copy()
        assert found.run().best == turned.run().best


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("prune", [True, False])
def test_the_line_can_be_played_and_begins_with_the_best_move(game: Othello, prune: bool) -> None:
    for position in _some(game, 10):
        found = Found(position, 4, prune=prune).run()
        assert found.variation[0] == found.moves[int(found.scores.argmax())]
        is_early = found.position.ply < game.size**2 - 16
        assert len(found.variation) >= (3 if is_early else 1)
        for move in found.variation:
            position = position.play(move)


def test_a_forced_pass_is_searched_without_losing_depth() -> None:
    passes = [position for position in random_positions(Othello(), 60) if position.legal_moves() == [64]]
    assert passes
    for position in passes[:8]:
        after = position.play(64)
        assert Found(position, 3).run().best == -Found(after, 3).run().best


def test_among_wins_more_discs_are_better_and_fewer_in_the_misere() -> None:
    for position in _late(Othello(), 6, 10):
        assert Found(position, 6, 1).run().best == _proven(_margin(position, 1))
        assert Found(position, 6, -1).run().best == _proven(-_margin(position, -1))


def test_nodes_are_counted_for_each_move() -> None:
    found = Found(Othello().start(), 6).run()
    assert found.nodes.min() > 0
    assert found.nodes.sum() == found.control[1]


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("limit", [1, 1000, 5000, 50_000])
def test_the_number_of_nodes_is_respected(prune: bool, limit: int) -> None:
    for position in [Othello().start(), *_late(Othello(), 20, 1)]:
        found = Found(position, 30, prune=prune, limit=limit, table=_table(14)).run()
        assert found.completed < len(found.moves)
        assert found.control[1] <= limit + 1200


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("depth", [40, 60])
def test_the_stop_flag_ends_a_search_at_once(prune: bool, depth: int) -> None:
    position = _late(Othello(), 32, 1)[0]
    found = Found(position, depth, prune=prune, table=_table(14))
    thread = Thread(target=found.run)
    thread.start()
    while not found.control[1]:
        time.sleep(0.001)
    found.control[0] = 1
    stopped = time.monotonic()
    thread.join()
    assert time.monotonic() - stopped < 0.1
    assert found.completed < len(found.moves)


def _some(game: Othello, count: int) -> list[Position]:
    """Positions from all over some random games, ends included that are near."""
    return random_positions(game, 12, seed=7)[:: game.size**2 * 10 // count][:count]


def _late(game: Othello, num_empty: int, count: int) -> list[Position]:
    positions = random_positions(game, 3 * count, seed=5)
    size = game.size**2
    return [it for it in positions if size - (it.black | it.white).bit_count() == num_empty][:count]


def _table(bits: int) -> State:
    return np.zeros((1 << bits, 2), np.uint64)


def _slow_scores(position: Position, depth: int, objective: int) -> list[int]:
    """The score of every move by plain negamax; a pass costs no depth."""
    passes = position.legal_moves() == [position.game.pass_move]
    left = depth if passes else depth - 1
    return [-_slow(position.play(move), left, objective) for move in position.legal_moves()]


def _slow(position: Position, depth: int, objective: int) -> int:
    if depth == 0 or position.outcome() is not None:
        state = state_of(position)
        side = int(state[SIDE])
        board = playable_squares(position.game.size)
        return int(value(state[BLACK_DISCS + side], state[WHITE_DISCS - side], board, objective))
    return max(_slow_scores(position, depth, objective))


def _margin(position: Position, objective: int) -> int:
    """The discs by which the side to move wins when both play their best: for most or for fewest."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.value(position.side_to_move) * outcome.margin
    margins = [-_margin(position.play(move), objective) for move in position.legal_moves()]
    return max(margins) if objective > 0 else min(margins)


def _proven(margin: int) -> int:
    return margin + PROVEN * ((margin > 0) - (margin < 0))
