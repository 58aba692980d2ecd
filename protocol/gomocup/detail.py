"""Live lines about the search under way, as Yixin-Board and gomoku-calculator read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import atanh

from ...engine.games.game import Move
from ...engine.search.analysis import Analysis, Candidate
from ..lines import Found
from .desk import Call, Desk
from .points import write_point, write_points

INTERVAL = 0.1  # seconds between two reports
SCALE = 200.0  # the evaluation that is worth a value of tanh 1


class Details:
    """Tells of a search as much as the manager wants to know."""

    def __init__(self, desk: Desk, call: Call) -> None:
        self._desk = desk
        self._call = call
        self._next = desk.now() + INTERVAL
        self._best: Move | None = None
        self._lost: set[Move] = set()
        if desk.detail & 1:
            call.tell("MESSAGE REALTIME REFRESH")

    def __call__(self, make: Callable[[], Analysis]) -> None:
        """Have an analysis made and tell it, if it is time and anybody wants it."""
        now = self._desk.now()
        if self._desk.detail and now >= self._next:
            self._next = now + INTERVAL
            analysis = make()
            self.tell([(analysis, analysis.best)])

    def finish(self, lines: Sequence[Found]) -> None:
        """Tell how the search ended, if it was one."""
        if any(analysis.visits for analysis, _ in lines):
            self.tell(lines)

    def tell(self, lines: Sequence[Found]) -> None:
        """Tell of each line of play, best first."""
        size = self._desk.session.game.size
        if self._desk.detail & 1:
            self._mark(lines[0][0], size)
        if self._desk.detail & 2:
            for order, (analysis, candidate) in enumerate(lines):
                for text in _block(order, len(lines), analysis, candidate, size):
                    self._call.tell(f"INFO {text}")

    def _mark(self, analysis: Analysis, size: int) -> None:
        """Mark the best point and the ones that lose, each once."""
        if analysis.best.move != self._best:
            self._best = analysis.best.move
            self._call.tell(f"MESSAGE REALTIME BEST {write_point(self._best, size)}")
        for candidate in analysis.candidates:
            if candidate.proven == -1 and candidate.move not in self._lost:
                self._lost.add(candidate.move)
                self._call.tell(f"MESSAGE REALTIME LOST {write_point(candidate.move, size)}")


def write_evaluation(candidate: Candidate) -> str:
    """`+M5` and `-M5` are a win and a loss in so many plies."""
    if candidate.proven and candidate.distance is not None:
        return f"{'+' if candidate.proven > 0 else '-'}M{candidate.distance}"
    return str(round(evaluation(candidate.value)))


def evaluation(value: float) -> float:
    """A value of -1..+1 as an evaluation that has no bounds to speak of."""
    return SCALE * atanh(min(0.9999, max(-0.9999, value)))


def _block(order: int, count: int, analysis: Analysis, candidate: Candidate, size: int) -> Iterator[str]:
    milliseconds = round(analysis.seconds * 1000)
    yield f"PV {order}"
    yield f"NUMPV {count}"
    yield f"DEPTH {analysis.depth}"
    yield f"SELDEPTH {max(analysis.depth, len(candidate.line))}"
    yield f"NODES {candidate.visits}"
    yield f"TOTALNODES {analysis.visits}"
    yield f"TOTALTIME {milliseconds}"
    yield f"SPEED {analysis.speed:.0f}"
    yield f"EVAL {write_evaluation(candidate)}"
    yield f"WINRATE {min(1.0, max(0.0, (1 + candidate.value) / 2)):.6f}"
    yield f"BESTLINE {write_points(candidate.line or (candidate.move,), size)}"
    yield "PV DONE"
