from pathlib import Path

import pytest

from extremum.engine.kernels import jit


def test_the_closure_follows_imports_and_ends() -> None:
    assert jit.closure("layout") == {"layout", "jit"}
    assert {"othello", "bits", "layout", "jit"} <= jit.closure("othello_search")
    assert "gomoku" not in jit.closure("othello_search")
    assert {"gomoku", "othello", "renju"} <= jit.closure("board")


def test_every_import_within_the_folder_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"a": "from .b import x\nfrom . import c\n", "b": "from . import (\n    d,\n)\n"}
    sources = {"jit": "", "c": "", "d": "", **texts}
    for name, text in sources.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setattr(jit, "HERE", tmp_path)
    forget()
    assert jit.closure("a") == {"jit", "a", "b", "c", "d"}
    before = jit.cache_folder("a"), jit.cache_folder("c")
    (tmp_path / "d.py").write_text("changed = 1\n")
    forget()
    assert jit.cache_folder("a") != before[0]
    assert jit.cache_folder("c") == before[1]
    forget()


def forget() -> None:
    jit.closure.cache_clear()
    jit.cache_folder.cache_clear()


def test_each_module_of_kernels_has_a_folder_of_its_own() -> None:
    assert jit.cache_folder("bits").name.startswith("bits-")
    assert jit.cache_folder("bits").parent == jit.cache_folder("othello").parent
