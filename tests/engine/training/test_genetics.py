import numpy as np
import pytest

from extremum.engine.training.genetics import ELITE, Population, _crossed, next_generation, normalized

UNITS = np.arange(4).repeat(3)


def test_the_elite_stays_best_first() -> None:
    rng = np.random.default_rng(1)
    population = Population.random(16, len(UNITS), rng)
    fitness = rng.random(16)
    children = next_generation(population, fitness, UNITS, rng)
    order = np.argsort(-fitness)[:ELITE]
    assert np.array_equal(children.genomes[:ELITE], population.genomes[order])
    assert children.genomes.shape == population.genomes.shape
    assert (children.steps > 0).all()


def test_a_unit_comes_whole_from_a_parent_or_is_their_mean() -> None:
    mothers, fathers = np.zeros((50, len(UNITS)), np.float32), np.ones((50, len(UNITS)), np.float32)
    children = _crossed(mothers, fathers, UNITS, np.random.default_rng(1)).reshape(50, 4, 3)
    assert (children == children[:, :, :1]).all()
    assert set(np.unique(children)) == {0.0, 0.5, 1.0}


def test_genomes_have_a_spread_of_one() -> None:
    genomes = normalized(np.random.default_rng(1).normal(size=(5, 40)).astype(np.float32) * 7)
    assert (genomes**2).mean(axis=1) == pytest.approx(np.ones(5), rel=1e-4)


def test_what_is_selected_for_grows() -> None:
    """Fitness is the likeness to one genome; after some generations all are near it."""
    rng = np.random.default_rng(1)
    wanted = normalized(rng.normal(size=(1, len(UNITS))).astype(np.float32))[0]
    population = Population.random(32, len(UNITS), rng)
    for _ in range(60):
        population = next_generation(population, population.genomes @ wanted, UNITS, rng)
    assert population.mean @ wanted / len(wanted) > 0.95
