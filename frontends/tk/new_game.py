"""The dialog in which a new game is chosen."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable, Sequence
from dataclasses import replace
from tkinter import ttk  # noqa: TID253, the window is tkinter's

from ..shared.points import COLORS
from ..shared.setup import GAMES, OVERTIMES, RULES, SIZES, Setup, SetupError
from ..shared.texts import Texts
from .style import ALARM, PAPER, Style


class NewGame:
    """Asks for the game, the seats and the time; `begin` gets a setup that can be."""

    def __init__(self, root: tk.Tk, style: Style, texts: Texts, setup: Setup, begin: Callable[[Setup], None]) -> None:
        self._texts, self._setup, self._begin, self._style = texts, setup, begin, style
        self.top = tk.Toplevel(root, background=PAPER)
        self.top.title(texts("new_game"))
        self.top.transient(root)
        self.top.resizable(False, False)
        self._body = ttk.Frame(self.top, padding=style.pixels(14))
        self._body.pack()
        self._rows = 0
        self._make_fields(setup)
        self._problem = ttk.Label(self._body, foreground=ALARM, wraplength=style.pixels(300))
        self._problem.grid(row=self._rows, column=0, columnspan=2, sticky="w", pady=style.pixels(4))
        self._make_buttons()
        self._choose_game()
        self._choose_overtime()
        self.top.bind("<Return>", lambda event: self.accept())
        self.top.bind("<Escape>", lambda event: self.top.destroy())
        self._place(root)

    def accept(self) -> None:
        """Begin the game, or say why it cannot be."""
        try:
            setup = self._read()
        except SetupError as error:
            self._problem.configure(text=self._texts(str(error), *error.values))
            return
        except ValueError:
            self._problem.configure(text=self._texts("bad_time"))
            return
        self.top.destroy()
        self._begin(setup)

    def _make_fields(self, setup: Setup) -> None:
        self.game = self._choice("which_game", GAMES, setup.game)
        self.size = self._choice("size", [], str(setup.size))
        self.rule = self._choice("rule", RULES, setup.rule)
        self.in_a_row = self._entry("in_a_row", str(setup.in_a_row))
        people = ("person", "engine")
        self.seats = {color: self._choice(color, people, people[setup.seat(color).is_engine]) for color in COLORS}
        self.movetime = self._entry("movetime", f"{setup.movetime:g}")
        self.main = self._entry("main", f"{setup.main / 60:g}")
        self.overtime = self._choice("overtime", OVERTIMES, setup.overtime)
        self.increment = self._entry("increment", f"{setup.increment:g}")
        self.period = self._entry("period", f"{setup.period:g}")
        self.count = self._entry("count", str(setup.count))
        self.overtime.bind("<<ComboboxSelected>>", lambda event: self._choose_overtime())
        self.game.bind("<<ComboboxSelected>>", lambda event: self._choose_game())
        self.size.bind("<<ComboboxSelected>>", lambda event: self._fit_row())

    def _make_buttons(self) -> None:
        line = ttk.Frame(self._body)
        line.grid(row=self._rows + 1, column=0, columnspan=2, sticky="e")
        cancel = ttk.Button(line, text=self._texts("cancel"), command=self.top.destroy)
        self.start = ttk.Button(line, text=self._texts("start"), command=self.accept, style="Main.TButton")
        cancel.pack(side="left", padx=self._style.pixels(6))
        self.start.pack(side="left")

    def _choice(self, key: str, names: Sequence[str], now: str) -> ttk.Combobox:
        values = [self._texts(name) for name in names]
        field = ttk.Combobox(self._body, state="readonly", values=values, width=16)
        field.set(self._texts(now) if now in names else now)
        self._row(key, field)
        return field

    def _entry(self, key: str, now: str) -> ttk.Entry:
        field = ttk.Entry(self._body, width=18)
        field.insert(0, now)
        self._row(key, field)
        return field

    def _row(self, key: str, field: ttk.Widget) -> None:
        gap = self._style.pixels(4)
        ttk.Label(self._body, text=self._texts(key)).grid(
            row=self._rows, column=0, sticky="w", padx=(0, 3 * gap), pady=gap
        )
        field.grid(row=self._rows, column=1, sticky="ew", pady=gap)
        self._rows += 1

    def _choose_game(self) -> None:
        """Offer the sizes of the game, and its rules if it has any."""
        game = GAMES[self.game.current()]
        sizes = [str(size) for size in SIZES[game]]
        self.size.configure(values=sizes)
        if self.size.get() not in sizes:
            self.size.set("8" if game == "othello" else "15")
        state = "disabled" if game == "othello" else "readonly"
        self.rule.configure(state=state)
        self.in_a_row.configure(state="disabled" if game == "othello" else "normal")

    def _choose_overtime(self) -> None:
        """Ask for what the kind of overtime needs."""
        adds = OVERTIMES[self.overtime.current()] == "fischer"
        for field, needed in ((self.increment, adds), (self.period, not adds), (self.count, not adds)):
            field.configure(state="normal" if needed else "disabled")

    def _fit_row(self) -> None:
        """A row that was too long for the board becomes as long as is usual there."""
        row, size = self.in_a_row.get(), int(self.size.get())
        if row.isdecimal() and int(row) > size and self.game.current() == 0:
            self.in_a_row.delete(0, "end")
            self.in_a_row.insert(0, str(max(3, min(5, size))))

    def _read(self) -> Setup:
        game = GAMES[self.game.current()]
        rules = {"rule": "freestyle", "in_a_row": 5}
        if game == "gomoku":
            row = self.in_a_row.get().strip()
            rules = {"rule": RULES[self.rule.current()], "in_a_row": int(row) if row.isdecimal() else 0}
        seats = {
            color: replace(self._setup.seat(color), is_engine=field.current() == 1)
            for color, field in self.seats.items()
        }
        return Setup(
            game=game,
            size=int(self.size.get()),
            **rules,  # type: ignore[arg-type]  # names with their own types
            black=seats["black"],
            white=seats["white"],
            movetime=float(self.movetime.get()),
            main=60 * float(self.main.get()),
            overtime=OVERTIMES[self.overtime.current()],
            increment=float(self.increment.get()),
            period=float(self.period.get()),
            count=int(count) if (count := self.count.get().strip()).isdecimal() else 0,
        )

    def _place(self, root: tk.Tk) -> None:
        """In the middle of the window."""
        self.top.update_idletasks()
        x = root.winfo_rootx() + (root.winfo_width() - self.top.winfo_reqwidth()) // 2
        y = root.winfo_rooty() + (root.winfo_height() - self.top.winfo_reqheight()) // 3
        self.top.geometry(f"+{max(0, x)}+{max(0, y)}")
        self.game.focus_set()
