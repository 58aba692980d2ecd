import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from extremum.engine.errors import EngineError
from extremum.engine.games.misere import Misere
from extremum.engine.nets.description import Description
from extremum.engine.training.mix import mix_text, read_mix
from extremum.engine.training.run import VERSION, Settings, open_run, read_log, read_settings
from extremum.engine.training.small_run import SmallRun


def refusal_of(folder: Path, **given: object) -> str:
    with pytest.raises(EngineError) as caught:
        open_run(folder, given)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(folder), "DIR")


def test_a_mix_is_read_and_written() -> None:
    text = "gomoku:8:0.3,gomoku:15:renju:0.5,gomoku:15:misere:0.2"
    mix = read_mix(text)
    assert mix_text(mix) == text
    assert [game.size for game, _ in mix.shares] == [8, 15, 15]
    assert mix.shares[1][0].rule == "renju"
    assert isinstance(mix.shares[2][0], Misere)
    assert mix.main is mix.shares[1][0]
    description = mix.description("b6c64")
    assert (description.game, description.sizes, description.objective) == ("gomoku", (8, 15), "both")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("gomoku", "cannot read 'gomoku': GAME:SIZE[:RULE][:misere]:SHARE, separated by commas"),
        ("gomoku:8:x", "cannot read 'gomoku:8:x': the share 'x' is no positive number"),
        ("gomoku:8:-1", "cannot read 'gomoku:8:-1': the share '-1' is no positive number"),
        ("go:8:1", "unknown game 'go': one of gomoku, othello"),
        ("gomoku:8:swap:1", "unknown rule 'swap': one of freestyle, renju, standard"),
        ("gomoku:8:1,othello:8:1", "a net plays one game, not gomoku and othello"),
    ],
)
def test_a_mix_that_makes_no_sense_is_refused(tmp_path: Path, text: str, refusal: str) -> None:
    assert refusal_of(tmp_path / "run", mix=text) == refusal
    assert not (tmp_path / "run").exists()


def test_a_classic_net_is_for_one_rule_and_one_objective(tmp_path: Path) -> None:
    refusal = "a classic net sees neither rule nor objective: it is for one of each"
    for mix in ("gomoku:8:1,gomoku:8:misere:1", "gomoku:8:1,gomoku:8:renju:1"):
        assert refusal_of(tmp_path / "run", mix=mix, net="classic") == refusal
    open_run(tmp_path / "run", {"mix": "gomoku:8:misere:1", "net": "classic"}).close()


def test_a_run_remembers_its_settings(tmp_path: Path) -> None:
    open_run(tmp_path / "run", {"mix": "othello:6:2.0", "hours": 3.5, "adaptive": True}).close()
    settings = read_settings(tmp_path / "run")
    assert settings == Settings(mix="othello:6:2", hours=3.5, adaptive=True)
    again = open_run(tmp_path / "run", {"hours": 4.0, "net": None})
    assert again.settings.hours == read_settings(tmp_path / "run").hours == 4.0
    assert again.settings.mix == "othello:6:2"


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({"mix": "othello:8:1"}, "run directory 'DIR' has mix 'gomoku:8:1', not 'othello:8:1'"),
        ({"net": "b6c64"}, "run directory 'DIR' has net 'b4c32', not 'b6c64'"),
        ({"seed": 7}, "run directory 'DIR' has seed '1', not '7'"),
        ({"hours": -1.0}, "unacceptable hours: -1.0 is not in 1e-06..10000"),
        ({"sims": "8"}, "cannot read the sims '8': CONSIDEREDxSIMULATIONS, separated by commas"),
        ({"evaluator": "jax"}, "unknown evaluator 'jax': one of auto, short, native, int8, onnx, torch"),
    ],
)
def test_a_run_of_something_else_is_refused(tmp_path: Path, given: dict[str, object], refusal: str) -> None:
    open_run(tmp_path, {}).close()
    before = (tmp_path / "run.toml").read_bytes()
    assert refusal_of(tmp_path, **given) == refusal
    assert (tmp_path / "run.toml").read_bytes() == before


def test_a_run_from_a_version_to_come_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(f"version = {VERSION + 1}\n")
    assert refusal_of(tmp_path) == f"run directory 'DIR' has version {VERSION + 1}, this is {VERSION}"


def test_a_run_of_another_method_is_refused(tmp_path: Path) -> None:
    SmallRun(tmp_path, "dqn", {"game": "othello"}).close()
    assert refusal_of(tmp_path) == "run directory 'DIR' has method 'dqn', not 'net'"


def test_a_log_says_what_a_run_was_asked_for_and_when_that_changed(tmp_path: Path) -> None:
    for given in ({"mix": "othello:6:1", "batch": 32}, {}, {"hours": 2.5}, {"batch": 256}):
        open_run(tmp_path, given).close()
    plans = [line["plan"] for line in read_log(tmp_path)]
    assert plans == [{"hours": 1.0, "batch": 32}, {"hours": 2.5, "batch": 32}, {"hours": 2.5}]


def test_unknown_settings_and_wrong_types_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(f"version = {VERSION}\nluck = 3\n")
    assert refusal_of(tmp_path) == "'DIR/run.toml' has settings that are unknown or of the wrong type"
    (tmp_path / "run.toml").write_text(f"version = {VERSION}\nseed = 'one'\n")
    assert refusal_of(tmp_path) == "unacceptable seed: 'one' is no int"


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    assert refusal_of(tmp_path) == "'DIR' is no run directory, and not empty"
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"planes": "99"}, "weights 'FILE' are for planes of version 99, not 1"),
        ({"config": "b99c999"}, "weights 'FILE': unknown net 'b99c999': one of b4c32, b6c64, b10c128, classic"),
        ({"config": "b6c64"}, "weights 'FILE' are of a net 'b6c64', not 'b4c32'"),
        ({"game": "othello"}, "weights 'FILE' are for othello, not gomoku"),
    ],
)
def test_weights_that_a_run_cannot_begin_with_are_refused(tmp_path: Path, change: dict[str, str], refusal: str) -> None:
    path = tmp_path / "net.safetensors"
    save_file({"stem.bias": np.zeros(3, np.float32)}, path, Description("gomoku", "b4c32", (8,)).texts() | change)
    before = path.read_bytes()
    assert refusal_of(tmp_path / "run", init=str(path)).replace(str(path), "FILE") == refusal
    assert path.read_bytes() == before
    assert not (tmp_path / "run").exists()


def test_a_run_is_open_once(tmp_path: Path) -> None:
    run = open_run(tmp_path, {})
    assert refusal_of(tmp_path) == "run directory 'DIR' is in use"
    run.close()
    open_run(tmp_path, {}).close()


def test_a_line_that_was_cut_short_is_left_out(tmp_path: Path) -> None:
    run = open_run(tmp_path, {})
    run.append({"kind": "cycle", "games": 3})
    with run.log.open("a") as file:
        file.write(json.dumps({"kind": "cycle"})[:-4])
    run.close()
    assert read_log(tmp_path)[1:] == [{"kind": "cycle", "games": 3}]


def test_a_line_after_one_that_was_cut_short_is_whole(tmp_path: Path) -> None:
    run = open_run(tmp_path, {})
    run.log.write_text('{"kind": "cycle", "games": 3}\n{"kind": "cyc')
    run.append({"kind": "cycle", "games": 5})
    run.append({"kind": "cycle", "games": 7})
    run.close()
    assert [line["games"] for line in read_log(tmp_path)] == [3, 5, 7]
    assert run.log.read_text().splitlines()[1] == '{"kind": "cyc'
