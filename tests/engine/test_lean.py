"""Kernels that are loaded without their code for linking, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CALLEE = """
import numba

@numba.njit("int64(int64)", cache=True, inline="never")
def twice(number):
    return 2 * number
"""
CALLER = """
import sys
from extremum.engine import lean
{before}
lean.install()
lean.install()
{after}
from callee import twice
print(sum(twice.stats.cache_hits.values()), twice.overloads[twice.signatures[0]].library._shared_module)

@numba.njit("int64(int64)")
def four_times(number):
    return twice(twice(number))

print(four_times(10))
"""


@pytest.mark.slow
@pytest.mark.parametrize("is_first", [True, False], ids=["before numba", "after numba"])
def test_a_kernel_from_a_file_is_lean_and_can_still_be_linked(tmp_path: Path, is_first: bool) -> None:
    (tmp_path / "callee.py").write_text(CALLEE)
    used = {"before": "", "after": "import numba"} if is_first else {"before": "import numba", "after": ""}
    (tmp_path / "caller.py").write_text(CALLER.format(**used))
    told = [_run(tmp_path) for _ in range(2)]
    assert told[0].split()[0] == "0"
    assert told[0].split()[-1] == "40"
    assert told[1] == "1 None\n40\n"


def test_numba_is_not_loaded_for_it() -> None:
    script = "import sys; from extremum.engine import lean; lean.install(); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


def _run(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "caller.py"],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
