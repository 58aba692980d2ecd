"""Kernels without what only a compiler needs of them, which is a quarter of a small process."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

CODE = "numba.core.codegen"
PRIVATE = ("_unserialize", "_get_module_for_linking")  # of its libraries, in the versions of numba that we know


def install() -> None:
    """Have compiled kernels loaded lean from now on, whenever numba comes; it is not loaded for this."""
    if CODE in sys.modules:
        _lighten(sys.modules[CODE])
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Waits for numba's import."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find numba's module as usual, to be lightened once it has been carried out."""
        if name != CODE:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            loader.exec_module = partial(_execute, loader.exec_module)
        return spec


def _execute(execute: Any, module: ModuleType) -> None:
    execute(module)
    _lighten(module)


def _lighten(module: Any) -> None:
    """Let a library that comes from a file keep its code for linking as bytes, and parse them if it is ever linked."""
    libraries: Any = getattr(module, "CPUCodeLibrary", None)
    if not all(hasattr(libraries, name) for name in PRIVATE) or hasattr(libraries, "is_lean"):
        return
    load = libraries._unserialize.__func__

    def load_lean(cls: Any, codegen: Any, state: Any) -> Any:
        library = load(cls, codegen, state)
        _, kind, data = state
        if kind == "object" and hasattr(library, "_shared_module"):
            library._shared_module = None
            library._get_module_for_linking = partial(module.ll.parse_bitcode, data[1])
        return library

    libraries._unserialize = classmethod(load_lean)
    libraries.is_lean = True
