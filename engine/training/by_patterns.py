"""Othello's tables of patterns, as a method of training: quick games from nothing, then rounds of better ones.

A run that begins with tables leaves the quick games out. Beside its state it keeps a file of games for each part of a
round; what was under way when a run was killed is played again.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..brains import make_brain
from ..errors import EngineError
from ..evaluators.pattern_tables import PatternTables, load_tables, save_tables
from ..games import make_game
from ..games.misere import Misere
from ..kernels.othello_midgame import DISC
from ..kernels.othello_patterns import NUM_COLUMNS, NUM_STAGES
from ..kernels.rng import make_rng
from ..options import Options
from ..search.stopper import Limits
from .files import write_whole
from .opponents import MEMORY, Player
from .othello_fit import Weights, fit, measure_errors, no_errors, tables_of
from .othello_patterns import (
    DEPTH,
    MOST_DEPTH,
    QUICK_CHUNK,
    play_quickly,
    play_well,
    quick_rate,
    read_games,
    tables_player,
    write_games,
)
from .progress import Pulse, Words, clock_text
from .request import Request, Say, ShouldStop
from .small_run import Arrays, Numbers, SmallRun
from .yardsticks import make_openings, play_match

ROUNDS = 3
QUICK_SHARE = 0.3  # of the time
REPORT_EVERY = 20.0  # seconds
ERRORS = 2, 100  # least and most positions of each stage for the errors of shallow searches, 4 a planned minute
MOST_OPENINGS = 20  # of a match, each played twice: one a planned minute
OPPONENT = "hand-made evaluation"  # at the least depth of games, as the tables


def train_tables(request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Train until the planned hours are over, going on where the run was left; returns the file of tables."""
    size, objective = request.size_of("othello", (8,)), -1 if request.misere else 1
    depth = _depth_of(request)
    known = None if request.init is None else load_tables(request.init, objective)
    fixed: dict[str, str | int] = {"game": "othello", "size": size, "objective": request.objective}
    fixed |= {"seed": request.seed} | ({"depth": depth} if depth != DEPTH else {})
    run = SmallRun(request.folder, "patterns", fixed, request.plan)
    try:
        return _Training(run, request, objective, known, say).work(should_stop)
    finally:
        run.close()


def _depth_of(request: Request) -> int:
    depth = DEPTH if request.depth is None else request.depth
    if not DEPTH <= depth <= MOST_DEPTH:
        raise EngineError(f"unacceptable depth: {depth} is not in {DEPTH}..{MOST_DEPTH}")
    return depth


class _Training:
    """A run under way."""

    def __init__(self, run: SmallRun, request: Request, objective: int, known: PatternTables | None, say: Say) -> None:
        self._run, self._request, self._objective, self._say = run, request, objective, say
        self._pulse, self._rng, self._depth = Pulse(request.show), make_rng(request.seed), _depth_of(request)
        self._errors = no_errors() if known is None else known.errors
        self._weights: Weights = np.zeros((NUM_STAGES, NUM_COLUMNS), np.float32)
        # Part 0 is quick games, r the games of round r; how much of the time is for the former stays with the run.
        self._numbers: Numbers = {"seconds": 0.0, "games": 0.0, "part": 0.0, "quick": QUICK_SHARE}
        if known is not None:
            self._weights = np.array(known.weights, np.float32) / np.float32(DISC)
            self._numbers |= {"part": 1.0, "quick": 0.0}
        self._numbers = self._run.resume(self._numbers, self._take)
        self._begun, self._before = time.monotonic(), self._numbers["seconds"]

    def work(self, should_stop: ShouldStop) -> Path:
        """Go from part to part until it is over; the last thing is the file of tables."""
        name = self._request.name_of("othello", 8)
        self._say(f"{self._run.folder}: tables of {name}, part {self._part} of {ROUNDS}, {self._done()} so far")
        self._save()
        if self._part == 0:
            self._learn_quickly(should_stop)
        while self._part <= ROUNDS and not should_stop():
            self._play_round(should_stop)
        return self._run.state if should_stop() else self._export()

    def _learn_quickly(self, should_stop: ShouldStop) -> None:
        reported, is_over = -REPORT_EVERY, False
        while not is_over and not should_stop():
            rate = quick_rate(min(1.0, self._seconds() / self._end(0)))
            error = play_quickly(self._weights, self._objective, rate, self._rng)
            self._numbers["games"] += QUICK_CHUNK
            is_over = self._seconds() >= self._end(0)
            if is_over or self._seconds() - reported >= REPORT_EVERY:
                reported = self._seconds()
                self._numbers["part"] = float(is_over)
                self._save()
                self._report({"losses": {"quick games, discs": round(error, 3)}}, f"rate {rate:.3f}, {error:.2f} discs")
        self._save()

    def _play_round(self, should_stop: ShouldStop) -> None:
        """Play games with the present tables, then fit the tables to all games so far."""
        tables, is_over = replace(self._tables(), errors=self._errors), False
        while not is_over and not should_stop():
            begun = time.monotonic()
            left = self._end(self._part) - self._seconds()
            games, count = play_well(tables, self._depth, min(REPORT_EVERY, left), self._rng, should_stop)
            pace = len(games.discs) / max(1e-3, time.monotonic() - begun)
            self._numbers["games"] += count
            write_games(self._run.folder, self._part, int(self._numbers["games"]), games)
            self._save()
            self._report({"rows_per_second": round(pace, 1)}, f"round {self._part}, {pace:.0f} positions/s")
            is_over = self._seconds() >= self._end(self._part)
        if is_over:
            self._fit(should_stop)

    def _fit(self, should_stop: ShouldStop) -> None:
        played = read_games(self._run.folder, range(1, self._part + 1))
        self._weights = fit(self._weights, played, beat=self._beat)
        self._numbers["part"] += 1
        self._save()
        self._say(self._at(f"fitted to {len(played.discs)} positions"))
        self._measure(should_stop)

    def _measure(self, should_stop: ShouldStop) -> None:
        """Let the tables play a match against the evaluation that was made by hand, as deep as they."""
        game, seed = make_game("othello", 8), self._request.seed
        count = round(min(max(60 * self._request.hours, 1), MOST_OPENINGS))
        openings = make_openings(game if self._objective > 0 else Misere(game), count, seed, self._beat)
        options = Options(seed=max(1, seed), memory=MEMORY, evaluation="handmade")
        opponent = Player(OPPONENT, make_brain("alphabeta", options), Limits(depth=DEPTH))
        result = play_match(tables_player(self._tables(), DEPTH), opponent, openings, should_stop, self._beat)
        if result is not None:
            line = {"seconds": round(self._seconds(), 1), "games": self._numbers["games"]}
            self._run.append(line | result.line(OPPONENT))
            points = f"{result.score:.1%} ±{result.error:.1%}"
            self._say(f"{clock_text(self._seconds())} against {OPPONENT}: {points} of {result.games} games")

    def _export(self) -> Path:
        each = round(min(max(240 * self._request.hours, ERRORS[0]), ERRORS[1]))
        tables, rng = self._tables(), np.random.default_rng(self._request.seed)
        errors = measure_errors(tables, read_games(self._run.folder, range(ROUNDS, ROUNDS + 1)), each, rng, self._beat)
        path = self._run.folder / f"othello-{self._request.objective}.patterns.safetensors"
        notes = {"games": f"{self._numbers['games']:.0f}"}
        write_whole(path, lambda partial: save_tables(replace(tables, errors=errors), partial, notes))
        return path

    @property
    def _part(self) -> int:
        return int(self._numbers["part"])

    def _end(self, part: int) -> float:
        """When a part is over, in seconds of the run."""
        quick = self._numbers["quick"]
        return 3600 * self._request.hours * (quick + (1 - quick) * part / ROUNDS)

    def _seconds(self) -> float:
        self._numbers["seconds"] = self._before + time.monotonic() - self._begun
        return self._numbers["seconds"]

    def _tables(self) -> PatternTables:
        return tables_of(self._weights, no_errors(), self._objective)

    def _done(self) -> str:
        return f"{self._numbers['games']:.0f} games"

    def _report(self, more: dict[str, object], words: str) -> None:
        numbers = {"seconds": round(self._seconds(), 1), "games": self._numbers["games"]}
        progress = self._request.progress(self._seconds(), 0)
        self._run.append({"kind": "cycle", "progress": round(progress, 5), **numbers, **more})
        self._say(self._at(words))

    def _beat(self, words: Words) -> None:
        self._pulse.beat(lambda: self._at(words()))

    def _at(self, words: str) -> str:
        left = self._request.seconds_left(self._seconds(), 0)
        return f"{clock_text(self._seconds())} {self._done()}; {words}; {clock_text(left)} to go"

    def _save(self) -> None:
        self._seconds()
        self._run.save({"weights": self._weights, "rng": self._rng}, self._numbers)

    def _take(self, arrays: Arrays) -> None:
        self._weights[:], self._rng[:] = arrays["weights"], arrays["rng"]
