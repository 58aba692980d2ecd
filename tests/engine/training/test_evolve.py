from dataclasses import replace
from pathlib import Path

import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.genomes import load_genome
from extremum.engine.nets.manifest import find_weights, read_manifest
from extremum.engine.training.evolve import train_evolved
from extremum.engine.training.plot import plot
from extremum.engine.training.request import Request
from extremum.engine.training.run import read_log
from extremum.engine.training.ship import ship


def request(folder: Path, genome: str, games: int = 2000, *, misere: bool = False) -> Request:
    return Request(folder, {"games": games, "seed": 5}, size=6, genome=genome, misere=misere)


def train(asked: Request, *, stop: bool = False) -> tuple[Path, list[str]]:
    told: list[str] = []
    return train_evolved(asked, told.append, lambda: stop), told


@pytest.mark.parametrize("genome", ["network", "coefficients"])
@pytest.mark.parametrize("misere", [False, True])
def test_a_run_makes_a_genome_and_goes_on_from_its_state(tmp_path: Path, genome: str, misere: bool) -> None:
    path, _ = train(request(tmp_path, genome, misere=misere))
    found, genes = load_genome(path, 6, -1 if misere else 1)
    assert found.kind == genome
    _, told = train(request(tmp_path, genome, 9000, misere=misere))
    assert " 0 generations" not in told[0]
    assert (load_genome(path, 6, found.objective)[1] != genes).any()
    matches = [line["opponent"] for line in read_log(tmp_path) if line["kind"] == "match"]
    assert matches == ["random", "greedy", "hand-made evaluation"] * 2
    assert plot(tmp_path).exists()


def test_it_becomes_better_than_chance(tmp_path: Path) -> None:
    train(request(tmp_path, "coefficients", 12_000))
    against = {line["opponent"]: line["score"] for line in read_log(tmp_path) if line["kind"] == "match"}
    assert against["random"] > 0.75


def test_a_run_of_another_genome_is_refused(tmp_path: Path) -> None:
    train(request(tmp_path, "network"), stop=True)
    with pytest.raises(EngineError, match=r"has genome 'network', not 'coefficients'$"):
        train(request(tmp_path, "coefficients"))
    with pytest.raises(EngineError, match=r"^unknown genome 'mlp': one of network, coefficients$"):
        train(request(tmp_path / "other", "mlp"))
    with pytest.raises(EngineError, match=r"^unacceptable size: 7 is not one of 8, 6$"):
        train(replace(request(tmp_path / "other", "network"), size=7))
    assert not (tmp_path / "other").exists()


def test_what_a_run_made_is_shipped_and_found(tmp_path: Path) -> None:
    train(request(tmp_path / "run", "network", misere=True), stop=True)
    weights = tmp_path / "weights"
    weights.mkdir()
    (path,) = ship(tmp_path / "run", "small", weights=weights)
    entry = find_weights(read_manifest(weights / "manifest.toml"), "othello", 6, -1, "evolved")
    assert entry.path == path
    assert load_genome(path, 6, -1, entry.sha256)[0].kind == entry.config == "network"
    assert entry.trained.startswith("extremum train --method evolve --genome network --game othello --size 6 --seed 5")
