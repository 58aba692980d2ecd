"""Compiles every kernel once, so that no search has to wait for it."""

from __future__ import annotations

import pkgutil
import sys
import time
from collections.abc import Sequence
from importlib import import_module

from ..engine import kernels
from ..engine.kernels import jit


def main(arguments: Sequence[str] = ()) -> int:
    """Import every kernel, which compiles it unless that was done before; tells so on standard error."""
    if arguments:
        print(f"extremum: warm takes no arguments, here is '{arguments[0]}'", file=sys.stderr)
        return 2
    names = [module.name for module in pkgutil.iter_modules(kernels.__path__)]
    for number, name in enumerate(names, start=1):
        begun = time.monotonic()
        import_module(f"{kernels.__name__}.{name}")
        seconds = time.monotonic() - begun
        print(f"extremum: {number} of {len(names)} kernels: {name}, {seconds:.1f} s", file=sys.stderr, flush=True)
    jit.drop_old_caches()
    return 0
