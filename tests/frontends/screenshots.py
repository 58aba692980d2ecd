"""Makes the pictures of the README: `python -m tests.frontends.screenshots`, with Xvfb and Chromium at hand."""

from __future__ import annotations

import os
import struct
import tempfile
import time
import tkinter as tk  # noqa: TID253, the window is tkinter's
import zlib
from pathlib import Path

import numpy as np

from extremum.frontends.shared.setup import Seat, Setup
from extremum.frontends.tk.pictures import Pixels, chunk
from tests.frontends.tk.person import Person, sitting
from tests.frontends.tk.screen import Screen
from tests.frontends.web.page import browse, serving

PICTURES = Path(__file__).parents[2] / "frontends" / "pictures"
ENGINE = Seat(is_engine=True)
OPENING = "(;GM[4]SZ[15];B[hh];W[ih];B[gg];W[ff];B[gi];W[gh];B[hi];W[hg];B[fg];W[ii];B[ij];W[jk])"


def main() -> None:
    """Make every picture."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, Screen(Path(name)) as screen:
        os.environ |= {"DISPLAY": screen.display, "XDG_STATE_HOME": name}
        folder = Path(name)
        gomoku(screen, folder)
        weakest(screen, folder)
        with serving(folder) as (url, _):
            seen = browse(url, "shots", shots=name)
        assert seen["shots"]["problems"] == [], seen
        write("web.png", from_png(folder / "web.png"))


def gomoku(screen: Screen, folder: Path) -> None:
    """An analysis of a game of Gomoku."""
    with sitting(folder, Setup(white=ENGINE, movetime=0.3)) as person:
        person.play.load(OPENING)
        person.settle()
        for ply in range(13):
            person.play.go_to(ply)
            person.settle()
            person.play.analyze(on=True)
            look(person, 1.0)
            person.play.analyze(on=False)
            person.settle()
        person.play.analyze(on=True)
        look(person, 3.0)
        shoot(screen, person, "gui-gomoku.png")


def weakest(screen: Screen, folder: Path) -> None:
    """A game of Othello against the weakest mode, in Chinese."""
    setup = Setup("othello", 8, white=Seat(is_engine=True, level=0), movetime=0.3, main=60)
    with sitting(folder, setup, language="zh_CN") as person:
        for _ in range(10):
            assert person.play.board is not None
            person.click(sorted(person.play.board.legal)[-1])
            person.settle()
        person.play.hint()
        look(person, 2.5)
        shoot(screen, person, "gui-othello.png")


def look(person: Person, seconds: float) -> None:
    """Let the window live for some time."""
    until = time.monotonic() + seconds
    person.wait(lambda: time.monotonic() > until)


def shoot(screen: Screen, person: Person, name: str) -> None:
    """Keep what the window looks like."""
    person.window._forget()
    person.window.root.update()
    root = person.window.root
    bottom = root.winfo_rooty() + root.winfo_height()
    write(name, screen.pixels()[:bottom, : root.winfo_width()])


def from_png(file: Path) -> Pixels:
    """The pixels of a PNG file, read by Tk."""
    root = tk.Tk()
    try:
        image = tk.PhotoImage(master=root, file=str(file))
        image.write(str(file.with_suffix(".ppm")), format="ppm")
        width, height = image.width(), image.height()
        del image
    finally:
        root.destroy()
    data = file.with_suffix(".ppm").read_bytes()
    return np.frombuffer(data[-3 * width * height :], np.uint8).reshape(height, width, 3)


def write(name: str, pixels: Pixels) -> None:
    """Write a small PNG of at most 256 colors."""
    rounded = (pixels.astype(np.uint32) + 3).clip(0, 255) // 6 * 6
    keys = rounded[..., 0] << 16 | rounded[..., 1] << 8 | rounded[..., 2]
    colors, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept = colors[np.argsort(-counts)[:256]]
    parts = np.stack([kept >> 16, kept >> 8 & 255, kept & 255], axis=-1).astype(np.int32)
    every = np.stack([colors >> 16, colors >> 8 & 255, colors & 255], axis=-1).astype(np.int32)
    nearest = np.array([np.abs(parts - color).sum(axis=1).argmin() for color in every], np.uint8)
    height, width = keys.shape
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = nearest[inverse.reshape(height, width)]
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    palette = parts.astype(np.uint8).tobytes()
    body = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, content) for kind, content in body)
    (PICTURES / name).write_bytes(data)
    print(f"{name}: {width}x{height}, {len(data)} bytes")


if __name__ == "__main__":
    main()
