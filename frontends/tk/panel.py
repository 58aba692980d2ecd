"""The right side of the window: seats, prospects, candidates and buttons."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable, Mapping
from tkinter import ttk  # noqa: TID253, the window is tkinter's

from ..shared.play import Play
from ..shared.points import COLORS
from ..shared.texts import Texts
from ..shared.thought import Thought
from .card import Card
from .charts import Bar, Graph
from .painter import brief
from .style import Style

WIDTH = 330
BUTTONS = ("undo", "redo", "hint", "now", "pause", "new_game")


class Panel:
    """Everything beside the board; `actions` are called by the names of the buttons."""

    def __init__(
        self,
        parent: tk.Misc,
        style: Style,
        texts: Texts,
        play: Play,
        actions: Mapping[str, Callable[[], object]],
        hover: Callable[[str | None], None],
    ) -> None:
        self.frame = ttk.Frame(parent, width=style.pixels(WIDTH))
        self.frame.pack_propagate(False)
        self._style, self._texts, self._play, self._hover = style, texts, play, hover
        self._thought: Thought | None = None
        self.cards = [Card(self.frame, style, texts, color, play.sit) for color in COLORS]
        self._rate = ttk.Label(self.frame)
        self.bar = Bar(self.frame, style)
        self.graph = Graph(self.frame, style, play.go_to)
        self.list = self._make_list()
        self._score = ttk.Label(self.frame, style="Score.TLabel")
        self.buttons = self._make_buttons(actions)
        self._switches = self._make_switches()
        self._lay_out()

    def show(self) -> None:
        """Show the game as it stands."""
        play, texts = self._play, self._texts
        for card in self.cards:
            card.show(play)
        rate = play.winrates.get(play.line.ply, play.winrates.get(play.line.ply - 1))
        self.bar.show(rate)
        self._rate.configure(text=texts("black_wins", "–" if rate is None else f"{100 * rate:.0f} %"))
        self.graph.show(play.winrates, play.line.ply, len(play.line.whole))
        weakest = play.setup.against_weakest is not None
        self._score.configure(text=texts("score", play.tally.lost, play.tally.games) if weakest else "")
        self.buttons["hint"].configure(text=texts("hint_button_weakest" if weakest else "hint"))
        self.buttons["pause"].configure(text=texts("go_on" if play.paused else "pause"))
        self.buttons["now"].state(["!disabled" if play.driver.thinking else "disabled"])
        self._switches["analyze"].set(play.study.on)
        self._switches["ponder"].set(play.pondering)
        self._show_thought(play.driver.thought)

    def show_clocks(self) -> None:
        """Let the clocks be seen running."""
        for card in self.cards:
            card.show_clock(self._play)

    def _lay_out(self) -> None:
        gap = self._style.pixels(6)
        for card in self.cards:
            card.frame.pack(fill="x", pady=(0, gap))
        self._rate.pack(fill="x", pady=(0, gap // 2))
        self.bar.canvas.pack(fill="x")
        self.graph.canvas.pack(fill="x", pady=gap)
        self._grid.pack(side="bottom", fill="x")
        self._line.pack(side="bottom", fill="x", pady=gap)
        self._score.pack(side="bottom", fill="x")
        self.list.pack(fill="both", expand=True)

    def _make_list(self) -> ttk.Treeview:
        columns = {"move": 50, "rate": 66, "visits": 58, "line": 140}
        tree = ttk.Treeview(self.frame, columns=tuple(columns), show="headings", height=4, selectmode="none")
        for name, width in columns.items():
            stretch = name == "line"
            pixels = self._style.pixels(width)
            tree.column(name, width=pixels, minwidth=pixels, stretch=stretch, anchor="w" if stretch else "center")
            tree.heading(name, text=self._texts("winning" if name == "rate" else name))
        tree.bind("<Motion>", lambda event: self._hover(tree.identify_row(event.y) or None))
        tree.bind("<Leave>", lambda event: self._hover(None))
        return tree

    def _make_buttons(self, actions: Mapping[str, Callable[[], object]]) -> dict[str, ttk.Button]:
        self._grid = ttk.Frame(self.frame)
        buttons = {}
        for number, name in enumerate(BUTTONS):
            look = "Main.TButton" if name == "new_game" else "TButton"
            button = ttk.Button(self._grid, text=self._texts(name), command=actions[name], style=look, takefocus=False)
            button.grid(row=number // 3, column=number % 3, sticky="ew", padx=1, pady=1)
            buttons[name] = button
        for column in range(3):
            self._grid.columnconfigure(column, weight=1, uniform="buttons")
        return buttons

    def _make_switches(self) -> dict[str, tk.BooleanVar]:
        self._line = ttk.Frame(self.frame)
        made = {}
        turns: dict[str, Callable[[bool], None]] = {
            "analyze": lambda on: self._play.analyze(on=on),
            "ponder": lambda on: self._play.ponder(on=on),
        }
        for name, turn in turns.items():
            variable = tk.BooleanVar(self.frame)

            def turned(turn: Callable[[bool], None] = turn, variable: tk.BooleanVar = variable) -> None:
                turn(variable.get())

            box = ttk.Checkbutton(
                self._line, text=self._texts(name), variable=variable, command=turned, takefocus=False
            )
            box.pack(side="left", padx=(0, self._style.pixels(14)))
            made[name] = variable
        return made

    def _show_thought(self, thought: Thought | None) -> None:
        if thought is self._thought:
            return
        self._thought = thought
        self.list.delete(*self.list.get_children())
        if thought is None:
            return
        self.list.heading("rate", text=self._texts("losing" if thought.losing else "winning"))
        for each in thought.candidates:
            row = (each.vertex, f"{100 * each.winrate:.1f} %", brief(each.visits), " ".join(each.line[1:]))
            if not self.list.exists(each.vertex):
                self.list.insert("", "end", iid=each.vertex, values=row)
