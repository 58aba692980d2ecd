"""Iterative deepening: a kernel searches deeper and deeper in a worker thread until the stopper stops it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, tanh
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.game import Move
from ..kernels.scores import PROVEN, WIN
from .analysis import Analysis, Candidate, Reporter
from .aside import run_aside
from .companions import Companions
from .states import State
from .stopper import Stopper

POLL = 0.002  # seconds between two looks at the stopper
REPORT = 0.05  # seconds between two reports
MARGIN = 0.004  # seconds kept for ending in time, but at most a tenth of the limit
LAST_START = 0.55  # of the time limit: an iteration begun later would hardly end
FIRST_DOUBT = 0.3  # of the time limit: before that a change of mind means nothing
LARGE_DROP = 0.1  # of a value
LONG_AGREED = 4  # iterations
LEAP_FROM = 6  # the depth after which a search may go straight to the end
LONGEST_LEAP = 5.0  # seconds expected, where there is no limit
NODES_A_SECOND = 30e6  # of a kernel that solves
LONGEST_LINE = 64

Table: TypeAlias = NDArray[np.uint64]  # [entries, 2]


class Search(Protocol):
    """What the kernels of both games can do; they return how many root moves were completed."""

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
        """Search the root moves in their order."""


@dataclass(frozen=True, slots=True)
class Root:
    """A position to be searched, and how."""

    search: Search
    state: State
    moves: Sequence[Move]  # at least one
    objective: int
    prune: bool
    scale: float  # a score of this much is a value of tanh 1
    empties: int  # searched so deep, a result is exact
    seconds_to_solve: float = inf  # expected for that, when the kernel is better at it than at the depths before
    disc: int = 0  # the score of a disc, where the game counts them


class Deepening:
    """One search, from its first iteration to its answer."""

    def __init__(self, root: Root, table: Table, stopper: Stopper, report: Reporter, threads: int = 1) -> None:
        """More threads than one work where nothing but time limits the search: what they do depends on chance."""
        is_timed = stopper.limits.visits is None and stopper.limits.depth is None
        self._companions = Companions(threads - 1 if is_timed else 0)
        self._root = root
        self._table = table
        self._stopper = stopper
        self._report = report
        self._moves = np.array(root.moves, np.int16)  # best first
        self._scores = np.zeros(len(root.moves), np.int32)
        self._visits = np.zeros(len(root.moves), np.int64)
        self._line: list[Move] = []  # the best move's
        self._control = np.zeros(3, np.int64)  # stop, nodes, most nodes
        self._depth = 0
        self._is_whole = False  # the last iteration came to its end
        self._reported = 0.0
        self._agreed = 0  # iterations in a row that kept the best move
        self._score_before = 0  # of the best move, an iteration ago

    def run(self) -> Analysis:
        """Search; the first iteration takes no time and is always completed."""
        self._finish(self._iterate(_Iteration(1, len(self._moves))))
        self._control[2] = self._stopper.limits.visits or 0
        while not self._is_over():
            self._report(self._analysis)
            self._finish(self._iterate_aside(_Iteration(self._next_depth(), len(self._moves))))
        return self._analysis()

    def _is_over(self) -> bool:
        limits = self._stopper.limits
        if not self._is_whole or self._is_settled() or self._should_stop():
            return True
        if limits.depth is not None and self._depth >= limits.depth:
            return True
        return self._stopper.is_saving and self._has_spent_enough()

    def _has_spent_enough(self) -> bool:
        """True when another iteration would hardly end in time; a doubt buys time, an obvious move saves it."""
        if self._is_doubtful() and self._stopper.share_spent > FIRST_DOUBT:
            self._stopper.extend()
        return self._stopper.share_spent > (LAST_START / 2 if self._is_obvious() else LAST_START)

    def _is_doubtful(self) -> bool:
        """True when the last iteration changed its mind, or likes the best move much less than the one before."""
        value, before = (tanh(score / self._root.scale) for score in (int(self._scores[0]), self._score_before))
        return self._agreed == 0 or value < before - LARGE_DROP

    def _is_obvious(self) -> bool:
        """True when the best move has been best for long and no other comes near it."""
        far = int(self._scores[0]) - self._root.scale / 2
        return self._agreed >= LONG_AGREED and bool(self._scores[1:].max(initial=-WIN) < far)

    def _is_settled(self) -> bool:
        """True when the best move cannot change: it wins, it alone does not lose, or all is known."""
        if self._depth >= self._root.empties or abs(self._scores[0]) >= PROVEN:
            return True
        if len(self._moves) == 1:
            return not self._stopper.limits.barred  # what it is worth is asked for then, not whether it is the best
        return bool(self._scores[1:].max() <= -PROVEN)

    def _next_depth(self) -> int:
        """One more, or all the way to the end if that can be reached in half of what is left."""
        limits, empties = self._stopper.limits, self._root.empties
        is_allowed = limits.depth is None or limits.depth >= empties
        if self._depth < LEAP_FROM or not is_allowed or not self._can_be_solved():
            return self._depth + 1
        # Once the game is solved its other moves take no time.
        self._stopper.extend(self._stopper.elapsed + 2 * self._root.seconds_to_solve)
        return empties

    def _can_be_solved(self) -> bool:
        limits, seconds = self._stopper.limits, self._root.seconds_to_solve
        nodes_left = inf if limits.visits is None else limits.visits - int(self._control[1])
        seconds_left = max(self._seconds_left(), (limits.most or 0.0) - self._stopper.elapsed)
        return seconds < min(seconds_left / 2, LONGEST_LEAP) and seconds * NODES_A_SECOND < nodes_left / 2

    def _iterate_aside(self, iteration: _Iteration) -> _Iteration:
        """Search deeper while asking the stopper."""
        self._companions.begin(self._accompany, iteration.depth, self._moves)
        try:
            run_aside(lambda: self._iterate(iteration), self._patience, self._watch)
        finally:
            leave_or_end = self._companions.leave if self._control[0] else self._companions.end
            leave_or_end()
        return iteration

    def _watch(self) -> None:
        """Stop the kernel when it is time, and tell how it stands now and then."""
        if self._should_stop():
            self._control[0] = 1
            self._companions.stop()
        elif self._stopper.elapsed >= self._reported + REPORT:
            self._reported = self._stopper.elapsed
            self._report(self._analysis)

    def _should_stop(self) -> bool:
        return self._seconds_left() <= 0 or self._stopper.should_stop(int(self._control[1]))

    def _patience(self) -> float:
        return min(POLL, max(self._seconds_left(), POLL / 10))

    def _seconds_left(self) -> float:
        limit = self._stopper.seconds
        return inf if limit is None else limit - min(MARGIN, limit / 10) - self._stopper.elapsed

    def _iterate(self, iteration: _Iteration) -> _Iteration:
        iteration.completed = self._search(iteration, self._moves, self._control)
        return iteration

    def _accompany(self, depth: int, moves: NDArray[np.int16], control: NDArray[np.int64]) -> None:
        """An iteration whose result nobody asks for."""
        self._search(_Iteration(depth, len(moves)), moves, control)

    def _search(self, iteration: _Iteration, moves: NDArray[np.int16], control: NDArray[np.int64]) -> int:
        root = self._root
        how = (root.state, iteration.depth, root.objective, root.prune, self._table)
        return root.search(*how, moves, iteration.scores, iteration.nodes, iteration.line, control)

    def _finish(self, iteration: _Iteration) -> None:
        """Take over what an iteration found; a part of it is used as far as it came."""
        completed = iteration.completed
        self._is_whole = completed == len(self._moves)
        if completed == 0:
            return
        self._depth, score = iteration.depth, int(self._scores[0])
        self._visits += iteration.nodes
        self._scores[:completed] = iteration.scores[:completed]
        self._line = [int(move) for move in iteration.line[: int(iteration.line.argmin())]]
        best, self._score_before = self._moves[0], score
        order = self._order(completed)
        self._moves, self._scores, self._visits = self._moves[order], self._scores[order], self._visits[order]
        self._agreed = self._agreed + 1 if self._moves[0] == best else 0

    def _order(self, completed: int) -> NDArray[np.int64]:
        searched = np.argsort(-self._scores[:completed], kind="stable")
        others = np.arange(completed, len(self._moves))
        # Better a move that was not searched so deep than one that was found to lose.
        all_lose = self._scores[:completed].max() <= -PROVEN
        return np.concatenate([others, searched] if all_lose else [searched, others])

    def _analysis(self) -> Analysis:
        """The best move and those known to be worse; of the others it is only known that they are not better."""
        told = [place for place in range(len(self._moves)) if place == 0 or self._scores[place] < self._scores[0]]
        candidates = tuple(self._candidate(place) for place in told)
        nodes = int(self._control[1]) + self._companions.nodes
        return Analysis(candidates, nodes, self._stopper.elapsed, self._depth)

    def _candidate(self, place: int) -> Candidate:
        move, score = int(self._moves[place]), int(self._scores[place])
        proven = self._proven(place, score)
        value = float(proven) if proven is not None else tanh(score / self._root.scale)
        return Candidate(
            move=move,
            visits=int(self._visits[place]),
            value=value,
            prior=1 / len(self._moves),
            lcb=value,
            line=tuple(self._line) if self._line[0] == move else (move,),
            proven=proven,
            distance=None if proven is None else min(WIN - abs(score), self._root.empties),
            discs=self._discs(score),
        )

    def _discs(self, score: int) -> float | None:
        if not self._root.disc:
            return None
        return (
            score / self._root.disc if abs(score) < PROVEN else float(score - PROVEN if score > 0 else score + PROVEN)
        )

    def _proven(self, place: int, score: int) -> int | None:
        """What is certain: the best move's score is exact, the others' are upper bounds."""
        if score <= -PROVEN:
            return -1
        if place > 0:
            return None
        if score >= PROVEN:
            return 1
        return 0 if score == 0 and self._depth >= self._root.empties else None


class _Iteration:
    """Where the kernel writes."""

    def __init__(self, depth: int, num_moves: int) -> None:
        self.depth = depth
        self.scores = np.zeros(num_moves, np.int32)
        self.nodes = np.zeros(num_moves, np.int64)
        self.line = np.full(LONGEST_LINE, -1, np.int16)
        self.completed = 0
