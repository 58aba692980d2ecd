"""How a kernel is compiled, and where its machine code is kept between runs."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def kernel(*signatures: str) -> Callable[[Callable[..., Any]], Any]:
    """Compile for these signatures, once per machine: without the interpreter's lock, without run-time checks."""
    return numba.njit(list(signatures), cache=True, nogil=True, error_model="numpy", boundscheck=False)


def lean_kernel(*signatures: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel that makes no arrays: it counts no references to them, which small functions feel threefold."""
    njit: Any = numba.njit  # its types leave out what switches the counting off
    decorator: Callable[[Callable[..., Any]], Any] = njit(
        list(signatures), cache=True, nogil=True, error_model="numpy", boundscheck=False, _nrt=False
    )
    return decorator


def type_of(example: object) -> Any:
    """The type of arguments like this one, for signatures that text cannot express."""
    typeof: Any = numba.typeof
    return typeof(example)


def cache_folder() -> Path:
    """The folder for this very version of the kernels.

    numba looks only at the file of the function itself when it decides whether compiled code is still good; keyed on
    all sources, a changed callee in another file is never missed.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    return _writable_root() / f"kernels-{digest}"


def drop_old_caches(days: float = 1.0) -> None:
    """Delete the folders of earlier versions that nothing was added to for some days."""
    current = Path(os.environ["NUMBA_CACHE_DIR"])
    for folder in current.parent.glob("kernels-*"):
        if folder != current and folder.stat().st_mtime < time.time() - days * 86400:
            shutil.rmtree(folder, ignore_errors=True)


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


os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())

import numba  # noqa: E402, it reads the variable when it is imported
