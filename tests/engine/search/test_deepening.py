from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from extremum.engine.games.gomoku import Gomoku
from extremum.engine.kernels import gomoku_search
from extremum.engine.kernels.scores import WIN
from extremum.engine.search.analysis import Analysis, ignore
from extremum.engine.search.deepening import Deepening, Root, Table
from extremum.engine.search.states import State, state_of
from extremum.engine.search.stopper import Limits, Stopper, never
from tests.doubles import FakeTime

TABLE = np.zeros((1 << 12, 2), np.uint64)
NODES = 10  # that a scripted search spends on a move


class ScriptedSearch:
    """Answers each depth from its script; past its end it waits to be stopped after so many moves."""

    def __init__(
        self, *script: list[int], then_completes: int = 0, then_scores: int = 0, now: FakeTime | None = None
    ) -> None:
        self._script = script
        self._now = now  # a depth takes a second of it
        self._then = then_completes, then_scores
        self.searched: list[list[int]] = []
        self.depths: list[int] = []

    def __call__(
        self,
        state: State,
        depth: int,
        objective: int,
        prune: bool,
        table: Table,
        moves: NDArray[np.int16],
        scores: NDArray[np.int32],
        nodes: NDArray[np.int64],
        line: NDArray[np.int16],
        control: NDArray[np.int64],
    ) -> int:
        self.searched.append([int(move) for move in moves])
        self.depths.append(depth)
        if self._now is not None:
            self._now.advance(1.0)
        if depth <= len(self._script):
            by_move = dict(zip(self.searched[0], self._script[depth - 1], strict=True))
            scores[:] = [by_move[int(move)] for move in moves]
            nodes[:] = NODES
            control[1] += NODES * len(moves)
            line[0] = moves[int(scores.argmax())]
            return len(moves)
        completed, scores[: self._then[0]] = self._then
        line[0] = moves[0]
        while not control[0]:
            os.sched_yield()
        return completed


def test_moves_are_sorted_by_their_scores() -> None:
    search = ScriptedSearch([1, 5, 3], [7, 2, 2])
    analysis = _run(search, Limits(depth=2))
    assert search.searched == [[0, 1, 2], [1, 2, 0]]
    assert [candidate.move for candidate in analysis.candidates] == [0, 1, 2]
    assert (analysis.depth, analysis.visits) == (2, 6 * NODES)


def test_the_deadline_ends_the_iteration() -> None:
    now = FakeTime(step=0.001)
    analysis = _run(ScriptedSearch([1, 5, 3]), Limits(seconds=0.2), now=now)
    assert now.seconds <= 0.3  # as often as it is looked at while a thread ends
    assert (analysis.best.move, analysis.depth) == (1, 1)


def test_an_interruption_ends_the_iteration() -> None:
    asked = iter([False] * 5 + [True] * 100)
    assert _run(ScriptedSearch([1, 5, 3]), Limits(), interrupted=lambda: next(asked)).best.move == 1


def test_no_iteration_is_begun_that_cannot_end_when_its_time_can_be_saved() -> None:
    assert _depth_reached([[1, 5, 3]] * 20, Limits(seconds=10.0, most=10.1)) == 6
    assert _depth_reached([[1, 5, 3]] * 20, Limits(seconds=10.0, most=10.0)) == 10
    assert _depth_reached([[1, 5, 3]] * 20, Limits(seconds=10.0)) == 10


def test_a_change_of_mind_buys_time() -> None:
    script = [[1, 5, 3]] * 5 + [[6, 5, 3]] * 15
    assert _depth_reached(script, Limits(seconds=10.0, most=30.0)) == 9


def test_a_best_move_that_turns_worse_buys_time() -> None:
    script = [[1, 50, 3]] * 5 + [[1, 10, 3]] * 15
    assert _depth_reached(script, Limits(seconds=10.0, most=30.0)) == 9


def test_time_is_bought_only_as_far_as_the_clock_can_bear() -> None:
    script = [[1, 5, 3], [6, 5, 3]] * 10
    assert _depth_reached(script, Limits(seconds=10.0, most=12.0)) == 7


def test_an_obvious_move_saves_time() -> None:
    assert _depth_reached([[1, 90, 3]] * 20, Limits(seconds=14.0, most=30.0)) == 5


def test_the_node_limit_ends_the_search() -> None:
    search = ScriptedSearch([1, 2, 3], [1, 2, 3], [1, 2, 3])
    assert _run(search, Limits(visits=5 * NODES)).visits == 6 * NODES


def test_the_kernel_itself_keeps_the_node_limit() -> None:
    position = Gomoku(15).start().play(112)
    root = Root(gomoku_search.search, state_of(position), position.legal_moves(), 1, True, 400.0, 224)
    analysis = Deepening(root, TABLE.copy(), Stopper(Limits(visits=3000)), ignore).run()
    assert analysis.visits == 3000


def test_a_part_of_an_iteration_is_used() -> None:
    search = ScriptedSearch([1, 5, 3], then_completes=1, then_scores=4)
    analysis = _run(search, Limits(seconds=0.2), now=FakeTime(step=0.001))
    assert (analysis.best.move, analysis.depth) == (1, 2)
    assert analysis.best.value == pytest.approx(np.tanh(0.04))


def test_a_move_found_to_lose_is_not_played_because_it_was_first() -> None:
    search = ScriptedSearch([1, 5, 3], then_completes=1, then_scores=4 - WIN)
    analysis = _run(search, Limits(seconds=0.2), now=FakeTime(step=0.001))
    assert analysis.best.move == 2
    assert (analysis.candidates[-1].move, analysis.candidates[-1].proven) == (1, -1)


def test_a_proven_win_ends_the_search() -> None:
    analysis = _run(ScriptedSearch([1, WIN - 3, 2]), Limits())
    assert (analysis.best.proven, analysis.best.distance, analysis.best.value) == (1, 3, 1.0)
    assert analysis.candidates[1].proven is None


def test_a_position_with_nothing_but_losses_ends_the_search() -> None:
    analysis = _run(ScriptedSearch([2 - WIN, 6 - WIN, 4 - WIN]), Limits())
    assert [candidate.move for candidate in analysis.candidates] == [1, 2, 0]
    assert [candidate.distance for candidate in analysis.candidates] == [6, 4, 2]


def test_the_only_move_that_does_not_lose_is_played_at_once() -> None:
    assert _run(ScriptedSearch([2 - WIN, 3, 4 - WIN]), Limits()).best.move == 1


def test_a_single_move_is_played_at_once() -> None:
    assert _run(ScriptedSearch([3]), Limits(), moves=[7]).depth == 1


def test_a_draw_is_proven_when_the_board_is_searched_to_its_end() -> None:
    analysis = _run(ScriptedSearch([0, -3, -4], [0, 2 - WIN, -4]), Limits(), empties=2)
    assert (analysis.best.proven, analysis.best.value, analysis.best.distance) == (0, 0.0, 2)
    assert [candidate.proven for candidate in analysis.candidates] == [0, None, -1]


@pytest.mark.parametrize(
    ("seconds", "limits", "depth"),
    [
        (0.4, Limits(seconds=1.0), 20),
        (0.6, Limits(seconds=1.0), 7),
        (0.6, Limits(seconds=1.0, most=1.3), 20),
        (0.6, Limits(seconds=1.0, most=1.1), 7),
        (1.0, Limits(), 20),
        (9.0, Limits(), 7),
        (0.1, Limits(visits=1000), 7),
        (0.1, Limits(depth=19), 7),
    ],
)
def test_a_search_leaps_to_an_end_that_is_near(seconds: float, limits: Limits, depth: int) -> None:
    search = ScriptedSearch(*[[1, 2, 3]] * 20)
    root = Root(search, np.zeros(1, np.uint64), [0, 1, 2], 1, True, 100.0, 20, seconds)
    Deepening(root, TABLE, Stopper(limits, now=FakeTime()), ignore).run()
    assert search.depths[6] == depth


def test_each_iteration_is_reported_and_long_ones_twice() -> None:
    reports: list[Analysis] = []
    search = ScriptedSearch([1, 5, 3], [1, 5, 4])
    now = FakeTime(step=0.001)
    root = Root(search, np.zeros(1, np.uint64), [0, 1, 2], 1, True, 100.0, 9)
    Deepening(root, TABLE, Stopper(Limits(seconds=0.5), now=now), lambda make: reports.append(make())).run()
    assert {report.depth for report in reports} == {1, 2}
    assert len(reports) >= 5


@pytest.mark.slow
def test_a_real_search_ends_in_time() -> None:
    position = Gomoku(15).start().play(112).play(113)
    root = Root(gomoku_search.search, state_of(position), position.legal_moves(), 1, True, 400.0, 223)
    for seconds in (0.02, 0.1, 0.3):
        stopper = Stopper(Limits(seconds=seconds))
        Deepening(root, TABLE.copy(), stopper, ignore).run()
        assert stopper.elapsed < seconds + 0.1  # a busy machine may keep the thread waiting


def _run(
    search: ScriptedSearch,
    limits: Limits,
    *,
    moves: list[int] | None = None,
    empties: int = 100,
    now: Callable[[], float] | None = None,
    interrupted: Callable[[], bool] = never,
) -> Analysis:
    root = Root(search, np.zeros(1, np.uint64), moves or [0, 1, 2], 1, True, 100.0, empties)
    stopper = Stopper(limits, interrupted, now or FakeTime())
    return Deepening(root, TABLE, stopper, ignore).run()


def _depth_reached(script: list[list[int]], limits: Limits) -> int:
    now = FakeTime()
    return _run(ScriptedSearch(*script, now=now), limits, now=now).depth
