"""The win-rate bar and the graph over the game."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable, Mapping

from .style import ACCENT, CARD, EDGE, FAINT, INK, Style

DARK, LIGHT = "#2b2a2e", "#efebe2"
PAD = 4  # pixels beside the graph


class Bar:
    """Black's share and White's."""

    def __init__(self, parent: tk.Misc, style: Style) -> None:
        self.canvas = tk.Canvas(parent, height=style.pixels(18), background=LIGHT, highlightthickness=1)
        self.canvas.configure(highlightbackground=EDGE)
        self._style = style
        self._rate: float | None = None
        self.canvas.bind("<Configure>", lambda event: self._draw())

    def show(self, rate: float | None) -> None:
        """Show black's chance to win; None is not known."""
        if rate != self._rate:
            self._rate = rate
            self._draw()

    def _draw(self) -> None:
        canvas, rate = self.canvas, self._rate
        width, height = canvas.winfo_width(), canvas.winfo_height()
        canvas.delete("all")
        if rate is None:
            return
        canvas.create_rectangle(0, 0, rate * width, height, fill=DARK, width=0)
        canvas.create_line(width / 2, 0, width / 2, height, fill=ACCENT, dash=(2, 2))
        font, away = self._style.font(8, "bold"), self._style.pixels(6)
        middle = height / 2
        if rate > 0.2:
            canvas.create_text(away, middle, text=f"{100 * rate:.0f} %", anchor="w", fill=LIGHT, font=font)
        if rate < 0.8:
            text = f"{100 - 100 * rate:.0f} %"
            canvas.create_text(width - away, middle, text=text, anchor="e", fill=DARK, font=font)


class Graph:
    """Black's chance to win over the game; a click goes to a move."""

    def __init__(self, parent: tk.Misc, style: Style, go_to: Callable[[int], None]) -> None:
        self.canvas = tk.Canvas(parent, height=style.pixels(96), background=CARD, highlightthickness=1)
        self.canvas.configure(highlightbackground=EDGE)
        self._style = style
        self._rates: dict[int, float] = {}
        self._ply = self._plies = 0
        self.canvas.bind("<Configure>", lambda event: self._draw())
        self.canvas.bind("<Button-1>", lambda event: go_to(self._ply_at(event.x)))

    def show(self, rates: Mapping[int, float], ply: int, plies: int) -> None:
        """Show the rates by ply, and where the game stands."""
        if (rates, ply, plies) != (self._rates, self._ply, self._plies):
            self._rates, self._ply, self._plies = dict(rates), ply, plies
            self._draw()

    def _ply_at(self, x: float) -> int:
        pad = self._style.pixels(PAD)
        span = max(1, self.canvas.winfo_width() - 2 * pad)
        return min(self._plies, max(0, round((x - pad) / span * self._longest)))

    @property
    def _longest(self) -> int:
        return max(10, self._plies)

    def _draw(self) -> None:
        canvas = self.canvas
        width, height = canvas.winfo_width(), canvas.winfo_height()
        canvas.delete("all")
        for share in (0.25, 0.5, 0.75):
            canvas.create_line(0, share * height, width, share * height, fill=EDGE, dash=() if share == 0.5 else (2, 4))
        pad = self._style.pixels(PAD)

        def across(ply: int) -> float:
            return pad + ply / self._longest * (width - 2 * pad)

        canvas.create_line(across(self._ply), 0, across(self._ply), height, fill=ACCENT)
        spots = [(across(ply), pad + (1 - rate) * (height - 2 * pad)) for ply, rate in sorted(self._rates.items())]
        if len(spots) > 1:
            canvas.create_line(*spots, fill=INK, width=self._style.pixels(2), joinstyle="round")
        for x, y in spots[-1:]:
            canvas.create_oval(x - 0.7 * pad, y - 0.7 * pad, x + 0.7 * pad, y + 0.7 * pad, fill=INK, width=0)
        canvas.create_text(pad, pad, text="100", anchor="nw", fill=FAINT, font=self._style.font(7))
        canvas.create_text(pad, height - pad, text="0", anchor="sw", fill=FAINT, font=self._style.font(7))
