from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from extremum.engine.errors import EngineError
from extremum.engine.nets.build import load_net
from extremum.engine.nets.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from extremum.engine.nets.description import Description
from extremum.engine.nets.files import digest
from extremum.engine.nets.quantize import quantize
from tests.engine.full_disk import full_disk
from tests.engine.nets.random_nets import random_checkpoint


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "net.safetensors"
    save_checkpoint(random_checkpoint("othello", "b4c32", 6, 8), file)
    return file


def refusal_of(path: Path, game: str | None = None, sha256: str | None = None) -> str:
    with pytest.raises(EngineError) as caught:
        load_checkpoint(path, game, sha256)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(path), "FILE")


def test_a_checkpoint_saved_and_loaded_comes_back(path: Path) -> None:
    saved = random_checkpoint("othello", "b4c32", 6, 8)
    loaded = load_checkpoint(path, "othello", digest(path.read_bytes()))
    assert loaded.description == saved.description
    assert loaded.weights.keys() == saved.weights.keys()
    assert all(np.array_equal(loaded.weights[name], saved.weights[name]) for name in saved.weights)
    assert [file.name for file in path.parent.iterdir()] == ["net.safetensors"]


def test_a_missing_file_is_refused(path: Path) -> None:
    path.unlink()
    assert refusal_of(path) == "weights 'FILE' are missing"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert refusal_of(tmp_path) == "weights 'FILE' cannot be read: Is a directory"


@pytest.mark.parametrize("length", [0, 4, 100, -1])
def test_a_truncated_file_is_refused(path: Path, length: int) -> None:
    path.write_bytes(path.read_bytes()[:length])
    assert refusal_of(path) == "weights 'FILE' are damaged or no safetensors"


def test_a_pickle_is_refused(path: Path) -> None:
    path.write_bytes(b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94" * 10)
    assert refusal_of(path) == "weights 'FILE' are damaged or no safetensors"


def test_weights_of_another_game_are_refused(path: Path) -> None:
    assert refusal_of(path, "gomoku") == "weights 'FILE' are for othello, not gomoku"


def test_a_wrong_hash_is_refused(path: Path) -> None:
    refusal = "weights 'FILE' do not have the hash that the manifest says"
    assert refusal_of(path, "othello", "0" * 64) == refusal


def test_weights_without_a_description_are_refused(path: Path) -> None:
    save_file({"stem.weight": np.zeros(3, np.float32)}, path)
    assert refusal_of(path) == "weights 'FILE' do not say what they are"


def test_weights_that_do_not_fit_their_net_are_refused() -> None:
    weights = random_checkpoint("othello", "b4c32", 8).weights
    with pytest.raises(EngineError, match=r"^the weights do not fit a net of shape 'b6c64'$"):
        load_net(Checkpoint(Description("othello", "b6c64", (8,)), weights))


def test_a_full_disk_leaves_the_weights_that_stood_there(path: Path) -> None:
    before = path.read_bytes()
    with full_disk(100_000), pytest.raises(OSError, match="File too large"):
        save_checkpoint(random_checkpoint("othello", "b4c32", 8), path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["net.safetensors"]


def test_a_full_folder_for_temporary_files_is_one_clear_line() -> None:
    checkpoint = random_checkpoint("othello", "b4c32", 6)
    planes = np.zeros((1, checkpoint.description.num_planes, 6, 6), np.float32)
    with full_disk(100_000), pytest.raises(EngineError, match=r"^cannot write to '.+': File too large$"):
        quantize(checkpoint, planes)
