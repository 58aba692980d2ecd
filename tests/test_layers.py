"""Who may import whom, and what must stay light."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ("engine", "frontends", "protocol", "weights")

# A folder, and the folders of the same house it may import from; the root of the engine is `engine`.
ALLOWED = {
    "engine": {"engine", "engine/brains", "engine/search", "engine/nets", "engine/games"},
    "engine/games": {"engine"},
    "engine/kernels": {"engine/games"},
    "engine/nets": {"engine", "engine/games"},
    "engine/evaluators": {"engine", "engine/games", "engine/kernels", "engine/nets"},
    "engine/search": {"engine", "engine/games", "engine/kernels", "engine/evaluators"},
    "engine/brains": {"engine", "engine/games", "engine/kernels", "engine/nets", "engine/search", "engine/evaluators"},
    "engine/training": {"engine", "engine/games", "engine/kernels", "engine/nets", "engine/evaluators", "engine/search"}
    | {"engine/brains"},
    "protocol": {"engine", "engine/games", "engine/search", "engine/brains", "protocol/commands"}
    | {"protocol/transports"},
    "protocol/commands": {"engine", "engine/games", "engine/search", "engine/brains", "protocol"},
    "protocol/gomocup": {"engine", "engine/games", "engine/search", "engine/brains", "protocol", "protocol/commands"},
    "protocol/ggs": {"engine", "engine/games", "protocol"},
    "protocol/transports": {"protocol"},
    "protocol/clients": {"engine", "engine/games", "protocol", "protocol/transports"},
    "frontends": {"engine", "engine/games", "engine/search", "engine/brains", "engine/kernels", "protocol"}
    | {"engine/evaluators", "engine/nets"}
    | {"protocol/transports", "protocol/commands", "protocol/ggs", "engine/training"},
    "frontends/match": {"engine", "engine/games", "engine/search", "engine/brains", "protocol", "protocol/clients"}
    | {"frontends", "engine/evaluators", "engine/training"},
    # The windows speak with an engine over the public protocol only; notation and records are what they share with it.
    "frontends/shared": {"engine", "protocol", "protocol/clients", "protocol/transports", "frontends"},
    "frontends/tk": {"frontends", "frontends/shared"},
    "frontends/web": {"frontends", "frontends/shared"},
    "frontends/terminal": {"frontends", "frontends/shared", "protocol"},
}
# What lies at the root of the engine and may be used below the session.
LEAVES = {"errors", "memory", "options", "processors"}
OWNERS = {"numba": "engine/kernels", "llvmlite": "engine/kernels", "zmq": "protocol/transports"}
LEARNERS = {"engine/nets", "engine/training"}  # what torch is for


def modules() -> Iterator[Path]:
    for folder in SHIPPED:
        yield from (ROOT / folder).rglob("*.py")


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """The folder and module of each relative import, and ('', top-level package) of each absolute one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (("", alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield "", (node.module or "").split(".")[0]
        elif isinstance(node, ast.ImportFrom):
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for target in [base] if node.module and not base.is_dir() else [base / alias.name for alias in node.names]:
                yield str(target.parent.relative_to(ROOT)), target.name


@pytest.mark.parametrize("path", sorted(modules()), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_downwards(path: Path) -> None:
    folder = str(path.parent.relative_to(ROOT))
    for target, module in imports(path):
        if target == "":
            assert module != "extremum", f"{path} imports its own house absolutely"
            assert OWNERS.get(module, folder) == folder, f"{path} imports {module}"
            assert module != "torch" or folder in LEARNERS, f"{path} imports {module}"
        elif target != folder:
            assert target in ALLOWED[folder], f"{path} imports {target}/{module}"
            if target == "engine" and folder.startswith("engine/"):
                assert module in LEAVES, f"{path} imports {target}/{module}"


@pytest.mark.parametrize("path", sorted(modules()), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_has_at_most_300_lines_and_a_function_at_most_30(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 30, f"{node.name} is too long"


def test_the_list_of_packages_is_the_folders() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = set(configuration["tool"]["setuptools"]["packages"])
    found = {"extremum." + ".".join(path.parent.relative_to(ROOT).parts) for path in modules()}
    assert listed == found


def test_every_installed_version_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in lines if "==" in line}
    freeze = subprocess.run(
        [sys.executable, "-m", "pip", "freeze", "--exclude-editable"], capture_output=True, text=True
    )
    installed = {line.split("==")[0].lower().replace("_", "-") for line in freeze.stdout.splitlines() if "==" in line}
    # Where torch comes with its GPU libraries, it pins their versions itself.
    own = {name for name in installed if name.startswith(("nvidia-", "cuda-", "triton"))}
    assert installed - own <= pinned
    assert "torch==2.13.0" in lines


def test_nothing_heavy_is_imported_before_the_first_search() -> None:
    script = (
        "import sys; import extremum.frontends.cli, extremum.protocol.gtp, extremum.engine.session;"
        "print([name for name in ('numpy', 'numba', 'torch', 'onnxruntime', 'zmq', 'asyncio') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
