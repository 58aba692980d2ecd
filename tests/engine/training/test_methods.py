from pathlib import Path

import pytest

from extremum.engine.errors import EngineError
from extremum.engine.training.methods import METHODS, given_flags, train
from extremum.engine.training.request import Request
from extremum.engine.training.run import read_log


@pytest.mark.parametrize("name", METHODS)
def test_every_method_refuses_what_it_does_not_take_and_makes_nothing(tmp_path: Path, name: str) -> None:
    """None takes everything: a genome is only evolved, a depth only exploited."""
    flag = "depth" if name != "exploit" else "genome"
    request = Request(tmp_path / "run", genome="network", depth=3)
    assert given_flags(request) == ["genome", "depth"]
    with pytest.raises(EngineError, match=rf"^the method '{name}' does not take --(genome|{flag})$"):
        train(name, request, lambda text: None, lambda: True)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", METHODS)
def test_every_method_takes_hours_and_seed_within_bounds(tmp_path: Path, name: str) -> None:
    with pytest.raises(EngineError, match=r"^unacceptable hours: -1.0 is not in "):
        train(name, Request(tmp_path / "run", {"hours": -1.0}), lambda text: None, lambda: True)
    assert not (tmp_path / "run").exists()


def test_misere_weights_are_tuned_round_by_round_and_go_on(tmp_path: Path) -> None:
    told: list[str] = []
    for games in (8, 16):
        asked = Request(tmp_path, {"cycle": 8, "games": games, "seed": 3}, size=6)
        path = train("misere", asked, told.append, lambda: False)
    assert len(list(tmp_path.glob("misere-6-*.npz"))) == 2
    assert len(path.read_text().splitlines()) == 6
    cycles = [line["games"] for line in read_log(tmp_path) if line["kind"] == "cycle"]
    assert cycles == [8, 16]
    assert sum("against the first weights" in line for line in told) == 2
    with pytest.raises(EngineError, match=r"has cycle '8', not '400'$"):
        train("misere", Request(tmp_path, {"seed": 3}, size=6), told.append, lambda: False)
