"""Options, and the evaluator and weights that they stand for."""

from pathlib import Path

import onnx
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators import EVALUATORS
from extremum.engine.evaluators.native import NativeEvaluator, ShortEvaluator
from extremum.engine.evaluators.numpy import NumpyEvaluator
from extremum.engine.evaluators.onnx import OnnxEvaluator
from extremum.engine.evaluators.torch import TorchEvaluator
from extremum.engine.evaluators.weightless import PatternsEvaluator
from extremum.engine.evaluators.wishes import open_evaluator
from extremum.engine.games import make_game
from extremum.engine.games.game import Game
from extremum.engine.games.misere import Misere
from extremum.engine.kernels.pairs import HAS_PAIRS
from extremum.engine.nets.checkpoint import save_checkpoint
from extremum.engine.nets.export import export
from extremum.engine.nets.files import digest
from extremum.engine.options import Options
from tests.engine.nets.random_nets import random_checkpoint

OTHELLO = make_game("othello", 8)
QUICKEST = ShortEvaluator if HAS_PAIRS else NativeEvaluator


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A manifest of one net for Othello 8x8 in the ordinary game, in two kinds of files."""
    path = tmp_path_factory.mktemp("weights")
    checkpoint = random_checkpoint("othello", "b4c32", 8, objective="ordinary")
    onnx.save(export(checkpoint), path / "small.onnx")
    save_checkpoint(checkpoint, path / "small.safetensors")
    rows = [_row(path / name) for name in ("small.onnx", "small.safetensors")]
    (path / "manifest.toml").write_text("\n".join(rows), encoding="utf-8")
    return path


def _row(path: Path) -> str:
    texts = {"file": path.name, "sha256": digest(path.read_bytes()), "game": "othello", "objective": "ordinary"}
    texts |= {"config": "b4c32", "trained": "at random", "strength": "none"}
    return "[[weights]]\nsizes = [8]\n" + "\n".join(f'{key} = "{text}"' for key, text in texts.items())


def refusal(folder: Path, game: Game = OTHELLO, **options: str) -> str:
    with pytest.raises(EngineError) as caught:
        open_evaluator(Options(**options), game, folder / "manifest.toml")  # type: ignore[arg-type]  # texts only
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(str(folder), "FOLDER")


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (Options(), QUICKEST),
        (Options(evaluator="native"), NativeEvaluator),
        (Options(evaluator="short"), ShortEvaluator),
        (Options(evaluator="onnx"), OnnxEvaluator),
        (Options(evaluator="torch", device="cpu"), TorchEvaluator),
        (Options(evaluator="numpy"), NumpyEvaluator),
        (Options(evaluator="patterns"), PatternsEvaluator),
        (Options(weights="small"), QUICKEST),
        (Options(weights="small.onnx"), OnnxEvaluator),
        (Options(weights="small", evaluator="numpy"), NumpyEvaluator),
        (Options(weights="small.safetensors", evaluator="numpy"), NumpyEvaluator),
    ],
    ids=lambda option: "" if isinstance(option, type) else f"{option.weights} {option.evaluator}",
)
def test_options_say_which_evaluator_and_weights(folder: Path, options: Options, kind: type) -> None:
    assert type(open_evaluator(options, OTHELLO, folder / "manifest.toml")) is kind


def test_a_file_of_ones_own_is_taken(folder: Path) -> None:
    options = Options(weights=str(folder / "small.onnx"))
    assert isinstance(open_evaluator(options, OTHELLO, folder / "nowhere.toml"), OnnxEvaluator)


@pytest.mark.parametrize("manifest", ["manifest.toml", "nowhere.toml"])
def test_without_weights_the_refusal_says_what_to_do(folder: Path, manifest: str) -> None:
    for game, name in ((make_game("gomoku", 15), "gomoku 15x15"), (Misere(OTHELLO), "misère othello 8x8")):
        with pytest.raises(EngineError) as caught:
            open_evaluator(Options(), game, folder / manifest)
        advice = "set the option weights to a file, or evaluator to patterns"
        assert str(caught.value) == f"there are no weights for {name}: {advice}"


@pytest.fixture(scope="module")
def freestyle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A manifest of one net for freestyle Gomoku on 9x9."""
    path = tmp_path_factory.mktemp("freestyle") / "small.safetensors"
    save_checkpoint(random_checkpoint("gomoku", "b4c32", 9, objective="ordinary"), path)
    row = _row(path).replace("othello", "gomoku").replace("[8]", '[9]\nrules = ["freestyle"]')
    path.with_name("manifest.toml").write_text(row, encoding="utf-8")
    return path.with_name("manifest.toml")


@pytest.mark.parametrize(
    ("game", "name"),
    [
        (make_game("gomoku", 9, "renju"), "gomoku renju 9x9"),
        (make_game("gomoku", 9, "standard"), "gomoku standard 9x9"),
        (make_game("gomoku", 9, "freestyle", 4), "gomoku 9x9 with another number in a row"),
    ],
)
def test_weights_are_not_taken_for_a_rule_they_were_not_trained_for_unless_they_are_named(
    freestyle: Path, game: Game, name: str
) -> None:
    advice = "set the option weights to a file, or evaluator to patterns"
    with pytest.raises(EngineError) as caught:
        open_evaluator(Options(), game, freestyle)
    assert str(caught.value) == f"there are no weights for {name}: {advice}"
    assert isinstance(open_evaluator(Options(weights="small"), game, freestyle), NativeEvaluator)
    assert isinstance(open_evaluator(Options(), make_game("gomoku", 9), freestyle), NativeEvaluator)


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
@pytest.mark.parametrize("size", [8, 11, 15])
def test_weights_for_every_rule_are_shipped(rule: str, size: int) -> None:
    assert isinstance(open_evaluator(Options(), make_game("gomoku", size, rule)), NativeEvaluator)


def test_wrong_weights_are_refused_in_a_line(folder: Path) -> None:
    assert refusal(folder, weights="none.onnx") == "weights 'none.onnx' are missing"
    assert refusal(folder, weights="smal") == "unknown weights 'smal': a file, or one of small"
    assert refusal(folder, weights="no/none") == "weights 'no/none' are missing"
    for name in ("other.txt", "othello.patterns.safetensors"):
        (folder / name).touch()
        told = refusal(folder, weights=str(folder / name))
        assert told == f"weights 'FOLDER/{name}' are no net: neither safetensors nor onnx"
    assert refusal(folder, weights="small.onnx", evaluator="numpy") == (
        "the numpy evaluator takes safetensors, not 'small.onnx'"
    )
    assert refusal(folder, weights="x.onnx", evaluator="patterns") == "the patterns evaluator takes no weights"
    assert refusal(folder, weights="small.onnx", device="cuda") == "the onnx evaluator runs on the cpu, not on 'cuda'"
    assert refusal(folder, make_game("gomoku", 8), weights="small.onnx") == (
        "weights 'FOLDER/small.onnx' are for othello, not gomoku"
    )


def test_a_changed_file_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "small.onnx").write_bytes((folder / "small.onnx").read_bytes()[:-1])
    (tmp_path / "manifest.toml").write_text(_row(folder / "small.onnx"), encoding="utf-8")
    assert refusal(tmp_path) == "weights 'FOLDER/small.onnx' do not have the hash that the manifest says"
    assert (
        refusal(tmp_path, weights=str(tmp_path / "small.onnx")) == "weights 'FOLDER/small.onnx' are damaged or no onnx"
    )


def test_the_option_names_every_evaluator() -> None:
    for name in (*EVALUATORS, "auto", "int8"):
        assert Options().changed("evaluator", name).evaluator == name
