"""Pictures without a library: lines, boxes, discs and small capitals on a raster, written as PNG."""

from __future__ import annotations

import struct
import zlib
from typing import TypeAlias

import numpy as np

Color: TypeAlias = tuple[int, int, int]

BLACK, GRAY, PALE = (30, 30, 30), (120, 120, 120), (225, 225, 225)
COLORS = ((31, 119, 180), (214, 39, 40), (44, 160, 44), (148, 103, 189), (255, 127, 14), (23, 190, 207), (140, 86, 75))
SCALE = 2  # pixels of a dot of a letter
WIDTH, HEIGHT = 4 * SCALE, 5 * SCALE  # of a letter, the gap included

# Five rows of three dots for each character, each row an octal digit, from the top.
_LETTERS = (
    "A25755 B65656 C34443 D65556 E74647 F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755 N65555 O25552 P65644 "
    "Q25573 R65655 S34216 T72222 U55557 V55552 W55775 X55255 Y55222 Z71247 075557 126227 271747 371717 455711 574717 "
    "674757 771122 875757 975717 .00002 -00700 +02720 %51245 :02020 /11244 _00007 =07070 "
    ",00024 (12221 )42224 #57575 ±27207"
)
_DOTS = {letter[0]: [int(digit) for digit in letter[1:]] for letter in _LETTERS.split()}


class Canvas:
    """A white sheet; positions are columns and rows from the top left, and what falls off it is not seen."""

    def __init__(self, width: int, height: int) -> None:
        self._pixels = np.full((height, width, 3), 255, np.uint8)

    def line(self, start: tuple[float, float], end: tuple[float, float], color: Color, thickness: int = 1) -> None:
        """A straight line."""
        length = int(max(abs(end[0] - start[0]), abs(end[1] - start[1]))) + 1
        columns = np.linspace(start[0], end[0], length + 1).round().astype(int)
        rows = np.linspace(start[1], end[1], length + 1).round().astype(int)
        for shift in range(thickness):
            self._dots(columns, rows + shift, color)
            self._dots(columns + shift, rows, color)

    def box(self, place: tuple[float, float], size: tuple[float, float], color: Color) -> None:
        """A filled rectangle whose top left corner is there."""
        left, right = (max(0, round(place[0] + shift)) for shift in (0, size[0]))
        top, bottom = (max(0, round(place[1] + shift)) for shift in (0, size[1]))
        self._pixels[top:bottom, left:right] = color

    def disc(self, middle: tuple[float, float], radius: float, color: Color) -> None:
        """A filled circle."""
        rows, columns = np.ogrid[: self._pixels.shape[0], : self._pixels.shape[1]]
        self._pixels[(columns - middle[0]) ** 2 + (rows - middle[1]) ** 2 <= radius**2] = color

    def text(self, place: tuple[float, float], text: str, color: Color = BLACK) -> None:
        """Capitals whose first one has its top left corner there; unknown characters are blanks."""
        for index, letter in enumerate(text.upper()):
            left, top = int(place[0]) + index * WIDTH, int(place[1])
            for row, bits in enumerate(_DOTS.get(letter, [])):
                for column in range(3):
                    if bits >> (2 - column) & 1:
                        self.box((left + column * SCALE, top + row * SCALE), (SCALE, SCALE), color)

    def png(self) -> bytes:
        """The picture as a file."""
        height, width, _ = self._pixels.shape
        rows = np.concatenate([np.zeros((height, 1), np.uint8), self._pixels.reshape(height, -1)], axis=1)
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes())), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)

    def _dots(self, columns: np.ndarray, rows: np.ndarray, color: Color) -> None:
        height, width, _ = self._pixels.shape
        seen = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        self._pixels[rows[seen], columns[seen]] = color


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
