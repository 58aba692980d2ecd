"""Files of weights as bytes, refused when they are not there or not what was expected."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ..errors import EngineError


def read_weights(path: Path, sha256: str | None = None) -> bytes:
    """The whole file; EngineError when it cannot be read or has another hash."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise EngineError(f"weights '{path}' are missing") from None
    except OSError as error:
        raise EngineError(f"weights '{path}' cannot be read: {error.strerror}") from None
    if sha256 is not None and digest(data) != sha256.lower():
        raise EngineError(f"weights '{path}' do not have the hash that the manifest says")
    return data


def digest(data: bytes) -> str:
    """The SHA-256 of a file, as manifests write it."""
    return hashlib.sha256(data).hexdigest()
