"""Who sits at one color: a person, or an engine with its level and its brain."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable
from dataclasses import replace
from tkinter import ttk  # noqa: TID253, the window is tkinter's

from ..shared.play import Play
from ..shared.setup import Seat
from ..shared.texts import Texts
from ..shared.timer import Left
from . import pictures
from .style import ACCENT, CARD, EDGE, Style

ICON = 22
MODES = {"strongest": 100, "weakest": 0}
MODE_NAMES = tuple(MODES)


class Card:
    """Shows a seat and has it changed."""

    def __init__(
        self, parent: tk.Misc, style: Style, texts: Texts, color: str, sit: Callable[[str, Seat], None]
    ) -> None:
        self._style, self._texts, self._color, self._sit = style, texts, color, sit
        self._seat = Seat()
        self.frame = tk.Frame(parent, background=CARD, highlightthickness=style.pixels(1))
        self._name = ttk.Label(self.frame, style="Name.Card.TLabel", text=texts(color))
        self._clock = ttk.Label(self.frame, style="Clock.Card.TLabel")
        self._line = ttk.Frame(self.frame, style="Plain.TFrame")
        self._who = ttk.Combobox(self._line, state="readonly", width=8, values=[texts("person"), texts("engine")])
        self._mode = ttk.Combobox(self._line, state="readonly", width=9, values=[texts(name) for name in MODES])
        self._brain = ttk.Combobox(self._line, state="readonly", width=9)
        self._level = ttk.Scale(self.frame, from_=0, to=100, style="Card.Horizontal.TScale", command=self._slide)
        self._said = ttk.Label(self.frame, style="Faint.Card.TLabel", width=11, anchor="e")
        self._after: str | None = None
        self._lay_out()
        self._who.bind("<<ComboboxSelected>>", lambda event: self._change(is_engine=self._who.current() == 1))
        self._mode.bind(
            "<<ComboboxSelected>>", lambda event: self._change(level=MODES[MODE_NAMES[self._mode.current()]])
        )
        self._brain.bind("<<ComboboxSelected>>", lambda event: self._change(brain=self._brain.get()))

    def show(self, play: Play) -> None:
        """Show the seat as it is, and its clock."""
        seat, board = play.setup.seat(self._color), play.board
        turn = board is not None and board.side == self._color and not play.is_over
        self.frame.configure(highlightbackground=ACCENT if turn else EDGE)
        if self._after is None:
            self._show_seat(seat)
        if self._brain["values"] != play.driver.brains:
            self._brain.configure(values=play.driver.brains)
        self.show_clock(play)

    def show_clock(self, play: Play) -> None:
        """Show the time left, or the discs."""
        texts = []
        if play.board is not None and play.setup.game == "othello":
            texts.append(f"{play.board.count(self._color)}")
        if play.setup.has_clock:
            texts.append(clock_text(play.timer.left(self._color), play.setup.overtime))
        text = "   ".join(texts)
        if self._clock["text"] != text:
            self._clock.configure(text=text)

    def _lay_out(self) -> None:
        gap = self._style.pixels(6)
        data = pictures.for_tk(pictures.stone(self._style.pixels(ICON), self._color))
        self._image = tk.PhotoImage(master=self.frame, data=data, format="png")
        icon = tk.Label(self.frame, image=self._image, background=CARD)
        self.frame.columnconfigure(1, weight=1)
        icon.grid(row=0, column=0, padx=(gap, 0), pady=(gap, 0))
        self._name.grid(row=0, column=1, sticky="w", padx=gap, pady=(gap, 0))
        self._clock.grid(row=0, column=2, sticky="e", padx=gap, pady=(gap, 0))
        self._line.grid(row=1, column=0, columnspan=3, sticky="ew", padx=gap, pady=gap)
        self._who.pack(side="left")
        self._level.grid(row=2, column=0, columnspan=2, sticky="ew", padx=gap, pady=(0, gap))
        self._said.grid(row=2, column=2, sticky="e", padx=gap, pady=(0, gap))

    def _show_seat(self, seat: Seat) -> None:
        self._seat = seat
        self._who.current(1 if seat.is_engine else 0)
        self._brain.set(seat.brain)
        self._level.set(seat.level)
        self._said.configure(text=level_text(seat.level, self._texts))
        self._mode.current(1 if seat.losing else 0)
        for widget in (self._level, self._said):
            if seat.is_engine:
                widget.grid()
            else:
                widget.grid_remove()
        for box in (self._mode, self._brain):
            if seat.is_engine:
                box.pack(side="left", padx=(self._style.pixels(6), 0))
            else:
                box.pack_forget()

    def _slide(self, value: str) -> None:
        """The level follows the slider once it rests."""
        level = round(float(value))
        self._said.configure(text=level_text(level, self._texts))
        if level == self._seat.level:
            return
        if self._after is not None:
            self.frame.after_cancel(self._after)
        self._after = self.frame.after(250, self._rest, level)

    def _rest(self, level: int) -> None:
        self._after = None
        self._change(level=level)

    def _change(self, **changes: object) -> None:
        self._seat = replace(self._seat, **changes)  # type: ignore[arg-type]  # names with their own types
        self._sit(self._color, self._seat)
        for box in (self._who, self._mode, self._brain):
            box.selection_clear()


def level_text(level: int, texts: Texts) -> str:
    """A level in a word where there is one."""
    named = {0: "weakest", 50: "random", 100: "strongest"}
    return texts(named[level]) if level in named else texts("level_of", level)


def clock_text(left: Left, overtime: str) -> str:
    """Minutes and seconds, with tenths when they are few; in overtime how many periods, or how many moves to make."""
    seconds = max(0.0, left.seconds)
    text = f"0:{seconds:04.1f}" if seconds < 10 else f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
    return f"{text} {'/' if overtime == 'canadian' else '×'} {left.count}" if left.count else text
