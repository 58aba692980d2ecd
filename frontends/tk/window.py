"""The window: brings board, panel and game together, and never waits for the engine."""

from __future__ import annotations

import gc
import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from tkinter import filedialog, ttk  # noqa: TID253, the window is tkinter's

from ..shared.play import Play
from ..shared.points import Point, vertex_of
from ..shared.score import write_atomically
from ..shared.setup import Setup
from ..shared.situation import situation
from ..shared.texts import Texts
from .alarm import Alarm
from .board import BoardView
from .menus import SWITCHES, bind_keys, make_menus
from .new_game import NewGame
from .panel import Panel
from .scene import Shown, scene_of, variation
from .style import Style, screen_scale

POLL = 25  # milliseconds between two looks at what the engine said
NOTICE = 6000  # milliseconds for which a notice is shown
LARGEST = 10_000_000  # bytes of a game record
FILES = (("SGF", "*.sgf"), ("*", "*"))


class Window:
    """Shows one game; `root` is left to the caller's main loop."""

    def __init__(self, root: tk.Tk, play: Play, language: str, zoom: float = 1.0) -> None:
        self.root, self.play = root, play
        self.dialog: NewGame | None = None
        self._scale = zoom * screen_scale(root)
        self._shown = Shown()
        self._version = -1
        self._notice: str | None = None
        self._forgetting: str | None = None
        self._polling: str | None = None
        self._was_over = False
        self._actions = self._make_actions()
        self._switches = {name: tk.BooleanVar(root) for name in SWITCHES}
        self._body = ttk.Frame(root)
        self.speak(language)
        bind_keys(root, self._actions)
        root.protocol("WM_DELETE_WINDOW", self.quit)
        root.title("Extremum")
        width, height = self.style.pixels(1020), self.style.pixels(720)
        root.geometry(f"{width}x{height}")
        root.minsize(self.style.pixels(640), self.style.pixels(600))
        self._poll()

    def speak(self, language: str) -> None:
        """Build everything in a language."""
        self.texts = Texts(language)
        self.style = Style(self.root, self._scale, language)
        make_menus(self.root, self.texts, self._actions, self._switches, self.speak)
        self._body.destroy()
        gc.collect()  # what Tk made must be let go in this thread
        self._body = ttk.Frame(self.root, padding=self.style.pixels(10))
        self._body.pack(fill="both", expand=True)
        self.status = ttk.Label(self._body, font=self.style.font(11))
        self.status.pack(side="bottom", fill="x", pady=(self.style.pixels(8), 0))
        self.alarm = Alarm(self._body, self.style, self.texts, self.play.restart)
        self.panel = Panel(self._body, self.style, self.texts, self.play, self._actions, self._hover_row)
        self.panel.frame.pack(side="right", fill="y", padx=(self.style.pixels(10), 0))
        self.board = BoardView(self._body, self.style, self._click, self._hover)
        self.board.canvas.pack(side="left", fill="both", expand=True)
        self.board.canvas.focus_set()
        self._notice = None
        self._version = -1

    def quit(self) -> None:
        """Close the window at once; the engine is seen off behind it."""
        self.play.close()
        for waiting in (self._polling, self._forgetting):
            if waiting is not None:
                self.root.after_cancel(waiting)
        self.root.destroy()

    def say(self, text: str) -> None:
        """Show a notice for some seconds."""
        self._notice = text
        if self._forgetting is not None:
            self.root.after_cancel(self._forgetting)
        self._forgetting = self.root.after(NOTICE, self._forget)
        self._show_status()

    def _make_actions(self) -> dict[str, Callable[[], object]]:
        play = self.play
        return {
            "new_game": self.ask_new_game,
            "open": self.open,
            "save": self.save,
            "copy": lambda: play.record(self._copy),
            "paste": self._paste,
            "quit": self.quit,
            "undo": play.undo,
            "redo": play.redo,
            "first": lambda: play.go_to(0),
            "last": lambda: play.go_to(len(play.line.whole)),
            "hint": play.hint,
            "now": play.move_now,
            "pause": lambda: play.pause(on=not play.paused),
            "analyze": lambda: play.analyze(on=not play.study.on),
            "ponder": lambda: play.ponder(on=not play.pondering),
            "restart": play.restart,
            "numbers": lambda: self._toggle("numbers"),
            "legal": lambda: self._toggle("legal"),
            "forbidden": lambda: self._toggle("forbidden"),
            "candidates": lambda: self._toggle("candidates"),
            "up": lambda: self.board.move_cursor(-1, 0),
            "down": lambda: self.board.move_cursor(1, 0),
            "left": lambda: self.board.move_cursor(0, -1),
            "right": lambda: self.board.move_cursor(0, 1),
            "put": self._put,
        }

    def ask_new_game(self) -> None:
        """Open the dialog for a new game."""
        if self.dialog is not None and self.dialog.top.winfo_exists():
            return self.dialog.top.lift()
        self.dialog = NewGame(self.root, self.style, self.texts, self.play.setup, self.begin)
        return None

    def begin(self, setup: Setup) -> None:
        """Begin a new game."""
        self.play.begin(setup)
        self.board.canvas.focus_set()

    def open(self) -> None:
        """Ask for a game's file and load it."""
        file = filedialog.askopenfilename(parent=self.root, filetypes=FILES)
        if file:
            self.load(Path(file))

    def load(self, file: Path) -> None:
        """Load a game; a file that cannot be read is told of."""
        try:
            with open(file, "rb") as stream:
                text = stream.read(LARGEST).decode("utf-8", "replace")
        except OSError as error:
            return self.say(self.texts("no_file", file.name, error.strerror))
        return self.play.load(text)

    def save(self) -> None:
        """Ask for a file and write the game into it."""
        file = filedialog.asksaveasfilename(parent=self.root, filetypes=FILES, defaultextension=".sgf")
        if file:
            self.play.record(lambda text: self.write(Path(file), text))

    def write(self, file: Path, text: str) -> None:
        """Write a game, the whole of it or nothing."""
        try:
            write_atomically(file, text)
        except OSError as error:
            return self.say(self.texts("no_file", file.name, error.strerror))
        return self.say(self.texts("saved", file.name))

    def _copy(self, text: str) -> None:
        self.root.clipboard_clear()
        self.root.clipboard_append(text)
        self.say(self.texts("copied"))

    def _paste(self) -> None:
        try:
            text = self.root.clipboard_get()
        except tk.TclError:  # there is nothing on it
            text = ""
        self.play.load(text)

    def _toggle(self, name: str) -> None:
        setattr(self._shown, name, not getattr(self._shown, name))
        self._show()

    def _click(self, point: Point) -> None:
        self.play.play(vertex_of(point, self.play.setup.game, self.play.setup.size))

    def _put(self) -> None:
        if self.board.cursor is not None:
            self._click(self.board.cursor)

    def _hover(self, point: Point | None) -> None:
        self._hover_row(None if point is None else vertex_of(point, self.play.setup.game, self.play.setup.size))

    def _hover_row(self, vertex: str | None) -> None:
        self.board.show_variation([] if vertex is None else variation(self.play, vertex))

    def _poll(self) -> None:
        self._polling = self.root.after(POLL, self._poll)  # first of all: whatever goes wrong below, it goes on
        self.play.pump()
        for notice in self.play.notices():
            self.say(self.texts.notice(notice))
        if self.play.version != self._version:
            self._show()
        elif self.play.timer.running is not None:
            self.panel.show_clocks()

    def _show(self) -> None:
        self._version = self.play.version
        if self.play.is_over and not self._was_over:
            self._notice = None  # nothing is as important as the result
        self._was_over = self.play.is_over
        on = {"analyze": self.play.study.on, "ponder": self.play.pondering, **asdict(self._shown)}
        for name, variable in self._switches.items():
            variable.set(on[name])
        self.board.show(scene_of(self.play, self._shown))
        self.panel.show()
        self.alarm.show(self.play.driver.dead)
        self._show_status()

    def _show_status(self) -> None:
        text = self._notice or self.texts.notices(situation(self.play))
        if self.status["text"] != text:
            self.status.configure(text=text)

    def _forget(self) -> None:
        self._notice = self._forgetting = None
        self._show_status()
