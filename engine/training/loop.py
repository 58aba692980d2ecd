"""The loop of a run: games, learning from them, and the better net that plays the next ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np

from ..evaluators.evaluator import Evaluator
from ..games.game import Game
from ..kernels.selfplay import Course
from ..nets.checkpoint import load_checkpoint
from . import selfplay
from .checkpoint import Counters, load_training, save_training
from .follower import Follower
from .learner import Learner, moved
from .mix import read_mix
from .monitor import Learned, results_of
from .progress import Pulse, Words, clock_text, seconds_left
from .publish import models_for, open_net, publish, write_weights
from .replay import Replay
from .request import ignore
from .run import REPLAY, Run
from .samples import Samples
from .shards import num_games
from .yardsticks import Yardsticks

PROBE = 256  # positions on which policies are compared, and held-out games measured
KEPT = 10  # nets of a run, unless it says otherwise

Report = Callable[[dict[str, object]], None]  # a line of the log, for whoever watches


class Player(Protocol):
    """Plays games with itself, many at a time."""

    def use(self, evaluator_of: Callable[[Game], Evaluator]) -> None:
        """Play on with another net."""

    def set_budget(self, budget: tuple[int, int]) -> None:
        """Consider so many moves with so many simulations from now on."""

    def step(self) -> list[Samples]:
        """Play on for a while; gives the games that ended, each as its own samples."""


MakePlayer = Callable[[Run, Evaluator, tuple[int, int], np.random.Generator], Player]


def play_with_itself(run: Run, evaluator: Evaluator, budget: tuple[int, int], rng: np.random.Generator) -> Player:
    """Self-play by the settings of a run, once the games of another one that it follows have been learned from."""
    games, tried = run.settings.lockstep, max(stage[0] for stage in run.settings.stages())
    course = Course(careless=run.settings.careless)
    settings = selfplay.Settings(games=games, rows=games * tried, budget=budget, course=course)
    shares = read_mix(run.settings.mix).shares
    make = partial(selfplay.SelfPlay, shares, _always(evaluator), settings, rng)
    if not run.settings.follow:
        return make()
    return Follower(Path(run.settings.follow) / REPLAY, num_games(run.replay), make)


class Training:
    """A run under way, on a directory that it goes on with by itself."""

    def __init__(
        self,
        run: Run,
        report: Report,
        should_stop: Callable[[], bool],
        *,
        now: Callable[[], float] = time.monotonic,
        show: Callable[[str], None] = ignore,
        make_player: MakePlayer = play_with_itself,
        device: str = "auto",
        threads: int = 1,
    ) -> None:
        settings = run.settings
        self._run, self._settings = run, settings
        self._report, self._should_stop, self._now = report, should_stop, now
        self._pulse = Pulse(show, now)
        self._mix = read_mix(settings.mix)
        self._threads = threads
        description = self._mix.description(settings.net)
        self.learner = Learner(description, device, threads, settings.seed, settings.rate)
        self.replay = Replay(run.replay, self._mix.name, description.num_planes)
        self._rng = np.random.default_rng(settings.seed)
        self._last = self._saved = now()
        self.counters = self._resume()
        self._make_player = make_player
        self._budget = (0, 0)
        self._yardsticks = Yardsticks(run, self._mix.main, self.learner.device.type, threads)

    def work(self) -> None:
        """Go round until the planned time is over or somebody stops it; the last things are checkpoint and models."""
        evaluator, self._budget = self._publish(), self._stage()
        # The number of the last shard is in the seed: a run that goes on never plays the same games again.
        rng = np.random.default_rng([self._settings.seed, self.counters.shard])
        player = self._make_player(self._run, evaluator, self._budget, rng)
        while self.progress() < 1 and not self._should_stop():
            evaluator = self._cycle(player)
            player.use(_always(evaluator))
            self._do_what_is_due(evaluator)
        self.save()
        publish(self._run.net, self.learner.averaged(), self.replay, np.random.default_rng(self._settings.seed))

    def progress(self) -> float:
        """How much of the planned run is over, 0..1."""
        self._tick()
        by_time = self.counters.seconds / (self._settings.hours * 3600)
        by_games = self.replay.num_games / self._settings.games if self._settings.games else 0.0
        return min(1.0, max(by_time, by_games))

    def save(self) -> None:
        """Write a checkpoint."""
        self._tick()
        save_training(self._run.checkpoint, self.learner, self.counters, self._rng)
        self._saved = self._now()

    def _resume(self) -> Counters:
        """Take the checkpoint, if there is one; games that came after it are still to be learned from."""
        counters = Counters()
        if self._run.checkpoint.exists():
            counters = load_training(self._run.checkpoint, self.learner, self._rng)
        elif self._settings.init:
            self.learner.start_from(load_checkpoint(Path(self._settings.init), self._mix.name))
        counters.owed += self._settings.uses * self.replay.rows_after(counters.shard)
        counters.shard = self.replay.last_shard
        # With a longer plan than before nets are kept more seldom: not as many would have been by now.
        counters.kept = min(counters.kept, int(counters.seconds / 60 / self._between_kept))
        return counters

    def _cycle(self, player: Player) -> Evaluator:
        """Play, learn and publish once."""
        started = self._now()
        if self._stage() != self._budget:
            self._budget = self._stage()
            player.set_budget(self._budget)
        games = self._play(player)
        played = self._now()
        if games:
            self._keep(games)
        learned = self._learn()
        evaluator = self._publish()
        self.counters.cycles += 1
        self._tell(
            {
                "kind": "cycle",
                "progress": round(self.progress(), 5),
                **self._numbers(),
                "sims": f"{self._budget[0]}x{self._budget[1]}",
                **results_of(games, played - started),
                "learning_seconds": round(self._now() - played, 2),
                **learned,
            }
        )
        return evaluator

    def _play(self, player: Player) -> list[Samples]:
        games: list[Samples] = []
        begun = self._now()
        while len(games) < self._settings.cycle and not self._should_stop():
            games.extend(player.step())
            self._pulse.beat(lambda: self._at(_playing(games, self._settings.cycle, self._now() - begun)))
        return games

    def _keep(self, games: list[Samples]) -> None:
        shard = self.replay.add(games)
        self.counters.shard = shard.number
        self.counters.owed += self._settings.uses * shard.num_rows

    def _learn(self) -> dict[str, object]:
        """Make the steps that are owed, and measure what they did."""
        batch, learned = self._settings.batch, Learned()
        if not self.replay.num_rows or self.counters.owed < batch:
            return learned.summary()
        probe = self.replay.draw(PROBE, self._rng)
        before, progress = self.learner.logits(probe), self.progress()
        while self.counters.owed >= batch and not self._should_stop():
            learned.add(self.learner.learn(self.replay.draw(batch, self._rng), progress))
            self.counters.owed -= batch
            self._pulse.beat(lambda: self._at(f"learning, {self.counters.owed / batch:.0f} steps left"))
        kl = moved(before, self.learner.logits(probe))
        if self._settings.adaptive:
            self.learner.steer(kl)
        held_out = self.replay.draw_held_out(PROBE, self._rng)
        checked = self.learner.measure(held_out) if held_out is not None else {}
        return learned.summary() | {
            "kl": round(kl, 5),
            "rate": round(self.learner.rate(progress), 7),
            "held_out": {name: round(loss, 4) for name, loss in checked.items()},
        }

    def _publish(self) -> Evaluator:
        models = models_for(self._settings.evaluator)
        publish(self._run.net, self.learner.averaged(), self.replay, self._rng, models)
        return open_net(
            self._run.net, self._mix.name, self._settings.evaluator, self.learner.device.type, self._threads
        )

    def _stage(self) -> tuple[int, int]:
        stages = self._settings.stages()
        return stages[min(len(stages) - 1, int(self.progress() * len(stages)))]

    def _do_what_is_due(self, evaluator: Evaluator) -> None:
        settings, minutes = self._settings, self.counters.seconds / 60
        if self._now() - self._saved >= settings.checkpoint * 60:
            self.save()
        if minutes >= (self.counters.kept + 1) * self._between_kept:
            self.counters.kept = int(minutes / self._between_kept)
            name = f"{round(minutes):05}min.safetensors"
            write_weights(self._run.kept / name, self.learner.averaged())
        if settings.yardstick and minutes >= (self.counters.matches + 1) * settings.yardstick:
            self.counters.matches = int(minutes / settings.yardstick)
            for line in self._yardsticks.measure(evaluator, self.counters, self._should_stop, self._beat_of_matches):
                self._tell(self._numbers() | line)

    @property
    def _between_kept(self) -> float:
        """Minutes from one net that is kept to the next."""
        return self._settings.keep or self._settings.hours * 60 / KEPT

    def _numbers(self) -> dict[str, object]:
        return {
            "seconds": round(self.counters.seconds, 1),
            "cycle": self.counters.cycles,
            "games": self.replay.num_games,
            "rows": self.replay.num_rows,
            "steps": self.learner.steps,
        }

    def _tell(self, line: dict[str, object]) -> None:
        self._run.append(line)
        self._report(line)

    def _at(self, words: str) -> str:
        """Words with the time, the games so far and how long the run will take yet."""
        self._tick()
        seconds, games = self.counters.seconds, self.replay.num_games
        left = seconds_left(seconds, games, self._settings.hours, self._settings.games)
        return (
            f"{clock_text(seconds)} cycle {self.counters.cycles + 1}, {games} games: {words}; {clock_text(left)} to go"
        )

    def _beat_of_matches(self, words: Words) -> None:
        self._pulse.beat(lambda: self._at(words()))

    def _tick(self) -> None:
        now = self._now()
        self.counters.seconds += now - self._last
        self._last = now


def _playing(games: list[Samples], wanted: int, seconds: float) -> str:
    rows = sum(len(game) for game in games)
    return f"{len(games)} of {wanted} more, {rows / seconds if seconds else 0:.0f} positions/s"


def _always(evaluator: Evaluator) -> Callable[[Game], Evaluator]:
    return lambda game: evaluator
