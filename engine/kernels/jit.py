"""How a kernel is compiled, and where its machine code is kept between runs."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

HERE = Path(__file__).parent
_IMPORT = re.compile(r"^from \.(\w+) import|^from \. import ([^(\n]+|\([^)]*\))", re.MULTILINE)
_NAME = re.compile(r"\w+")


def kernel(*signatures: str) -> Callable[[Callable[..., Any]], Any]:
    """Compile for these signatures, once per machine: without the interpreter's lock, without run-time checks."""
    return _compiler(list(signatures))


def lean_kernel(*signatures: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel that makes no arrays: it counts no references to them, which small functions feel threefold."""
    return _compiler(list(signatures), _nrt=False)


def inlined_kernel(*signatures: Any) -> Callable[[Callable[..., Any]], Any]:
    """A lean kernel that becomes part of those that call it, where handing over its arguments is most of its work."""
    return _compiler(list(signatures), _nrt=False, forceinline=True)


def type_of(example: object) -> Any:
    """The type of arguments like this one, for signatures that text cannot express."""
    typeof: Any = numba.typeof
    return typeof(example)


@cache
def cache_folder(module: str) -> Path:
    """The folder for a module's kernels in this very version.

    numba looks only at the file of the function itself when it decides whether compiled code is still good; keyed on
    all that the module imports here, a changed callee in another file is never missed.
    """
    sources = "".join((HERE / f"{name}.py").read_text(encoding="utf-8") for name in sorted(closure(module)))
    return _root() / f"{module}-{hashlib.sha256(sources.encode()).hexdigest()[:16]}"


@cache
def closure(module: str) -> frozenset[str]:
    """The module, how kernels are compiled, and the modules of this folder that it imports, directly or not."""
    found, left = {"jit"}, {module}
    while left:
        name = left.pop()
        found.add(name)
        left |= imported(name) - found
    return frozenset(found)


def imported(module: str) -> set[str]:
    """The modules of this folder that a module imports itself."""
    text = (HERE / f"{module}.py").read_text(encoding="utf-8")
    names = {name for line in _IMPORT.finditer(text) for name in _NAME.findall(line[1] or line[2])}
    return {name for name in names if (HERE / f"{name}.py").exists()}


def drop_old_caches(days: float = 1.0) -> None:
    """Delete the folders of earlier versions that nothing was added to for some days."""
    current = {cache_folder(source.stem) for source in HERE.glob("*.py")}
    for folder in set(_root().glob("*-*")) - current:
        if folder.stat().st_mtime < time.time() - days * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def _compiler(signatures: list[Any], **options: Any) -> Callable[[Callable[..., Any]], Any]:
    njit, config = numba.njit, numba.config  # type: Any, Any  # their types leave out what is used here

    def compiled(function: Callable[..., Any]) -> Any:
        config.CACHE_DIR = str(cache_folder(function.__module__.rpartition(".")[2]))
        how = {"cache": True, "nogil": True, "error_model": "numpy", "boundscheck": False, **options}
        return njit(signatures, **how)(function)

    return compiled


@cache
def _root() -> Path:
    return _writable_root() / "kernels"


def _writable_root() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    in_venv = sys.prefix != sys.base_prefix
    for root in ([Path(sys.prefix)] if in_venv else []) + [Path(home) / "extremum"]:
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(root, os.W_OK):
            return root
    return _private_folder()


def _private_folder() -> Path:
    """A temporary folder that nobody else can have filled: what lies in a cache is run."""
    folder = Path(tempfile.gettempdir()) / f"extremum-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid == os.getuid() and stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o022:
        return folder
    return Path(tempfile.mkdtemp(prefix="extremum-"))
