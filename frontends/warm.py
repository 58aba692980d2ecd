"""Compiles every kernel once, so that no search has to wait for it."""

from __future__ import annotations

import pkgutil
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from graphlib import TopologicalSorter
from importlib import import_module
from multiprocessing import get_context

from ..engine import kernels
from ..engine.kernels import jit
from ..engine.processors import num_processors

MOST_PROCESSES = 8  # a compiling process takes some hundred megabytes


def main(arguments: Sequence[str] = ()) -> int:
    """Compile what was not compiled before, on all processors; tells so on standard error."""
    if arguments:
        print(f"extremum: warm takes no arguments, here is '{arguments[0]}'", file=sys.stderr)
        return 2
    names = [module.name for module in pkgutil.iter_modules(kernels.__path__)]
    for number, (name, seconds) in enumerate(_compiled(names), start=1):
        print(f"extremum: {number} of {len(names)} kernels: {name}, {seconds:.1f} s", file=sys.stderr, flush=True)
    jit.drop_old_caches()
    return 0


def _compiled(names: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Compile modules side by side, each after those that it imports: what is done is never done twice."""
    order = TopologicalSorter({name: jit.imported(name) for name in names})
    order.prepare()
    under_way: set[Future[tuple[str, float]]] = set()
    processes = min(num_processors(), MOST_PROCESSES)
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        while order.is_active():
            under_way |= {pool.submit(_compile, name) for name in order.get_ready()}
            finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                order.done(future.result()[0])
                yield future.result()


def _compile(name: str) -> tuple[str, float]:
    """Import a module of kernels, which compiles it; returns its name and how long that took."""
    begun = time.monotonic()
    import_module(f"{kernels.__name__}.{name}")
    return name, time.monotonic() - begun
