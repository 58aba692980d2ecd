import subprocess
import sys
from pathlib import Path

import pytest

from extremum.engine.errors import EngineError
from extremum.engine.nets.manifest import find_weights, read_best, read_manifest

ENTRY = """
[[weights]]
file = "{file}"
sha256 = "00"
game = "{game}"
sizes = {sizes}
objective = "{objective}"
config = "b4c32"
trained = "3 hours of self-play"
strength = "unmeasured"
"""


def manifest(folder: Path, *entries: tuple[str, str, str, str]) -> Path:
    keys = ("file", "game", "sizes", "objective")
    path = folder / "manifest.toml"
    path.write_text("".join(ENTRY.format(**dict(zip(keys, entry, strict=True))) for entry in entries))
    return path


def refusal_of(path: Path) -> str:
    with pytest.raises(EngineError) as caught:
        read_manifest(path)
    return str(caught.value).replace(str(path), "FILE")


def test_the_first_file_that_serves_is_found(tmp_path: Path) -> None:
    entries = read_manifest(
        manifest(
            tmp_path,
            ("a.safetensors", "gomoku", "[15]", "both"),
            ("b.onnx", "othello", "[8]", "both"),
            ("c.onnx", "gomoku", "[8]", "both"),
            ("d.onnx", "gomoku", "[8, 15]", "misere"),
            ("e.onnx", "gomoku", "[8, 15]", "ordinary"),
            ("f.int8.onnx", "gomoku", "[8, 15]", "both"),
        )
    )
    assert find_weights(entries, "gomoku", 15, 1, "onnx").path == tmp_path / "e.onnx"
    assert find_weights(entries, "gomoku", 15, -1, "onnx").path == tmp_path / "d.onnx"
    assert find_weights(entries, "gomoku", 8, 1, "onnx").path == tmp_path / "c.onnx"
    assert find_weights(entries, "gomoku", 15, 1, "safetensors").path == tmp_path / "a.safetensors"
    assert find_weights(entries, "gomoku", 15, 1, "int8").path == tmp_path / "f.int8.onnx"


def test_weights_serve_only_the_rules_they_were_trained_for(tmp_path: Path) -> None:
    path = manifest(tmp_path, ("a.onnx", "gomoku", "[15]", "ordinary"))
    (usual,) = read_manifest(path)
    assert usual.rules == ("freestyle",)
    path.write_text(path.read_text() + 'rules = ["renju", "standard"]\n')
    (other,) = read_manifest(path)
    for rule in ("freestyle", "standard", "renju"):
        assert usual.serves("gomoku", 15, 1, rule) == (rule == "freestyle")
        assert other.serves("gomoku", 15, 1, rule) == (rule != "freestyle")


def test_weights_that_are_not_there_are_refused(tmp_path: Path) -> None:
    entries = read_manifest(manifest(tmp_path, ("a.onnx", "othello", "[8]", "ordinary")))
    with pytest.raises(EngineError, match=r"^there are no onnx weights for misère othello 8x8$"):
        find_weights(entries, "othello", 8, -1, "onnx")


def test_a_manifest_that_is_missing_or_no_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    assert refusal_of(path) == "manifest 'FILE' is missing"
    path.write_text("weights = [")
    assert refusal_of(path).startswith("manifest 'FILE' cannot be read: ")
    path.write_bytes(b"\xff\xfe")
    assert refusal_of(path).startswith("manifest 'FILE' cannot be read: ")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("weights = 3", "manifest 'FILE' has no list of weights"),
        ("weights = [3]", "manifest 'FILE', weights 1: not a table"),
        ("[[weights]]", "manifest 'FILE', weights 1: 'file' is missing or no text"),
        (
            ENTRY.format(file="a.onnx", game="gomoku", sizes='["8"]', objective="both"),
            "manifest 'FILE', weights 1: 'sizes' is no list of numbers",
        ),
        (
            ENTRY.format(file="a.pt", game="gomoku", sizes="[8]", objective="both"),
            "manifest 'FILE', weights 1: 'a.pt' is neither safetensors nor onnx",
        ),
        (
            ENTRY.format(file="a.onnx", game="gomoku", sizes="[8]", objective="both") + 'rules = "renju"',
            "manifest 'FILE', weights 1: 'rules' is no list of names",
        ),
        (
            ENTRY.format(file="a.onnx", game="gomoku", sizes="[8]", objective="both") + 'rules = ["caro"]',
            "manifest 'FILE', weights 1: unknown rule 'caro': one of freestyle, renju, standard",
        ),
    ],
)
def test_a_wrong_entry_is_refused(tmp_path: Path, text: str, refusal: str) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(text)
    assert refusal_of(path) == refusal


def test_nothing_heavy_is_imported_to_read_a_manifest() -> None:
    script = (
        "import sys; import extremum.engine.nets.manifest, extremum.engine.evaluators;"
        "print([name for name in ('numpy', 'numba', 'torch', 'onnx', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_best_brains_hold_only_where_they_were_measured(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    lines = ['game = "gomoku"', 'rule = "renju"', "sizes = [9, 15]", 'objective = "misere"', 'brain = "mcts"']
    path.write_text("\n".join(["[[best]]", *lines, 'measured = "by a match"', ""]))
    (best,) = read_best(path)
    assert best.holds("gomoku", "renju", 15, -1)
    for other in (("gomoku", "renju", 15, 1), ("gomoku", "renju", 10, -1), ("gomoku", "standard", 15, -1)):
        assert not best.holds(*other)
    path.write_text(path.read_text() + 'device = "cuda"\n')
    (on_cuda,) = read_best(path)
    for device, is_held in (("cuda", True), ("auto", False), ("cpu", False), ("mps", False)):
        assert on_cuda.holds("gomoku", "renju", 15, -1, device) == is_held
        assert best.holds("gomoku", "renju", 15, -1, device)
    path.write_text(path.read_text().replace("cuda", "tpu"))
    with pytest.raises(EngineError, match=r"best 1: unknown device 'tpu': one of cpu, cuda, mps$"):
        read_best(path)
    path.write_text('[[best]]\ngame = "gomoku"\n')
    with pytest.raises(EngineError, match=r"best 1: 'sizes' is no list of numbers"):
        read_best(path)
