"""What the tests with other people's clients share."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path

import pytest

CLIENTS = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def libraries() -> None:
    """Installs the pinned libraries where they are missing or older than their pins."""
    pins, installed = CLIENTS / "package-lock.json", CLIENTS / "node_modules" / ".package-lock.json"
    with open(pins) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another test process may be at it
        if not installed.is_file() or installed.stat().st_mtime < pins.stat().st_mtime:
            subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=CLIENTS, check=True)
