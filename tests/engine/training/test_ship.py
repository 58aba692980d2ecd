from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators import make_evaluator
from extremum.engine.evaluators.onnx import OnnxEvaluator
from extremum.engine.games import make_game
from extremum.engine.kernels import misere_weights
from extremum.engine.nets.files import digest
from extremum.engine.nets.manifest import SHIPPED, find_weights, read_manifest
from extremum.engine.training.agreement import NEAR, value_error
from extremum.engine.training.files import write_in_turn
from extremum.engine.training.loop import Training
from extremum.engine.training.methods import train
from extremum.engine.training.replay import Replay
from extremum.engine.training.request import Request
from extremum.engine.training.run import open_run
from extremum.engine.training.ship import ship
from extremum.engine.training.ship_misere import ship_table
from extremum.engine.training.small_run import SmallRun, read_kind
from tests.engine.full_disk import full_disk
from tests.engine.kernels.positions import states_of
from tests.engine.training.random_play import RandomPlayer, random_game

SMALL = {"mix": "gomoku:6:1", "cycle": 4, "lockstep": 4, "batch": 32, "games": 8, "uses": 1.0, "yardstick": 0.0}
NAMES = ["gomoku-small.int8.onnx", "gomoku-small.onnx", "gomoku-small.safetensors"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run, and beside it a folder of weights."""
    run = open_run(tmp_path / "run", SMALL)
    Training(run, lambda line: None, lambda: False, make_player=RandomPlayer, device="cpu").work()
    run.close()
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "manifest.toml").write_text("# the preferred ones first\n")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.slow
def test_a_shipped_net_is_found_by_the_manifest(folder: Path) -> None:
    weights = folder / "weights"
    told: list[str] = []
    for _ in range(2):
        paths = ship(folder / "run", "gomoku-small", weights=weights, report=told.append)
    assert told == [f"in the place of what was there: {', '.join(NAMES)}"]
    assert [path.name for path in paths] == [*NAMES, "gomoku-small.png"]
    entries = read_manifest(weights / "manifest.toml")
    assert [entry.path for entry in entries] == paths[:3]
    assert (weights / "manifest.toml").read_text().startswith("# the preferred ones first\n")
    entry = find_weights(entries, "gomoku", 6, 1, "int8")
    assert entry.rules == ("freestyle",)
    evaluator = make_evaluator("onnx", entry.path, "gomoku", entry.sha256)
    assert len(evaluator.evaluate(states_of([make_game("gomoku", 6).start()]))) == 1
    with pytest.raises(EngineError, match=r"^unacceptable name '../x'"):
        ship(folder / "run", "../x", weights=weights)


@pytest.mark.slow
def test_the_manifest_has_the_commands_that_made_a_net(folder: Path) -> None:
    open_run(folder / "run", {"hours": 2.5, "init": str(SHIPPED.parent / "gomoku.safetensors"), "batch": 256}).close()
    ship(folder / "run", "gomoku-small", weights=folder / "weights")
    (entry, *_) = read_manifest(folder / "weights" / "manifest.toml")
    first, then = entry.trained.split("; ")
    assert first.split(" --") == [
        "extremum train",
        *("mix gomoku:6:1", "net b4c32", "seed 1", "hours 1.0", "games 8", "cycle 4", "lockstep 4"),
        *("uses 1.0", "batch 32", "yardstick 0.0"),
    ]
    assert then.startswith("then with --hours 2.5 --batch 256 --init weights/gomoku.safetensors: 8 games, ")


@pytest.mark.slow
def test_a_full_disk_leaves_weights_and_manifest_as_they_were(folder: Path) -> None:
    ship(folder / "run", "gomoku-small", weights=folder / "weights")
    before = contents(folder / "weights")
    with full_disk(300_000), pytest.raises(EngineError, match=r"^cannot write to '.*': File too large$"):
        ship(folder / "run", "gomoku-small", "stronger", folder / "weights")
    assert contents(folder / "weights") == before


def test_files_that_belong_together_are_written_all_or_none(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    write_in_turn([(small, b"1"), (large, b"2"), (small, b"3")])
    assert contents(tmp_path) == {"small": b"3", "large": b"2"}
    with full_disk(1000), pytest.raises(EngineError, match=r"^cannot write '.*/large': File too large$"):
        write_in_turn([(small, b"4"), (large, bytes(5000)), (small, b"5")])
    assert contents(tmp_path) == {"small": b"3", "large": b"2"}


@pytest.mark.slow
def test_a_shipment_that_ends_half_way_lists_no_file_with_a_wrong_hash(folder: Path) -> None:
    weights = folder / "weights"
    ship(folder / "run", "gomoku-small", weights=weights)
    old = weights / NAMES[1]
    old.write_bytes(b"another net's")
    manifest = weights / "manifest.toml"
    manifest.write_text(manifest.read_text().replace(entry_hash(manifest, NAMES[1]), digest(b"another net's")))
    (weights / NAMES[2]).unlink()
    (weights / NAMES[2] / "in the way").mkdir(parents=True)
    with pytest.raises(EngineError, match=r"^cannot write '.*/gomoku-small.safetensors': Is a directory$"):
        ship(folder / "run", "gomoku-small", weights=weights)
    assert old.read_bytes() != b"another net's"
    assert read_manifest(manifest) == []
    assert not list(weights.glob("*.partial"))


def entry_hash(manifest: Path, file: str) -> str:
    return next(entry.sha256 for entry in read_manifest(manifest) if entry.path.name == file)


@pytest.mark.slow
def test_a_net_whose_eight_bits_say_something_else_is_shipped_without_them(tmp_path: Path) -> None:
    """Calibrated on games at random, which it knows nothing of, the net for all boards is far off."""
    run, weights, said = open_run(tmp_path / "run", {"mix": "gomoku:15:1"}), tmp_path / "weights", list[str]()
    shutil.copy(SHIPPED.parent / "gomoku.safetensors", run.net.with_suffix(".safetensors"))
    Replay(run.replay, "gomoku").add([random_game(make_game("gomoku", 15), seed) for seed in range(2)])
    run.close()
    weights.mkdir()
    (weights / "gomoku.int8.onnx").write_bytes(b"of the net before")
    shutil.copy(SHIPPED, weights / "manifest.toml")
    best = SHIPPED.read_text().split("[[weights]]")[0]
    paths = ship(tmp_path / "run", "gomoku", weights=weights, report=said.append)
    assert [path.name for path in paths] == ["gomoku.onnx", "gomoku.safetensors"]
    assert not (weights / "gomoku.int8.onnx").exists()
    assert said[0].startswith("no file in eight bits: values differ by ")
    assert (weights / "manifest.toml").read_text().startswith(best)
    assert not any(entry.path.name == "gomoku.int8.onnx" for entry in read_manifest(weights / "manifest.toml"))


def test_a_net_agrees_with_itself() -> None:
    net = OnnxEvaluator.load(SHIPPED.parent / "othello.onnx", "othello")
    small = OnnxEvaluator.load(SHIPPED.parent / "othello.int8.onnx", "othello")
    assert value_error(net, net, make_game("othello", 8)) == 0
    assert 0 < value_error(small, net, make_game("othello", 8)) < NEAR


@pytest.mark.slow
def test_tables_of_patterns_are_shipped(tmp_path: Path) -> None:
    asked = Request(tmp_path / "run", {"hours": 0.0001, "seed": 3}, misere=True)
    made = train("patterns", asked, lambda text: None, lambda: False)
    (tmp_path / "weights").mkdir()
    paths = ship(tmp_path / "run", "mine", weights=tmp_path / "weights")
    assert [path.name for path in paths] == ["mine.patterns.safetensors", "mine.patterns.png"]
    assert paths[0].read_bytes() == made.read_bytes()
    entry = find_weights(read_manifest(tmp_path / "weights" / "manifest.toml"), "othello", 8, -1, "patterns")
    command = "extremum train --method patterns --game othello --size 8 --seed 3 --misere --hours 0.0001"
    assert entry.trained.startswith(f"{command}: ")
    assert entry.strength.endswith(" of 2 games against hand-made evaluation")


def test_a_table_of_misere_weights_is_shipped_into_the_kernels_source(tmp_path: Path) -> None:
    run, source, said = tmp_path / "run", tmp_path / "kernel.py", list[str]()
    made = train("misere", Request(run, {"cycle": 8, "games": 8}, size=6), lambda text: None, lambda: False)
    shutil.copy(misere_weights.__file__, source)
    assert ship_table(run, "small", read_kind(run), said.append, source) == source
    before, after = Path(misere_weights.__file__).read_text(), source.read_text()
    names: dict[str, object] = {}
    exec(after.split("\n\n\ndef ")[0].split("import lean_kernel")[1], names)
    assert names["_SMALL"] == eval(f"({made.read_text()})")
    assert names["_LARGE"] == misere_weights._LARGE
    assert before.split("_SMALL = ")[0] == after.split("_SMALL = ")[0]
    assert before.split("_MIDDLE = ")[1] == after.split("_MIDDLE = ")[1]
    assert said[0].startswith("trained by extremum train --method misere --game gomoku --size 6 --cycle 8 ")


def test_a_run_with_nothing_to_ship_changes_nothing(tmp_path: Path) -> None:
    for method, game in (("patterns", "othello"), ("misere", "gomoku")):
        SmallRun(tmp_path / method, method, {"game": game, "size": 8}).close()
        with pytest.raises(EngineError, match=r"^run directory '.*' has no weights to ship$"):
            ship(tmp_path / method, "small", weights=tmp_path)
    with pytest.raises(EngineError, match=r"^unacceptable name 'large': weights for 8x8 are 'small'$"):
        ship(tmp_path / "misere", "large", weights=tmp_path)
    assert not (tmp_path / "manifest.toml").exists()
    assert tomllib.loads((tmp_path / "patterns" / "run.toml").read_text())["method"] == "patterns"
