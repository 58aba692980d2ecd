"""Evolves evaluations of Othello: a genetic algorithm over a network's weights, or over alpha-beta's coefficients.

Each generation plays a round robin and some games against the best of earlier times; nothing but results counts.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError
from ..evaluators.genomes import DEPTHS, KINDS, Genome, num_genes, save_genome, units_of
from ..kernels.evolved_games import CHANCE, GREEDY, HANDMADE, play_pairs
from ..kernels.rng import make_rng
from .files import write_whole
from .genetics import Population, next_generation
from .progress import clock_text
from .request import Request, Say, ShouldStop
from .results import Result
from .small_run import Arrays, SmallRun

SIZE_OF_POPULATION = 32
ARCHIVE = 64  # the best of earlier generations
MET = 8  # of them that each meets in a generation
ARCHIVE_EVERY = 5  # generations
OPENING = 6  # plies by chance
FINALISTS, FINAL_ROUNDS = 12, 6  # of the choice of a champion: of the last ones, and as many of earlier ones
REPORT_EVERY, SAVE_EVERY, MEASURE_EVERY = 20.0, 60.0, 120.0  # seconds
MEASURED = 100  # openings, each with both colors
OPPONENTS = {"random": CHANCE, "greedy": GREEDY, "hand-made evaluation": HANDMADE}
DISCS = 0.01 / 64  # what a disc counts beside a point for a game

Genomes = NDArray[np.float32]


def train_evolved(request: Request, say: Say, should_stop: ShouldStop) -> Path:
    """Evolve until the planned hours or games are over, going on where the run was left; returns the file."""
    size, kind = request.size_of("othello", (8, 6)), request.genome or "network"
    if kind not in KINDS:
        raise EngineError(f"unknown genome '{kind}': one of {', '.join(KINDS)}")
    fixed: dict[str, str | int] = {"game": "othello", "size": size, "objective": request.objective}
    run = SmallRun(request.folder, "evolve", fixed | {"genome": kind, "seed": request.seed}, request.plan)
    try:
        return _Evolution(run, request, Genome(kind, size, -1 if request.misere else 1), say).work(should_stop)
    finally:
        run.close()


class _Evolution:
    """A run under way."""

    def __init__(self, run: SmallRun, request: Request, genome: Genome, say: Say) -> None:
        self._run, self._request, self._genome, self._say = run, request, genome, say
        self._units = units_of(genome.kind, genome.size)
        self._rng, self._draw = make_rng(request.seed), np.random.default_rng(request.seed)
        genes = num_genes(genome.kind, genome.size)
        self._population = Population.random(SIZE_OF_POPULATION, genes, self._draw)
        self._archive = np.zeros((0, genes), np.float32)
        self._numbers = {"seconds": 0.0, "games": 0.0, "generations": 0.0, "measured": 0.0}
        self._numbers = self._run.resume(self._numbers, self._take)

    def work(self, should_stop: ShouldStop) -> Path:
        """Go from generation to generation until it is over; the last thing is a checkpoint and the champion."""
        name = self._request.name_of("othello", self._genome.size)
        self._say(f"{self._run.folder}: {self._genome.kind} of {name}, {self._done()} so far")
        begun, before = time.monotonic(), self._numbers["seconds"]
        saved = reported = begun
        while self._progress() < 1 and not should_stop():
            self._generation()
            now = time.monotonic()
            self._numbers["seconds"] = before + now - begun
            if now - reported >= REPORT_EVERY:
                reported = now
                self._report()
            if now - saved >= SAVE_EVERY:
                saved = now
                self._save(self._population.mean)
            if self._numbers["seconds"] >= self._numbers["measured"] + MEASURE_EVERY:
                self._measure(self._population.mean)
        champion = self._champion()
        if self._progress() >= 1:
            self._measure(champion)
        return self._save(champion)

    def _generation(self) -> None:
        """Let all play, and replace most of them by the children of the best."""
        population = self._population
        met = self._archive[self._draw.integers(len(self._archive), size=MET)] if len(self._archive) else self._archive
        self._population = next_generation(population, self._fitness(population.genomes, met), self._units, self._draw)
        self._numbers["generations"] += 1
        if self._numbers["generations"] % ARCHIVE_EVERY == 0:
            best = self._population.genomes[:1]  # the elite comes first
            if len(self._archive) < ARCHIVE:
                self._archive = np.concatenate([self._archive, best])
            else:
                self._archive[self._draw.integers(ARCHIVE)] = best[0]

    def _fitness(self, genomes: Genomes, met: Genomes) -> NDArray[np.float64]:
        """The mean points of each in a round robin and against those that it met."""
        count = len(genomes)
        pairs = [(one, other) for one in range(count) for other in range(one)]
        pairs += [(one, count + other) for one in range(count) for other in range(len(met))]
        points = _points(self._play(np.concatenate([genomes, met]), pairs))
        total, games = np.zeros(count + len(met)), np.zeros(count + len(met))
        for player, sign in ((0, 1), (1, -1)):
            numbers = np.array(pairs)[:, player]
            np.add.at(total, numbers, sign * points)
            np.add.at(games, numbers, 1)
        return total[:count] / games[:count]

    def _play(self, genomes: Genomes, pairs: list[tuple[int, int]]) -> NDArray[np.int64]:
        """The first players' margins, [pair, 2]."""
        margins = np.zeros((len(pairs), 2), np.int64)
        genome = self._genome
        rules = np.array([genome.size, genome.objective, DEPTHS[genome.kind], OPENING], np.int64)
        rows = np.array(pairs, np.int64)
        play_pairs(KINDS[genome.kind], rules, np.ascontiguousarray(genomes), rows, margins, self._rng)
        self._numbers["games"] += margins.size
        return margins

    def _champion(self) -> NDArray[np.float32]:
        """The best of the last ones, of earlier ones and of what they have in common, by a round robin."""
        population = self._population
        finalists = np.concatenate([population.mean[None], population.genomes[:FINALISTS], self._archive[-FINALISTS:]])
        fitness = np.zeros(len(finalists))
        for _ in range(FINAL_ROUNDS):
            fitness += self._fitness(finalists, finalists[:0])
        champion: NDArray[np.float32] = finalists[fitness.argmax()]
        return champion

    def _measure(self, champion: NDArray[np.float32]) -> None:
        self._numbers["measured"] = self._numbers["seconds"]
        for name, opponent in OPPONENTS.items():
            signs = np.sign(self._play(champion[None], [(0, opponent)] * MEASURED)).ravel().tolist()
            result = Result(signs.count(1), signs.count(0), signs.count(-1))
            seconds = round(self._numbers["seconds"], 1)
            self._run.append({"seconds": seconds, "games": self._numbers["games"]} | result.line(name))
            points = f"{result.score:.1%} ±{result.error:.1%}"
            self._say(f"{clock_text(seconds)} against {name}: {points} of {result.games} games")

    def _progress(self) -> float:
        return self._request.progress(self._numbers["seconds"], self._numbers["games"])

    def _done(self) -> str:
        return f"{self._numbers['generations']:.0f} generations, {self._numbers['games']:.0f} games"

    def _report(self) -> None:
        numbers, step = self._numbers, float(self._population.steps.mean())
        line = {"kind": "cycle", "progress": round(self._progress(), 5), **{k: round(v, 1) for k, v in numbers.items()}}
        self._run.append(line | {"losses": {"step of mutation": round(step, 5)}})
        left = self._request.seconds_left(numbers["seconds"], numbers["games"])
        self._say(f"{clock_text(numbers['seconds'])} {self._done()}; step {step:.4f}; {clock_text(left)} to go")

    def _save(self, champion: NDArray[np.float32]) -> Path:
        population = self._population
        arrays = {"genomes": population.genomes, "steps": population.steps, "archive": self._archive, "rng": self._rng}
        self._run.save(arrays, self._numbers)
        path = self._run.folder / f"othello-{self._genome.size}-{self._genome.kind}.evolved.safetensors"
        write_whole(path, lambda partial: save_genome(partial, self._genome, champion))
        return path

    def _take(self, arrays: Arrays) -> None:
        self._population = Population(arrays["genomes"], arrays["steps"])
        self._archive, self._rng = arrays["archive"], arrays["rng"]
        self._draw = np.random.default_rng([self._request.seed, int(self._numbers["generations"])])


def _points(margins: NDArray[np.int64]) -> NDArray[np.float64]:
    """What the first players earned by pairs of games, a little for the discs too."""
    points: NDArray[np.float64] = (np.sign(margins) / 2 + DISCS * margins).mean(axis=1)
    return points
