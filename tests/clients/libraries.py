"""Installs the libraries that other people's clients need."""

from __future__ import annotations

import fcntl
import subprocess
from pathlib import Path

CLIENTS = Path(__file__).parent


def install() -> None:
    """Install the pinned libraries where they are missing or older than their pins."""
    pins, installed = CLIENTS / "package-lock.json", CLIENTS / "node_modules" / ".package-lock.json"
    with open(pins) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another test process may be at it
        if not installed.is_file() or installed.stat().st_mtime < pins.stat().st_mtime:
            subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=CLIENTS, check=True)
