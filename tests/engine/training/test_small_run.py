from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from extremum.engine.errors import EngineError
from extremum.engine.training.run import open_run, read_log
from extremum.engine.training.small_run import VERSION, SmallRun, read_kind
from tests.engine.full_disk import full_disk

FIXED: dict[str, str | int] = {"game": "othello", "size": 8, "seed": 1}


def refusal_of(folder: Path, method: str = "dqn", **changes: str | int) -> str:
    with pytest.raises(EngineError) as caught:
        load(folder, method, FIXED | changes)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(folder), "DIR")


def load(folder: Path, method: str, fixed: dict[str, str | int]) -> None:
    run = SmallRun(folder, method, fixed)
    try:
        run.load()
    finally:
        run.close()


def test_a_state_written_and_read_comes_back(tmp_path: Path) -> None:
    run = SmallRun(tmp_path / "run", "dqn", FIXED)
    assert run.load() is None
    run.save({"a/b": np.arange(6, dtype=np.uint64).reshape(2, 3)}, {"games": 7.0})
    run.append({"kind": "cycle"})
    run.close()
    again = SmallRun(tmp_path / "run", "dqn", FIXED)
    found = again.load()
    assert found is not None
    assert found[0]["a/b"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert found[1] == {"games": 7.0}
    assert read_log(tmp_path / "run") == [{"kind": "cycle"}]
    assert read_kind(tmp_path / "run")["method"] == "dqn"
    assert refusal_of(tmp_path / "run") == "run directory 'DIR' is in use"
    again.close()


def test_a_run_of_something_else_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    SmallRun(tmp_path, "dqn", FIXED).close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert refusal_of(tmp_path, "evolve") == "run directory 'DIR' has method 'dqn', not 'evolve'"
    assert refusal_of(tmp_path, game="gomoku") == "run directory 'DIR' has game 'othello', not 'gomoku'"
    assert refusal_of(tmp_path, size=6) == "run directory 'DIR' has size '8', not '6'"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_nets_run_and_a_folder_with_other_things_are_refused(tmp_path: Path) -> None:
    open_run(tmp_path / "net", {}).close()
    assert refusal_of(tmp_path / "net") == "run directory 'DIR' has method 'net', not 'dqn'"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    assert refusal_of(tmp_path / "other") == "'DIR' is no run directory, and not empty"


def test_a_damaged_state_and_one_from_a_version_to_come_are_refused(tmp_path: Path) -> None:
    run = SmallRun(tmp_path, "dqn", FIXED)
    run.save({"a": np.zeros(3)}, {})
    run.close()
    path = tmp_path / "state.safetensors"
    save_file({"a": np.zeros(3)}, path, {"version": str(VERSION + 1), "numbers": "{}"})
    assert refusal_of(tmp_path) == f"state 'DIR/state.safetensors' has version {VERSION + 1}, this is {VERSION}"
    path.write_bytes(path.read_bytes()[:40])
    assert refusal_of(tmp_path) == "state 'DIR/state.safetensors' is damaged"
    assert path.stat().st_size == 40
    (tmp_path / "run.toml").write_text(f"version = {VERSION + 1}\n")
    assert refusal_of(tmp_path) == f"run directory 'DIR' has version {VERSION + 1}, this is {VERSION}"


def test_a_full_disk_leaves_the_last_state(tmp_path: Path) -> None:
    run = SmallRun(tmp_path, "dqn", FIXED)
    run.save({"a": np.zeros(3)}, {"games": 1.0})
    before = run.state.read_bytes()
    with full_disk(4000), pytest.raises(EngineError, match=r"^cannot write '.*/state.safetensors': .*File too large"):
        run.save({"a": np.zeros(3000)}, {"games": 2.0})
    assert run.state.read_bytes() == before
    assert not list(tmp_path.glob("*.partial"))
    run.close()
