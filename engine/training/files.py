"""Files of a run: written whole or not at all, and in the one line that says why not."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ..errors import EngineError


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Have a file written beside its place and moved there; what stood there stays when that fails."""
    partial = path.with_name(path.name + ".partial")
    try:
        write(partial)
        partial.chmod(0o644)  # safetensors writes for its owner only
        _flush(partial)
        partial.replace(path)
        _flush(path.parent)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise EngineError(f"cannot write '{path}': {error.strerror or error}") from None


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file from memory, whole or not at all."""
    write_whole(path, lambda partial: partial.write_bytes(data))


def _flush(path: Path) -> None:
    """Have the disk take what was written, so that a power cut leaves the old file or the new one."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
