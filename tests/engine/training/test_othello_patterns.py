from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.pattern_tables import load_tables, shipped_tables
from extremum.engine.games import make_game
from extremum.engine.kernels.othello_fitting import write_targets
from extremum.engine.kernels.othello_games import FINAL, NUM_NOTES, SEARCHED, SIDE, play_games, scores_by_depth
from extremum.engine.kernels.othello_learning import learn_from_quick_games
from extremum.engine.kernels.othello_patterns import FOLDED, NUM_COLUMNS, NUM_STAGES
from extremum.engine.kernels.rng import make_rng
from extremum.engine.nets.manifest import SHIPPED, find_weights, read_manifest
from extremum.engine.training.by_patterns import train_tables
from extremum.engine.training.othello_fit import Games, fit, no_errors, tables_of
from extremum.engine.training.othello_patterns import CHUNK, play_well, tables_player
from extremum.engine.training.plot import plot
from extremum.engine.training.request import Request
from extremum.engine.training.run import read_log
from extremum.engine.training.small_run import SmallRun
from extremum.engine.training.yardsticks import make_openings, play_match
from tests.protocol.engine import ENGINE


@pytest.mark.parametrize("objective", [1, -1])
def test_quick_games_teach_who_will_win(objective: int) -> None:
    weights = np.zeros((NUM_STAGES, NUM_COLUMNS), np.float32)
    learn_from_quick_games(2000, objective, 16, 0.2, 0.7, (weights, FOLDED.astype(np.int32)), make_rng(1))
    games, table = _games(40, objective), np.zeros((1 << 12, 2), np.uint64)
    late = (games.empties >= 10) & (games.empties <= 20)
    tables, scores = tables_of(weights, no_errors(), objective), np.zeros((late.sum(), 1), np.int32)
    discs = np.ascontiguousarray(games.discs[late])
    scores_by_depth(discs, objective, np.array([1]), table, tables.weights, tables.errors, 0, scores)
    assert np.corrcoef(scores[:, 0], games.notes[late, FINAL])[0, 1] > 0.3


def test_games_are_written_down_with_their_ends() -> None:
    games = _games(20)
    empties = games.empties
    assert ((empties >= 1) & (empties <= 52)).all()  # the first eight plies were by chance
    assert set(np.unique(games.notes[:, SIDE])) == {-1, 1}
    solved = empties <= 8
    assert (games.notes[solved, SEARCHED] == 100 * games.notes[solved, FINAL]).all()


@pytest.mark.parametrize(("depth", "exact_from"), [(4, 11), (6, 13)])
def test_deeper_games_are_exact_from_further_on(depth: int, exact_from: int) -> None:
    games, count = play_well(shipped_tables(1), depth, 0.0, make_rng(2), lambda: False)
    assert count == CHUNK
    agree = games.notes[:, SEARCHED] == 100 * games.notes[:, FINAL]
    assert agree[games.empties <= exact_from].all()
    assert not agree[games.empties == exact_from + 1].all()


@pytest.mark.parametrize("depth", [0, 3, 13])
def test_a_depth_that_is_no_good_is_refused(tmp_path: Path, depth: int) -> None:
    with pytest.raises(EngineError, match=rf"^unacceptable depth: {depth} is not in 4\.\.12$"):
        train_tables(Request(tmp_path / "run", depth=depth), lambda text: None, lambda: False)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("depth", "complaint"), [(None, "has depth '6', which was not asked for$"), (8, "has depth '6', not '8'$")]
)
def test_a_run_goes_on_at_its_own_depth_only(tmp_path: Path, depth: int | None, complaint: str) -> None:
    kept: dict[str, str | int] = {"game": "othello", "size": 8, "objective": "ordinary", "seed": 3, "depth": 6}
    SmallRun(tmp_path / "run", "patterns", kept).close()
    with pytest.raises(EngineError, match=complaint):
        train_tables(Request(tmp_path / "run", {"seed": 3}, depth=depth), lambda text: None, lambda: False)


def test_the_end_of_a_game_is_the_target_of_the_patient() -> None:
    games = _games(20)
    targets = np.zeros(len(games.discs), np.float32)
    write_targets(games.discs, games.notes, 1.0, targets)
    assert (targets == games.notes[:, FINAL]).all()
    write_targets(games.discs, games.notes, 0.0, targets)
    assert np.allclose(targets, games.notes[:, SEARCHED] / 100)


def test_fitting_comes_nearer_to_the_games() -> None:
    games, weights = _games(150), np.zeros((NUM_STAGES, NUM_COLUMNS), np.float32)
    fitted = fit(weights, games, passes=6)
    assert (fitted != 0).any()
    assert (weights == 0).all()


def test_tables_that_know_who_wins_beat_those_that_know_nothing() -> None:
    nothing = np.zeros((NUM_STAGES, NUM_COLUMNS), np.float32)
    wise, simple = (tables_player(tables, 2) for tables in (shipped_tables(1), tables_of(nothing, no_errors(), 1)))
    result = play_match(wise, simple, make_openings(make_game("othello", 8), 3, seed=1), lambda: False)
    assert result is not None
    assert result.wins >= 5


@pytest.mark.slow
def test_a_run_writes_tables_that_can_be_played_with(tmp_path: Path) -> None:
    said: list[str] = []
    path = train(tmp_path / "run", said, misere=True)
    assert load_tables(path, -1).weights.any()
    assert said[0].endswith(": tables of misère othello 8x8, part 0 of 3, 0 games so far")
    assert said[1].endswith(" discs; 0:00:00 to go")
    assert {path.name for path in (tmp_path / "run").iterdir() if not path.name.startswith("games-")} == {
        *("run.toml", "state.safetensors", "log.jsonl"),
        path.name,
    }
    lines = read_log(tmp_path / "run")
    assert [line["opponent"] for line in lines if line["kind"] == "match"] == ["hand-made evaluation"] * 3
    assert lines[0] == {"kind": "plan", "plan": {"hours": SHORT}}
    assert plot(tmp_path / "run").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = [*ENGINE, "train", "--method", "patterns", "--run", str(folder), "--seed", "3"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert "so far" in child.stderr.readline()
        assert " discs; " in child.stderr.readline()
        child.send_signal(signal.SIGKILL)
    said: list[str] = []
    train(folder, said)
    assert "part 0" in said[0]
    assert " 0 games so far" not in said[0]


@pytest.mark.slow
def test_a_run_may_begin_with_tables(tmp_path: Path) -> None:
    shipped = find_weights(read_manifest(SHIPPED), "othello", 8, 1, "patterns").path
    said: list[str] = []
    path = train(tmp_path / "run", said, init=str(shipped))
    assert "part 1" in said[0]
    before, after = load_tables(shipped, 1).weights.astype(int), load_tables(path, 1).weights.astype(int)
    assert 0 < np.abs(after - before).mean() < np.abs(before).mean()
    assert read_log(tmp_path / "run")[0]["plan"]["init"] == str(shipped)
    train(tmp_path / "run", said)
    assert not any("rate" in line for line in said)


def test_tables_of_the_other_objective_are_no_beginning(tmp_path: Path) -> None:
    shipped = find_weights(read_manifest(SHIPPED), "othello", 8, 1, "patterns").path
    with pytest.raises(EngineError, match="for the ordinary game"):
        train(tmp_path / "run", [], misere=True, init=str(shipped))
    assert not (tmp_path / "run").exists()


def test_another_runs_directory_is_refused(tmp_path: Path) -> None:
    SmallRun(tmp_path / "run", "patterns", {"game": "othello", "size": 8, "objective": "ordinary", "seed": 3}).close()
    with pytest.raises(EngineError, match=r"has objective 'ordinary', not 'misere'$"):
        train(tmp_path / "run", [], misere=True)


def test_a_state_of_something_else_is_damaged(tmp_path: Path) -> None:
    run = SmallRun(tmp_path, "patterns", {"game": "othello", "size": 8, "objective": "ordinary", "seed": 3})
    run.save({"weights": np.zeros(3), "rng": make_rng(1)}, {})
    run.close()
    with pytest.raises(EngineError, match=r"^state '.*' is damaged$"):
        train(tmp_path, [])


SHORT = 0.0001  # hours


def train(folder: Path, said: list[str], *, misere: bool = False, init: str = "") -> Path:
    request = Request(folder, {"hours": SHORT, "seed": 3, "init": init}, misere=misere)
    return train_tables(request, said.append, lambda: False)


def _games(count: int, objective: int = 1) -> Games:
    tables = tables_of(np.zeros((NUM_STAGES, NUM_COLUMNS), np.float32), no_errors(), objective)
    discs, notes = np.zeros((count * 60, 2), np.uint64), np.zeros((count * 60, NUM_NOTES), np.int16)
    how = (count, objective, 8, 30, 2, 8, np.zeros((1 << 12, 2), np.uint64))
    size = play_games(*how, tables.weights, tables.errors, 0, discs, notes, make_rng(1))
    return Games(discs[:size], notes[:size])
