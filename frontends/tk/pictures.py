"""Pictures for the board, drawn with soft edges, which the canvas itself cannot do."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Pixels: TypeAlias = NDArray[np.uint8]  # [height, width, channels]
SHADES = {"black": ((18.0, 20.0, 24.0), 105.0), "white": ((222.0, 220.0, 214.0), 33.0)}  # base, highlight
WOOD = (226.0, 186.0, 122.0)
FELT = (38.0, 122.0, 82.0)


def stone(diameter: int, color: str, *, squash: float = 1.0, opacity: float = 1.0) -> bytes:
    """A stone with its shadow as PNG, in a square a little wider than it; squashed while it turns over."""
    side = diameter + 2 * pad(diameter)
    x, y = _grid(side)
    radius = diameter / 2
    inside = _disc(x / max(0.04, squash), y, radius)
    shadow = 0.38 * np.clip(
        1.15 - np.hypot(x / max(0.04, squash) - 0.05 * diameter, y - 0.07 * diameter) / radius, 0, 0.3
    )
    base, highlight = SHADES[color]
    light = (
        np.clip(1 - np.hypot(x / max(0.3, squash) + 0.32 * radius, y + 0.36 * radius) / (1.25 * radius), 0, 1) ** 1.6
    )
    rim = np.clip(np.hypot(x / max(0.3, squash), y) / radius, 0, 1) ** 6
    shade = light * highlight - rim * (26.0 if color == "white" else 6.0)
    pixels = np.empty((side, side, 4))
    alpha = inside + (1 - inside) * shadow / 0.3
    for channel in range(3):
        pixels[..., channel] = np.clip(base[channel] + shade, 0, 255) * inside / np.maximum(alpha, 1e-6)
    pixels[..., 3] = alpha * opacity * 255
    return png(pixels.astype(np.uint8))


def spot(diameter: int, color: str, opacity: float = 1.0) -> bytes:
    """A plain disc of a color written as #rrggbb, as PNG."""
    x, y = _grid(diameter + 2)
    pixels = np.empty((*x.shape, 4), np.uint8)
    pixels[..., :3] = [int(color[first : first + 2], 16) for first in (1, 3, 5)]
    pixels[..., 3] = _disc(x, y, diameter / 2) * opacity * 255
    return png(pixels)


def pad(diameter: int) -> int:
    """The room around a stone for its shadow."""
    return max(2, diameter // 8)


def wood(width: int, height: int) -> bytes:
    """A plank with its grain, as PPM."""
    rng = np.random.default_rng(8)
    y, x = np.mgrid[0:height, 0:width] / max(height, width, 1)
    bend = sum(a * np.sin(2 * np.pi * (f * x + p)) for a, f, p in ((0.020, 1.0, 0.1), (0.008, 2.7, 0.4)))
    grain = np.zeros((height, width))
    for frequency, strength in ((9, 2.6), (23, 1.8), (61, 1.6)):
        grain += strength * np.sin(2 * np.pi * frequency * (y + bend) + 7 * rng.random())
    return _ppm(np.stack([WOOD[c] + grain * (1.0, 1.05, 0.9)[c] for c in range(3)], axis=-1))


def felt(width: int, height: int) -> bytes:
    """A green cloth, as PPM."""
    return _ppm(np.broadcast_to(np.array(FELT), (height, width, 3)))


def png(pixels: Pixels) -> bytes:
    """Pixels of three or four channels as a PNG file."""
    height, width, channels = pixels.shape
    rows = np.zeros((height, 1 + width * channels), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if channels == 4 else 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)


def for_tk(data: bytes) -> bytes:
    """A PNG as Tk takes it on every version."""
    return base64.b64encode(data)


def chunk(name: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _ppm(values: NDArray[Any]) -> bytes:
    height, width, _ = values.shape
    pixels: Pixels = np.clip(values, 0, 255).astype(np.uint8)
    return f"P6 {width} {height} 255\n".encode() + pixels.tobytes()


def _grid(side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The distance of each pixel's middle from the middle of the picture."""
    middle = np.arange(side) + 0.5 - side / 2
    across, down = np.meshgrid(middle, middle)
    return across, down


def _disc(x: NDArray[np.float64], y: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """How much of each pixel lies inside a circle."""
    return np.clip(radius - np.hypot(x, y) + 0.5, 0, 1)
