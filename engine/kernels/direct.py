"""Kernels called often from Python, without the look at their arguments' types that numba takes at each call.

That look costs more than most of these calls: twelve microseconds where a graph and a batch are handed over, against
one and a half.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def direct(kernel: Any) -> Callable[..., Any]:
    """A kernel's machine code; arguments come by position and are exactly of its one signature's types, unchecked."""
    (signature,) = kernel.signatures
    code: Callable[..., Any] = kernel.overloads[signature].entry_point
    return code
