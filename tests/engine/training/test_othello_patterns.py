from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.pattern_tables import load_tables
from extremum.engine.kernels.othello_fitting import write_targets
from extremum.engine.kernels.othello_games import FINAL, NUM_NOTES, SEARCHED, SIDE, play_games, scores_by_depth
from extremum.engine.kernels.othello_learning import learn_from_quick_games
from extremum.engine.kernels.othello_patterns import FOLDED, NUM_COLUMNS, NUM_STAGES
from extremum.engine.kernels.rng import make_rng
from extremum.engine.nets.manifest import SHIPPED, find_weights, read_manifest
from extremum.engine.training.othello_fit import Games, fit, no_errors, tables_of
from extremum.engine.training.othello_patterns import train_patterns


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


@pytest.mark.slow
def test_a_run_writes_tables_that_can_be_played_with(tmp_path: Path) -> None:
    said: list[str] = []
    path = train_patterns(tmp_path / "run", -1, 0.004, 3, said.append)
    assert load_tables(path, -1).weights.any()
    assert said


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from extremum.engine.training.othello_patterns import train_patterns\n"
        "train_patterns(Path(sys.argv[1]), 1, 60, 5, lambda line: print(line, flush=True))"
    )
    folder = tmp_path / "run"
    child = subprocess.Popen([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE)
    while not (folder / "state.npz").exists():
        time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    said: list[str] = []
    train_patterns(folder, 1, 0.002, 5, said.append)
    assert "part 0" in said[0]
    assert " 0 games so far" not in said[0]


@pytest.mark.slow
def test_a_run_may_begin_with_tables(tmp_path: Path) -> None:
    shipped = find_weights(read_manifest(SHIPPED), "othello", 8, 1, "patterns").path
    said: list[str] = []
    path = train_patterns(tmp_path / "run", 1, 0.004, 3, said.append, init=shipped)
    assert "part 1" in said[0]
    assert not any("quick" in line for line in said)
    before, after = load_tables(shipped, 1).weights.astype(int), load_tables(path, 1).weights.astype(int)
    assert 0 < np.abs(after - before).mean() < np.abs(before).mean()


def test_tables_of_the_other_objective_are_no_beginning(tmp_path: Path) -> None:
    shipped = find_weights(read_manifest(SHIPPED), "othello", 8, 1, "patterns").path
    with pytest.raises(EngineError, match="for the ordinary game"):
        train_patterns(tmp_path / "run", -1, 1, 3, ignore, init=shipped)


def test_another_runs_directory_is_refused(tmp_path: Path) -> None:
    _begin(tmp_path / "run")
    with pytest.raises(EngineError, match="ordinary Othello with seed 3"):
        train_patterns(tmp_path / "run", -1, 1, 3, ignore)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(EngineError, match="not empty"):
        train_patterns(tmp_path / "other", 1, 1, 3, ignore)


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    _begin(tmp_path / "run")
    (tmp_path / "run" / "state.npz").write_bytes(b"PK nothing")
    with pytest.raises(EngineError, match="is damaged"):
        train_patterns(tmp_path / "run", 1, 1, 3, ignore)


class _EnoughError(Exception):
    """Ends a run from its report."""


def _begin(folder: Path) -> None:
    """Leave a run of seed 3 after its first games."""

    def report(line: str) -> None:
        if "quick games" in line:
            raise _EnoughError

    with pytest.raises(_EnoughError):
        train_patterns(folder, 1, 1, 3, report)


def ignore(line: str) -> None:
    pass


def _games(count: int, objective: int = 1) -> Games:
    tables = tables_of(np.zeros((NUM_STAGES, NUM_COLUMNS), np.float32), no_errors(), objective)
    discs, notes = np.zeros((count * 60, 2), np.uint64), np.zeros((count * 60, NUM_NOTES), np.int16)
    how = (count, objective, 8, 30, 2, 8, np.zeros((1 << 12, 2), np.uint64))
    size = play_games(*how, tables.weights, tables.errors, 0, discs, notes, make_rng(1))
    return Games(discs[:size], notes[:size])
