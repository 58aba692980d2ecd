"""Threads that search the same root beside the search that counts."""

from __future__ import annotations

import os
import threading
import time
from threading import Barrier, Event

import numpy as np
import pytest
from numpy.typing import NDArray

from extremum.engine.brains import make_brain
from extremum.engine.games.game import Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere, misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.claims import CLAIMS, give_back
from extremum.engine.kernels.gomoku_claims import claim_next as claim_point
from extremum.engine.kernels.gomoku_moves import CELL_BITS, LIST_HEAD, LISTS, NOTES_WORDS, point_at
from extremum.engine.kernels.gomoku_search import search_together
from extremum.engine.kernels.gomoku_table import EQUAL, find, score_of, store
from extremum.engine.kernels.othello_claims import claim_next
from extremum.engine.options import Options
from extremum.engine.search.analysis import Analysis, ignore
from extremum.engine.search.companions import FROM_DEPTH, Companions
from extremum.engine.search.deepening import Deepening, Root
from extremum.engine.search.pattern_search import pattern_search
from extremum.engine.search.states import state_of
from extremum.engine.search.stopper import Limits, Stopper
from tests.engine.search.small_games import random_position
from tests.engine.search.test_deepening import TABLE, ScriptedSearch

MOVES = np.array([3, 1, 4, 5], np.int16)


class Iterations:
    """Notes what each companion is to do, once all are there; the controls are counted on until they say stop."""

    def __init__(self, count: int) -> None:
        self._all = Barrier(count + 1, timeout=10)
        self.begun: set[tuple[int, tuple[int, ...]]] = set()

    def __call__(self, depth: int, moves: NDArray[np.int16], control: NDArray[np.int64]) -> None:
        self.begun.add((depth, tuple(int(move) for move in moves)))
        control[1] = 7
        self._all.wait()
        while not control[0]:
            time.sleep(0.001)

    def wait(self) -> None:
        self._all.wait()


def test_each_has_its_own_order_behind_the_first_move() -> None:
    companions, iterations = Companions(3), Iterations(3)
    companions.begin(iterations, FROM_DEPTH, MOVES)
    iterations.wait()
    companions.end()
    assert iterations.begun == {(FROM_DEPTH, order) for order in ((3, 4, 5, 1), (3, 5, 1, 4), (3, 1, 4, 5))}
    assert companions.nodes == 21


def test_a_thread_takes_the_next_move_that_no_other_one_is_searching() -> None:
    claims, key = np.zeros(CLAIMS, np.uint64), np.uint64(77)
    mine, other = (np.array([1 << 6 | 5, 4, 3, 2], np.int64) for _ in range(2))
    first = claim_next(claims, key, mine, 1, 4)
    second = claim_next(claims, key, other, 1, 4)
    assert (list(mine & 63), list(other & 63)) == ([5, 4, 3, 2], [5, 3, 4, 2])
    assert claim_next(claims, np.uint64(78), mine, 1, 4) not in (first, second)  # of another node
    give_back(claims, first)
    claim_next(claims, key, other, 2, 4)
    assert list(other & 63) == [5, 3, 4, 2]


def test_where_all_are_being_searched_the_likely_best_one_is_next() -> None:
    claims, row = np.zeros(CLAIMS, np.uint64), np.array([5, 4, 3], np.int64)
    for place in (1, 2):
        claim_next(claims, np.uint64(7), row, place, 3)
    claim_next(claims, np.uint64(7), row, 1, 3)
    assert list(row) == [5, 4, 3]


def listed(*cells: int) -> NDArray[np.int64]:
    """Notes with a list of points, the first one the best."""
    notes = np.zeros(NOTES_WORDS, np.int64)
    notes[LISTS + 1] = len(cells)
    entries = [len(cells) - place << CELL_BITS | cell for place, cell in enumerate(cells)]
    notes[LISTS + LIST_HEAD : LISTS + LIST_HEAD + len(cells)] = entries[::-1]
    return notes


def test_in_gomoku_the_best_point_that_no_other_one_is_searching_comes_next() -> None:
    claims, key = np.zeros(CLAIMS, np.uint64), np.uint64(77)
    mine, other = listed(50, 40, 30, 20), listed(50, 40, 30, 20)
    first = claim_point(claims, key, mine, 0, 0, 4)
    claim_point(claims, key, other, 0, 0, 4)
    assert [point_at(notes, 0, 0) for notes in (mine, other)] == [50, 40]
    give_back(claims, first)
    claim_point(claims, key, other, 0, 1, 4)
    assert point_at(other, 0, 1) == 50
    claim_point(claims, key, mine, 0, 1, 2)  # of two points both are being searched
    assert point_at(mine, 0, 1) == 40


@pytest.mark.parametrize("objective", [1, -1])
@pytest.mark.parametrize("nodes", [0, 500])
def test_a_search_of_gomoku_gives_all_of_its_claims_back(objective: int, nodes: int) -> None:
    position = Gomoku(9).start().play(40).play(41)
    state = state_of(position if objective > 0 else misere(position))
    moves, claims = np.array(position.legal_moves(), np.int16), np.zeros(CLAIMS, np.uint64)
    scores, counts, line = np.zeros(81, np.int32), np.zeros(81, np.int64), np.zeros(81, np.int16)
    control, table = np.array([0, 0, nodes]), np.zeros((1 << 12, 2), np.uint64)
    done = search_together(state, 6, objective, True, table, moves, scores, counts, line, control, claims)
    assert (done == 79) == (nodes == 0)
    assert not claims.any()


def test_a_search_gives_all_of_its_claims_back() -> None:
    search = pattern_search(1)
    control, moves = np.zeros(3, np.int64), np.array(Othello(8).start().legal_moves(), np.int16)
    scores, nodes, line = np.zeros(4, np.int32), np.zeros(4, np.int64), np.zeros(64, np.int16)
    state, table = state_of(Othello(8).start()), np.zeros((1 << 12, 2), np.uint64)
    assert search(state, 9, 1, True, table, moves, scores, nodes, line, control) == 4
    assert not search.keywords["claims"].any()  # type: ignore[attr-defined]  # a partial


def test_those_that_are_left_are_told_to_stop_and_not_waited_for() -> None:
    sign, begun = Event(), Event()

    def iterate(depth: int, moves: NDArray[np.int16], control: NDArray[np.int64]) -> None:
        begun.set()
        assert sign.wait(10)
        assert control[0] == 1

    companions = Companions(1)
    companions.begin(iterate, FROM_DEPTH, MOVES)
    assert begun.wait(10)
    before = time.monotonic()
    companions.leave()
    assert time.monotonic() - before < 5
    sign.set()
    companions.end()


def test_there_are_none_for_what_ends_at_once() -> None:
    companions = Companions(2)
    companions.begin(Iterations(2), FROM_DEPTH - 1, MOVES)
    companions.end()
    assert companions.nodes == 0


@pytest.mark.parametrize(
    ("limits", "threads"), [(Limits(seconds=0.05), 3), (Limits(visits=100), 1), (Limits(depth=6), 1)]
)
def test_they_are_there_only_where_time_limits_the_search(limits: Limits, threads: int) -> None:
    search = ScriptedSearch(*[[1, 2, 3]] * 9)
    root = Root(search, np.zeros(1, np.uint64), [0, 1, 2], 1, True, 100.0, 100)
    analysis = Deepening(root, TABLE, Stopper(limits), ignore, threads=3).run()
    assert analysis.depth >= min(limits.depth or 9, 3)
    assert search.depths.count(5) <= 1 if threads == 1 else search.depths.count(5) >= 2


def solved(position: Position, threads: int) -> Analysis:
    brain = make_brain("alphabeta", Options(seed=1, threads=threads, memory=16))
    return brain.choose(position, Stopper(Limits())).analysis


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_with_companions_othello_is_solved_as_without(seed: int) -> None:
    position = random_position(Othello(8), 20, seed)
    alone, accompanied = (solved(position, threads) for threads in (1, 4))
    assert accompanied.best.discs == alone.best.discs
    assert accompanied.best.proven == alone.best.proven


@pytest.mark.slow
@pytest.mark.parametrize("game", [Gomoku(4, in_a_row=3), Gomoku(4, in_a_row=4), Misere(Gomoku(4, in_a_row=3))])
def test_with_companions_gomoku_is_solved_as_without(game: Game) -> None:
    position = game.start().play(0)
    alone, accompanied = (solved(position, threads) for threads in (1, 4))
    assert accompanied.best.proven == alone.best.proven
    assert accompanied.best.proven is not None


@pytest.mark.slow
def test_with_companions_a_search_of_gomoku_is_stopped_in_time_and_counts_what_all_visited() -> None:
    brain = make_brain("alphabeta", Options(seed=1, threads=3, memory=16))
    position = Gomoku(15).start().play(112).play(113)
    brain.choose(position, Stopper(Limits(visits=100)))
    stopper = Stopper(Limits(seconds=0.3))
    analysis = brain.choose(position, stopper).analysis
    assert stopper.elapsed < 0.5  # a busy machine may keep the thread waiting
    assert analysis.visits > sum(candidate.visits for candidate in analysis.candidates)


@pytest.mark.slow
def test_more_threads_than_processors_make_no_move_late() -> None:
    brain = make_brain("alphabeta", Options(seed=1, threads=256, memory=16))
    position = Gomoku(15).start().play(112).play(113)
    brain.choose(position, Stopper(Limits(visits=100)))
    before = threading.active_count()
    brain.choose(position, Stopper(Limits(seconds=0.2)))
    assert threading.active_count() <= before + (os.cpu_count() or 1)


def test_an_entry_that_two_threads_wrote_matches_nothing() -> None:
    table, key = np.zeros((4, 2), np.uint64), 1 << 40
    store(table, key, 55, EQUAL, 3, 7, 0)
    assert score_of(find(table, key), 0) == 55
    (slot,) = np.flatnonzero(table[:, 1])
    table[slot, 1] ^= np.uint64(1 << 30)
    assert find(table, key) == 0
