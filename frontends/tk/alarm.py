"""Shown when the engine is gone: how it ended, its last words, and a way to go on."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable
from tkinter import ttk  # noqa: TID253, the window is tkinter's

from ..shared.link import Ended
from ..shared.texts import Texts
from .style import INK, Style


class Alarm:
    """A band below the board, there only while it is needed."""

    def __init__(self, parent: tk.Misc, style: Style, texts: Texts, restart: Callable[[], None]) -> None:
        self._texts, self._style = texts, style
        self._shown: Ended | None = None
        self.frame = ttk.Frame(parent, style="Alarm.TFrame", padding=style.pixels(10))
        self.headline = ttk.Label(self.frame, style="Alarm.TLabel", wraplength=style.pixels(700))
        self.button = ttk.Button(self.frame, text=texts("restart"), style="Main.TButton", command=restart)
        self.words = tk.Text(self.frame, height=6, wrap="char", relief="flat", font=("TkFixedFont",), foreground=INK)
        self.frame.columnconfigure(0, weight=1)
        self.headline.grid(row=0, column=0, sticky="w")
        self.button.grid(row=0, column=1, sticky="e")
        self.words.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(style.pixels(6), 0))

    def show(self, ended: Ended | None) -> None:
        """Show how the engine ended; None is that it lives."""
        if ended is self._shown:
            return
        self._shown = ended
        if ended is None:
            self.frame.pack_forget()
            return
        self.headline.configure(text=self._texts.notice(ended.notice))
        self.words.configure(state="normal", height=max(1, min(6, len(ended.last_words))))
        if ended.last_words:
            self.words.grid()
        else:
            self.words.grid_remove()
        self.words.delete("1.0", "end")
        self.words.insert("end", "\n".join(ended.last_words))
        self.words.see("end")
        self.words.configure(state="disabled")
        self.frame.pack(side="bottom", fill="x", before=self._first(), pady=(self._style.pixels(8), 0))

    def _first(self) -> tk.Misc:
        """What was packed first, and gives way."""
        first: tk.Misc = self.frame.master.pack_slaves()[1]
        return first
