"""Trains action values of Othello by deep Q-learning: games in lockstep, a replay, and steps of double Q-learning."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from ..evaluators.action_values import save_values
from ..kernels import dqn_games
from ..kernels.dqn_games import BY_CHANCE, BY_DISCS, MOST_PLIES, NUM_NOTES, RIVAL, SIDE, advance, begin_all, measure
from ..kernels.rng import make_rng
from ..nets.qnet import QNet
from .files import write_whole
from .progress import clock_text
from .q_learner import Batch, QLearner
from .request import Request, Say, ShouldStop
from .results import Result
from .small_run import Arrays, SmallRun

GAMES = 256  # in lockstep
RIVALS = 51  # of them against the net of some time ago
REMEMBERED = 200_000  # moves
FIRST_CHANCE, LAST_CHANCE = 0.15, 0.02  # of a move at random
PATIENCE = 0.8  # the lambda of temporal differences
BATCH = 256
RIVAL_EVERY = 2_000  # steps
LOOK_EVERY = 50  # steps between two looks at the clock
REPORT_EVERY, SAVE_EVERY, MEASURE_EVERY = 20.0, 60.0, 240.0  # seconds
MEASURED = 200  # games
OPPONENTS = {"random": BY_CHANCE, "greedy": BY_DISCS}


def train_dqn(request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Train until the planned hours or games are over, going on where the run was left; returns the file of weights."""
    size = request.size_of("othello", (8, 6))
    fixed: dict[str, str | int] = {
        "game": "othello",
        "size": size,
        "objective": request.objective,
        "seed": request.seed,
    }
    run = SmallRun(request.folder, "dqn", fixed, request.plan)
    try:
        return _Training(run, request, size, say).work(should_stop)
    finally:
        run.close()


class _Training:
    """A run under way."""

    def __init__(self, run: SmallRun, request: Request, size: int, say: Say) -> None:
        self._run, self._request, self._say = run, request, say
        self._size, self._objective = size, -1 if request.misere else 1
        self._learner = QLearner(size, request.threads, request.seed)
        self._rng = make_rng(request.seed)
        self._draw = np.random.default_rng(request.seed)
        self._replay = (
            np.zeros((REMEMBERED, 4), np.uint64),
            np.zeros((REMEMBERED, 2), np.int8),
            np.zeros(REMEMBERED, np.float32),
            np.zeros(2, np.int64),
        )
        self._numbers = {"seconds": 0.0, "games": 0.0, "steps": 0.0, "measured": 0.0}
        self._resume()
        self._games = _games()
        self._games[1][:RIVALS, RIVAL] = 1
        begin_all(size, self._games, self._rng)

    def work(self, should_stop: ShouldStop) -> Path:
        """Play and learn until it is over; the last thing is a checkpoint and the file of weights."""
        self._say(f"{self._run.folder}: dqn, {self._request.name_of('othello', self._size)}, {self._done()} so far")
        begun, before = time.monotonic(), self._numbers["seconds"]
        saved = reported = begun
        while self._progress() < 1 and not should_stop():
            losses = [self._step() for _ in range(LOOK_EVERY)]
            now = time.monotonic()
            self._numbers["seconds"] = before + now - begun
            if now - reported >= REPORT_EVERY:
                reported = now
                self._report(float(np.mean(losses)), (self._numbers["seconds"] - before))
            if now - saved >= SAVE_EVERY:
                saved = now
                self._save()
            if self._numbers["seconds"] >= self._numbers["measured"] + MEASURE_EVERY:
                self._measure()
        if self._progress() >= 1:
            self._measure()
        return self._save()

    def _step(self) -> float:
        """A ply of every game, and a step of learning from what is remembered."""
        discs, notes = self._games[0], self._games[1]
        values = self._learner.values(self._learner.net, discs)
        rivals = np.flatnonzero(notes[:, SIDE] == notes[:, RIVAL])
        if len(rivals):
            values[rivals] = self._learner.values(self._learner.rival, discs[rivals])
        progress = self._progress()
        chance = FIRST_CHANCE + (LAST_CHANCE - FIRST_CHANCE) * progress
        how = self._size, self._objective, values, chance, PATIENCE
        self._numbers["games"] += advance(*how, self._games, self._replay, self._rng)
        remembered = int(self._replay[3][1])
        if remembered < BATCH:
            return 0.0
        rows = self._draw.integers(remembered, size=BATCH)
        batch: Batch = (self._replay[0][rows], self._replay[1][rows], self._replay[2][rows])
        loss = self._learner.learn(batch, self._draw.integers(8, size=BATCH), progress)
        self._numbers["steps"] += 1
        if self._numbers["steps"] % RIVAL_EVERY == 0:
            self._learner.rival.load_state_dict(self._learner.target.state_dict())
        return loss

    def _progress(self) -> float:
        return self._request.progress(self._numbers["seconds"], self._numbers["games"])

    def _done(self) -> str:
        return f"{self._numbers['games']:.0f} games, {self._numbers['steps']:.0f} steps"

    def _report(self, loss: float, seconds: float) -> None:
        numbers = self._numbers
        line = {"kind": "cycle", "progress": round(self._progress(), 5), **{k: round(v, 1) for k, v in numbers.items()}}
        self._run.append(line | {"losses": {"q": round(loss, 5)}})
        left = self._request.seconds_left(numbers["seconds"], numbers["games"])
        self._say(f"{clock_text(numbers['seconds'])} {self._done()}; loss {loss:.4f}; {clock_text(left)} to go")

    def _measure(self) -> None:
        """Let the target play matches with opponents that do not change."""
        self._numbers["measured"] = self._numbers["seconds"]
        for name, manner in OPPONENTS.items():
            result = self._match(self._learner.target, manner)
            line = {"seconds": round(self._numbers["seconds"], 1), "games": self._numbers["games"]}
            self._run.append(line | result.line(name))
            points = f"{result.score:.1%} ±{result.error:.1%}"
            self._say(f"{clock_text(line['seconds'])} against {name}: {points} of {result.games} games")

    def _match(self, net: QNet, manner: int) -> Result:
        """Games without search, from openings by chance, with both colors."""
        discs, notes = np.zeros((MEASURED, 2), np.uint64), np.zeros((MEASURED, NUM_NOTES), np.int64)
        rng = make_rng(self._request.seed + 1)
        begin_all(self._size, (discs, notes, *_games(1)[2:]), rng)
        notes[:, RIVAL] = np.where(np.arange(MEASURED) % 2 == 0, 1, -1)
        rules = np.array([self._size, self._objective, manner], np.int64)
        while measure(rules, self._learner.values(net, discs), discs, notes, rng):
            pass
        outcomes = notes[:, RIVAL].tolist()
        return Result(outcomes.count(1), outcomes.count(0), outcomes.count(-1))

    def _save(self) -> Path:
        self._run.save(self._learner.arrays() | self._remembered() | {"rng": self._rng}, self._numbers)
        path = self._run.folder / f"othello-{self._size}.dqn.safetensors"
        weights = {name: value.numpy() for name, value in self._learner.target.state_dict().items()}
        write_whole(path, lambda partial: save_values(partial, weights, self._size, self._objective))
        return path

    def _resume(self) -> None:
        self._numbers = self._run.resume(self._numbers, self._take)
        # A run that goes on plays other games than those that were under way.
        self._draw = np.random.default_rng([self._request.seed, int(self._numbers["steps"])])

    def _take(self, arrays: Arrays) -> None:
        self._learner.take(arrays)
        for name, array in self._remembered().items():
            array[:] = arrays[name]
        self._rng[:] = arrays["rng"]

    def _remembered(self) -> Arrays:
        discs, moves, rewards, place = self._replay
        return {"replay/discs": discs, "replay/moves": moves, "replay/rewards": rewards, "replay/place": place}


def _games(count: int = GAMES) -> dqn_games.Games:
    record, moves = np.zeros((count, MOST_PLIES, 2), np.uint64), np.zeros((count, MOST_PLIES, 3), np.int8)
    return np.zeros((count, 2), np.uint64), np.zeros((count, NUM_NOTES), np.int64), record, moves
