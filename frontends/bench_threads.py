"""The benchmark's lines on what more threads than one bring where time is the limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import geometric_mean, median

import numpy as np

from ..engine.brains import make_brain
from ..engine.brains.mcts import good_batch
from ..engine.evaluators.native import ShortEvaluator
from ..engine.evaluators.symmetric import turned
from ..engine.games.game import Position
from ..engine.games.misere import misere
from ..engine.kernels.puct import Puct
from ..engine.options import Options
from ..engine.processors import num_threads
from ..engine.search.analysis import Analysis
from ..engine.search.mcts import MEGABYTE, Search
from ..engine.search.opened import pace
from ..engine.search.stopper import Limits, Stopper
from .bench_nets import random_net
from .bench_search import LARGE_TREE, ROUNDS, Line, quiet
from .bench_solvers import ffo_position, solved

SOLVED = 42  # the position of the FFO suite that threads solve together
PLIES = (12, 16, 20, 24, 28, 32)  # of the positions that alpha-beta searches
STONES, PLAYED = (2, 3, 4, 5, 6), 4  # by chance, and by a shallow search: so that threats do not decide at once
SHALLOW = 4
LONGEST = 60.0  # seconds of such a search
NONE = "none"


def figures(seconds: float) -> Iterator[Line]:
    """Measure for so many seconds each; alpha-beta and the solver take what they take."""
    threads = num_threads(0)
    yield f"mcts short b4c32 15x15, {threads} threads", f"{_playouts(threads, seconds):.2f} times the playouts", NONE
    for what, positions, depth in _searched():
        ratio = sooner(positions, depth, threads)
        yield f"alphabeta {what} to depth {depth}, {threads} threads", f"{ratio:.2f} times as quick", NONE
    yield f"othello solved, FFO {SOLVED}, {threads} threads", f"{_solution(threads):.2f} times as quick", NONE


def _searched() -> Iterator[tuple[str, list[Position], int]]:
    """What alpha-beta searches, and how deep."""
    yield "gomoku 15x15", [_played_on(quiet("gomoku", 15, stones)) for stones in STONES], 11
    yield "misère gomoku 15x15", [misere(quiet("gomoku", 15, plies)) for plies in PLIES], 7
    yield "othello 8x8", [quiet("othello", 8, plies) for plies in PLIES], 22


def _played_on(position: Position) -> Position:
    brain = make_brain("alphabeta", Options(seed=1, threads=1))
    for _ in range(PLAYED):
        position = position.play(brain.choose(position, Stopper(Limits(depth=SHALLOW))).move)
    return position


def _playouts(threads: int, seconds: float) -> float:
    """Beside one thread's; both in turns, the medians."""
    position, net = quiet("gomoku", 15, 8), ShortEvaluator(random_net("gomoku", "b4c32", 15))
    searches = [_search(net, position, helpers) for helpers in (0, threads - 1)]
    rows = [[_playouts_a_second(search, position, seconds) for search in searches] for _ in range(ROUNDS)]
    alone, by_all = (median(column) for column in zip(*rows, strict=True))
    return float(by_all / alone)


def _search(evaluator: ShortEvaluator, position: Position, helpers: int) -> Search:
    batch = good_batch("cpu", pace(evaluator, position.game))
    views = turned(evaluator, np.random.default_rng(1))
    search = Search(views, 256 * MEGABYTE, batch, Puct(collisions=batch, tactics=True), helpers=helpers)
    search.choose(position, Stopper(Limits(visits=LARGE_TREE)))
    return search


def _playouts_a_second(search: Search, position: Position, seconds: float) -> float:
    before, begun = search.tree.visits, time.perf_counter()
    search.choose(position, Stopper(Limits(seconds=seconds)))
    return (search.tree.visits - before) / (time.perf_counter() - begun)


def sooner(positions: list[Position], depth: int, threads: int) -> float:
    """How much sooner than one so many threads search positions so deep; the geometric mean."""
    return geometric_mean([_seconds_to(depth, each, 1) / _seconds_to(depth, each, threads) for each in positions])


def _seconds_to(depth: int, position: Position, threads: int) -> float:
    """Threads work together where time alone is the limit: the end of an iteration ends the search."""
    brain = make_brain("alphabeta", Options(seed=1, threads=threads))
    brain.choose(position, Stopper(Limits(visits=1, depth=1)))
    reached = 0

    def note(told: Callable[[], Analysis]) -> None:
        nonlocal reached
        reached = told().depth

    stopper = Stopper(Limits(seconds=LONGEST), interrupted=lambda: reached >= depth)
    return brain.choose(position, stopper, note).analysis.seconds


def _solution(threads: int) -> float:
    """Both in turns, the medians."""
    position = ffo_position(SOLVED)
    rows = [[solved(position, threads=count).seconds for count in (1, threads)] for _ in range(ROUNDS)]
    alone, by_all = (median(column) for column in zip(*rows, strict=True))
    return float(alone / by_all)
