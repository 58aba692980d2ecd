"""Files of a run: written whole or not at all, and in the one line that says why not."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError

# What a damaged file of arrays raises; RuntimeError for a flag that says it is encrypted.
DAMAGE = (zipfile.BadZipFile, zlib.error, ValueError, KeyError, EOFError, TypeError, RuntimeError)


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


def write_in_turn(files: Sequence[tuple[Path, bytes]]) -> None:
    """Write files beside their places and, once the disk has taken them all, move them there in this order.

    EngineError, and all that stood there stays, when it has not; a path may come twice.
    """
    partials = [path.with_name(f"{path.name}.{number}.partial") for number, (path, _) in enumerate(files)]
    number = 0
    try:
        for number, partial in enumerate(partials):
            partial.write_bytes(files[number][1])
            _flush(partial)
        for number, partial in enumerate(partials):
            partial.replace(files[number][0])
            _flush(partial.parent)
    except OSError as error:
        for partial in partials:
            partial.unlink(missing_ok=True)
        raise EngineError(f"cannot write '{files[number][0]}': {error.strerror or error}") from None


def write_arrays(path: Path, **arrays: NDArray[Any]) -> None:
    """Write arrays as one file, whole or not at all."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    write_bytes(path, buffer.getvalue())


def read_arrays(path: Path, names: tuple[str, ...]) -> list[NDArray[Any]]:
    """Some arrays of a file; EngineError when it is damaged or has them not."""
    try:
        with np.load(io.BytesIO(path.read_bytes())) as stored:
            return [stored[name] for name in names]
    except (OSError, *DAMAGE) as error:
        raise EngineError(f"'{path}' is damaged: {error}") from None


def _flush(path: Path) -> None:
    """Have the disk take what was written, so that a power cut leaves the old file or the new one."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
