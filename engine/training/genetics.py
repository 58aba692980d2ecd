"""A genetic algorithm on rows of numbers: selection by tournaments, crossover by units, mutation with evolved steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FIRST_STEP, LEAST_STEP, MOST_STEP = 0.3, 0.01, 1.0  # of mutations, in units of a genome's spread
ELITE = 4
TOURNAMENT = 3
RESET = 0.05  # the share of children with a unit by chance
LEARNING = 0.2  # how fast steps change
AVERAGED = 0.4  # the share of units that are the mean of the parents'

Genomes = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Population:
    """Genomes, [individual, gene], and how far each one's children stray."""

    genomes: Genomes
    steps: NDArray[np.float32]  # [individual]

    @classmethod
    def random(cls, size: int, genes: int, rng: np.random.Generator) -> Population:
        """One to begin with."""
        genomes = normalized(rng.normal(size=(size, genes)).astype(np.float32))
        return cls(genomes, np.full(size, FIRST_STEP, np.float32))

    @property
    def mean(self) -> NDArray[np.float32]:
        """What they have in common."""
        mean: NDArray[np.float32] = normalized(self.genomes.mean(axis=0, keepdims=True))[0]
        return mean


def next_generation(
    population: Population, fitness: NDArray[np.float64], units: NDArray[np.int64], rng: np.random.Generator
) -> Population:
    """The elite, best first, and children of those who won tournaments; `units` says which genes stay together."""
    order = np.argsort(-fitness)
    count = len(order) - ELITE
    mothers, fathers = (_selected(fitness, count, rng) for _ in range(2))
    spread = np.exp(LEARNING * rng.normal(size=count))
    steps = np.sqrt(population.steps[mothers] * population.steps[fathers]) * spread
    steps = np.clip(steps, LEAST_STEP, MOST_STEP).astype(np.float32)
    children = _crossed(population.genomes[mothers], population.genomes[fathers], units, rng)
    children += steps[:, None] * rng.normal(size=children.shape).astype(np.float32)
    _reset_units(children, units, rng)
    genomes = np.concatenate([population.genomes[order[:ELITE]], normalized(children)])
    return Population(genomes, np.concatenate([population.steps[order[:ELITE]], steps]))


def normalized(genomes: Genomes) -> Genomes:
    """The same with a spread of one: only the order of values counts."""
    scaled: Genomes = genomes / np.sqrt((genomes**2).mean(axis=1, keepdims=True) + 1e-12)
    return scaled


def _selected(fitness: NDArray[np.float64], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The winners of tournaments."""
    entered = rng.integers(len(fitness), size=(count, TOURNAMENT))
    winners: NDArray[np.int64] = entered[np.arange(count), fitness[entered].argmax(axis=1)]
    return winners


def _crossed(mothers: Genomes, fathers: Genomes, units: NDArray[np.int64], rng: np.random.Generator) -> Genomes:
    """Each unit from the one parent, from the other, or the mean of both."""
    chances = rng.random((len(mothers), units.max() + 1))[:, units]
    either = np.where(chances < (1 - AVERAGED) / 2, mothers, fathers)
    crossed: Genomes = np.where(chances > 1 - AVERAGED, (mothers + fathers) / 2, either)
    return crossed


def _reset_units(children: Genomes, units: NDArray[np.int64], rng: np.random.Generator) -> None:
    for child in np.flatnonzero(rng.random(len(children)) < RESET):
        unit = units == rng.integers(units.max() + 1)
        children[child, unit] = rng.normal(size=unit.sum())
