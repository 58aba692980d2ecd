import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from extremum.engine.errors import EngineError
from extremum.engine.training.checkpoint import VERSION
from extremum.engine.training.loop import Training
from extremum.engine.training.plot import plot
from extremum.engine.training.progress import words_of
from extremum.engine.training.run import Run, open_run, read_log
from tests.engine.training.random_play import RandomPlayer

SMALL = {"mix": "gomoku:6:1", "cycle": 4, "lockstep": 4, "batch": 32, "games": 8, "uses": 1.0, "yardstick": 0.0}


def train(run: Run, stop: Callable[[], bool] = lambda: False) -> Training:
    training = Training(run, lambda line: None, stop, make_player=RandomPlayer, device="cpu")
    training.work()
    run.close()
    return training


@pytest.mark.slow
def test_a_run_ends_with_all_its_files(tmp_path: Path) -> None:
    training = train(open_run(tmp_path, SMALL))
    assert training.replay.num_games == 8
    assert training.learner.steps == (training.replay.num_rows) // 32
    names = {path.name for path in tmp_path.iterdir()}
    nets = {"net.safetensors", "net.onnx", "net.int8.onnx"}
    assert names == {"run.toml", "checkpoint.safetensors", "replay", "kept", "log.jsonl", *nets}
    plan, *lines = read_log(tmp_path)
    assert plan == {"kind": "plan", "plan": {"hours": 1.0} | {key: SMALL[key] for key in SMALL if key != "mix"}}
    assert [line["games"] for line in lines] == [4, 8]
    assert all("policy" in line["losses"] and line["kl"] >= 0 for line in lines)
    assert words_of(lines[-1], 1.0).startswith("0:00:0")


@pytest.mark.slow
def test_whoever_watches_sees_games_steps_and_matches(tmp_path: Path) -> None:
    """A second passes at each look at the clock; the log has only what stays."""
    shown: list[str] = []
    given = SMALL | {"mix": "othello:6:1", "games": 4, "yardstick": 1e-6, "yardgames": 2}
    run, now = open_run(tmp_path, given), map(float, count())
    watched: dict[str, Any] = {"show": shown.append, "now": lambda: next(now)}
    Training(run, lambda line: None, lambda: False, make_player=RandomPlayer, device="cpu", **watched).work()
    run.close()
    for words in (
        r"0:\d\d:\d\d cycle 1, 0 games: 4 of 4 more, \d+ positions/s; 0:59:\d\d to go",
        r"0:\d\d:\d\d cycle 1, 4 games: learning, \d+ steps left; 0:00:00 to go",
        r"0:\d\d:\d\d cycle 2, 4 games: openings of matches: 0 of 1; 0:00:00 to go",
        r"0:\d\d:\d\d cycle 2, 4 games: net against alphabeta depth 4: 1 of 2 games; 0:00:00 to go",
    ):
        assert any(re.fullmatch(words, line) for line in shown), shown
    assert {line["kind"] for line in read_log(tmp_path)} == {"plan", "cycle", "match"}


@pytest.mark.slow
@pytest.mark.parametrize("evaluator", ["auto", "onnx", "int8"])
def test_models_are_written_on_the_way_only_where_they_play(tmp_path: Path, evaluator: str) -> None:
    """Those of an earlier end do not stand beside newer weights."""
    train(open_run(tmp_path, SMALL | {"games": 4}))
    found: list[set[str]] = []

    def report(line: dict[str, object]) -> None:
        found.append({path.name for path in tmp_path.glob("net.*onnx")})

    run = open_run(tmp_path, {"games": 8, "evaluator": evaluator})
    Training(run, report, lambda: False, make_player=RandomPlayer, device="cpu").work()
    run.close()
    assert found == [{"auto": set(), "onnx": {"net.onnx"}, "int8": {"net.onnx", "net.int8.onnx"}}[evaluator]]
    assert {path.name for path in tmp_path.glob("net.*onnx")} == {"net.onnx", "net.int8.onnx"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("net", "mix"),
    [("classic", "gomoku:6:1"), ("b4c32", "gomoku:5:1,gomoku:7:misere:1"), ("b4c32", "othello:6:1,othello:8:misere:1")],
)
def test_every_net_and_mix_is_trained(tmp_path: Path, net: str, mix: str) -> None:
    training = train(open_run(tmp_path, SMALL | {"net": net, "mix": mix, "games": 4}))
    assert training.learner.steps > 0
    assert "policy" in read_log(tmp_path)[1]["losses"]


@pytest.mark.slow
def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    first = train(open_run(tmp_path, SMALL))
    shards = {path.name: path.read_bytes() for path in (tmp_path / "replay").iterdir()}
    again = train(open_run(tmp_path, {"games": 12}))
    assert again.replay.num_games == 12
    assert again.learner.steps > first.learner.steps
    assert again.counters.seconds > first.counters.seconds
    assert all((tmp_path / "replay" / name).read_bytes() == data for name, data in shards.items())
    before, after = (again.replay._recent[index][1][0].samples.policy[:10] for index in (0, 2))
    assert not np.array_equal(before, after)


def test_what_is_loaded_is_what_was_saved(tmp_path: Path) -> None:
    first = train(open_run(tmp_path, SMALL))
    run = open_run(tmp_path, {})
    again = Training(run, lambda line: None, lambda: False, make_player=RandomPlayer, device="cpu")
    assert again.counters == first.counters
    batch = first.replay.draw(16, np.random.default_rng(3))
    assert first.learner.learn(batch, 0.5) == again.learner.learn(batch, 0.5)
    assert first.learner.measure(batch) == again.learner.measure(batch)
    assert first._rng.random() == again._rng.random()
    run.close()


def test_games_after_the_last_checkpoint_are_still_to_be_learned_from(tmp_path: Path) -> None:
    train(open_run(tmp_path, SMALL))
    (tmp_path / "checkpoint.safetensors").unlink()
    again = train(open_run(tmp_path, {}))
    assert again.replay.num_games == 8
    assert again.learner.steps == 0
    assert again.counters.owed == again.replay.num_rows


def test_a_run_that_is_stopped_writes_its_checkpoint(tmp_path: Path) -> None:
    answers = iter([False] * 3)
    training = train(open_run(tmp_path, SMALL), lambda: next(answers, True))
    assert (tmp_path / "checkpoint.safetensors").exists()
    assert training.progress() < 1


def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    train(open_run(tmp_path, SMALL))
    path = tmp_path / "checkpoint.safetensors"
    whole = path.read_bytes()
    with safe_open(path, "np") as file:
        texts = dict(file.metadata())
    weights = load_file(path)
    save_file(weights, path, texts | {"version": str(VERSION + 1)})
    assert refusal_of(tmp_path) == f"checkpoint 'FILE' has version {VERSION + 1}, this is {VERSION}"
    save_file(weights, path, texts | {"config": "b6c64"})
    assert refusal_of(tmp_path) == "checkpoint 'FILE' has config 'b6c64', not 'b4c32'"
    path.write_bytes(whole[:1000])
    assert refusal_of(tmp_path) == "checkpoint 'FILE' is damaged"
    assert path.stat().st_size == 1000


def refusal_of(folder: Path) -> str:
    run = open_run(folder, {})
    with pytest.raises(EngineError) as caught:
        train(run)
    run.close()
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(folder / "checkpoint.safetensors"), "FILE")


@pytest.mark.slow
def test_a_net_is_kept_and_measured_when_it_is_due(tmp_path: Path) -> None:
    given = SMALL | {"yardstick": 1e-6, "yardgames": 2, "keep": 1e-6, "mix": "othello:6:1", "games": 4}
    training = train(open_run(tmp_path, given))
    assert len(list((tmp_path / "kept").iterdir())) == 1
    matches = [line for line in read_log(tmp_path) if line["kind"] == "match"]
    rollouts, depths = ["rollout 1000", "rollout 5000"], ["alphabeta depth 2", "alphabeta depth 4"]
    assert [match["opponent"] for match in matches] == rollouts + depths
    assert all(match["wins"] + match["draws"] + match["losses"] == 2 for match in matches)
    assert training.counters.rollouts in (1000, 2000)
    assert "against rollout 1000" in words_of(matches[0], 1.0)


@pytest.mark.slow
def test_a_run_with_a_longer_plan_goes_on_keeping_nets(tmp_path: Path) -> None:
    first = train(open_run(tmp_path, SMALL | {"keep": 1e-6}))
    assert first.counters.kept > 1000
    seconds = first.counters.seconds
    second = Training(open_run(tmp_path, {"keep": seconds / 60 / 2.5}), lambda line: None, lambda: True, device="cpu")
    assert second.counters.kept == 2  # the third is due after half as long again


def test_curves_are_drawn(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"has no log to draw yet$"):
        plot(tmp_path)
    train(open_run(tmp_path, SMALL))
    picture = plot(tmp_path).read_bytes()
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert picture.endswith(b"IEND\xaeB`\x82")
