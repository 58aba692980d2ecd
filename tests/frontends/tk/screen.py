"""Xvfb: a screen in memory, whose pixels can be read."""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path
from types import TracebackType

import numpy as np

from extremum.frontends.tk.pictures import Pixels

SIZE = (1280, 900)


class Screen:
    """A running X server of our own."""

    def __init__(self, folder: Path) -> None:
        self._pixels = folder / "Xvfb_screen0"
        said, told = os.pipe()
        command = ["Xvfb", "-displayfd", str(told), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp"]
        self.process = subprocess.Popen(
            [*command, "-fbdir", str(folder), "-dpi", "96"], pass_fds=(told,), stderr=subprocess.DEVNULL
        )
        os.close(told)
        with os.fdopen(said) as stream:
            self.display = f":{stream.readline().strip()}"

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.terminate()
        self.process.wait(10)

    def pixels(self) -> Pixels:
        """What is on the screen: [height, width, 3], read from the server's own file, which is an XWD dump."""
        data = self._pixels.read_bytes()
        header = struct.unpack(">25I", data[:100])
        offset, width, height, row, colors = header[0], header[4], header[5], header[12], header[19]
        start = offset + 12 * colors
        rows = np.frombuffer(data[start : start + row * height], np.uint8).reshape(height, row // 4, 4)
        return rows[:, :width, 2::-1]
