from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.pattern_tables import PatternTables, load_tables, save_tables, shipped_tables
from extremum.engine.kernels.othello_midgame import MOST_DEPTH
from extremum.engine.kernels.othello_patterns import FOLDED, NUM_COLUMNS, NUM_STAGES, SHAPES, STARTS
from extremum.engine.nets.files import digest
from tests.engine.full_disk import full_disk
from tests.engine.kernels.pattern_weights import NO_ERRORS, random_weights


def test_tables_come_back_as_they_were_saved(tmp_path: Path) -> None:
    path = _saved(tmp_path)
    tables = load_tables(path, -1, digest(path.read_bytes()))
    assert (tables.weights == random_weights()).all()
    assert (tables.errors == NO_ERRORS + 7).all()
    assert path.stat().st_size < 6_000_000


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="are missing"):
        load_tables(tmp_path / "none.safetensors", 1)


def test_another_hash_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="hash"):
        load_tables(_saved(tmp_path), -1, "0" * 64)


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = _saved(tmp_path)
    path.write_bytes(path.read_bytes()[:100_000])
    with pytest.raises(EngineError, match="damaged"):
        load_tables(path, -1)


def test_tables_of_the_other_objective_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="for the misere game, not the ordinary"):
        load_tables(_saved(tmp_path), 1)


def test_safetensors_of_another_kind_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    save_file({"stem": np.zeros(3, np.float32)}, path)
    with pytest.raises(EngineError, match="are no othello-patterns"):
        load_tables(path, 1)


def test_tables_of_another_shape_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.safetensors"
    words = {"format": "othello-patterns-1", "objective": "ordinary"}
    save_file({"weights": np.zeros((2, 2), np.int16)}, path, metadata=words)
    with pytest.raises(EngineError, match="lack 'weights'"):
        load_tables(path, 1)


def test_a_full_disk_is_told_of_as_any_other_file_would_be(tmp_path: Path) -> None:
    with full_disk(100_000), pytest.raises(OSError, match="File too large"):
        _saved(tmp_path)


@pytest.mark.parametrize("objective", [1, -1])
def test_the_shipped_tables_fit(objective: int) -> None:
    tables = shipped_tables(objective)
    assert tables.weights.shape == (NUM_STAGES, NUM_COLUMNS)
    assert tables.errors.shape == (NUM_STAGES, MOST_DEPTH)
    assert (tables.errors[:, 3:] > 0).all()


def _saved(folder: Path) -> Path:
    path = folder / "tables.safetensors"
    save_tables(PatternTables(random_weights(), NO_ERRORS + 7, -1), path)
    return path


def test_in_a_file_of_fewer_shapes_the_others_weigh_nothing(tmp_path: Path) -> None:
    path, tables = tmp_path / "few.safetensors", PatternTables(random_weights(), NO_ERRORS + 7, 1)
    few = SHAPES[:11]
    begin, end = STARTS[len(few)], STARTS[-1]
    kept = np.unique(FOLDED)
    words = {"format": "othello-patterns-1", "objective": "ordinary"}
    tensors: dict[str, np.ndarray] = {
        "weights": np.ascontiguousarray(tables.weights[:, kept[(kept < begin) | (kept >= end)]]),
        "errors": tables.errors.astype(np.int32),
    }
    for names in (dict[str, str](), {"shapes": ", ".join(name for name, _ in few)}):
        save_file(tensors, path, metadata=words | names)
        weights = load_tables(path, 1).weights
        assert (weights[:, :begin] == tables.weights[:, :begin]).all()
        assert (weights[:, end:] == tables.weights[:, end:]).all()
        assert not weights[:, begin:end].any()


def test_a_shape_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "newer.safetensors"
    words = {"format": "othello-patterns-1", "objective": "ordinary", "shapes": "corner, ring"}
    save_file({"weights": np.zeros((2, 2), np.int16)}, path, metadata=words)
    with pytest.raises(EngineError, match="unknown, 'ring'"):
        load_tables(path, 1)
