"""The menu bar and the keys."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable, Mapping
from tkinter import ttk  # noqa: TID253, the window is tkinter's

from ..shared.texts import LANGUAGES, Texts

Actions = Mapping[str, Callable[[], object]]
Switches = Mapping[str, tk.BooleanVar]

MENUS = {
    "game": ("new_game", "open", "save", "copy", "paste", "quit"),
    "moves": ("undo", "redo", "first", "last", "hint", "now", "pause"),
    "engine": ("analyze", "ponder", "restart"),
    "view": ("numbers", "legal", "forbidden", "candidates"),
}
SWITCHES = ("analyze", "ponder", *MENUS["view"])
KEYS = {
    "new_game": ("<Control-n>", "<F2>"),
    "open": ("<Control-o>",),
    "save": ("<Control-s>",),
    "copy": ("<Control-c>",),
    "paste": ("<Control-v>",),
    "quit": ("<Control-q>",),
    "undo": ("<Control-z>", "<BackSpace>", "<Prior>"),
    "redo": ("<Control-y>", "<Next>"),
    "first": ("<Home>",),
    "last": ("<End>",),
    "hint": ("<h>",),
    "now": ("<m>",),
    "pause": ("<p>",),
    "analyze": ("<a>",),
    "numbers": ("<n>",),
    "legal": ("<l>",),
    "forbidden": ("<f>",),
    "candidates": ("<c>",),
    "up": ("<Up>",),
    "down": ("<Down>",),
    "left": ("<Left>",),
    "right": ("<Right>",),
    "put": ("<Return>", "<space>"),
}
POINTING = ("up", "down", "left", "right", "put")  # on the board, unless a field has the keyboard and wants them


def make_menus(root: tk.Tk, texts: Texts, actions: Actions, switches: Switches, choose: Callable[[str], None]) -> None:
    """Make the menu bar, with a mark at what is switched on; `choose` takes a language."""
    bar = tk.Menu(root)
    for name, entries in MENUS.items():
        menu = tk.Menu(bar, tearoff=False)
        for entry in entries:
            key, action = _shown(KEYS.get(entry, ())), actions[entry]
            if entry in switches:
                menu.add_checkbutton(label=texts(entry), command=action, accelerator=key, variable=switches[entry])
            else:
                menu.add_command(label=texts(entry), command=action, accelerator=key)
        bar.add_cascade(label=texts(name), menu=menu)
    menu = tk.Menu(bar, tearoff=False)
    for language, table in LANGUAGES.items():

        def choosing(language: str = language) -> None:
            choose(language)

        menu.add_command(label=table["language"], command=choosing)
    bar.add_cascade(label=texts("languages"), menu=menu)
    root.configure(menu=bar)


def bind_keys(root: tk.Tk, actions: Actions) -> None:
    """Have the keys do what the menus do."""
    for name, keys in KEYS.items():
        for key in {*keys, *map(_capital, keys)}:

            def pressed(event: tk.Event[tk.Misc], name: str = name) -> None:
                if name not in POINTING or not isinstance(event.widget, (ttk.Combobox, ttk.Scale)):
                    actions[name]()

            root.bind(key, pressed)


def _capital(key: str) -> str:
    """The same key while capitals are locked."""
    return f"{key[:-2]}{key[-2].upper()}>" if key[-3] in "<-" else key


def _shown(keys: tuple[str, ...]) -> str:
    return keys[0].strip("<>").replace("Control-", "Ctrl+").upper().replace("CTRL", "Ctrl") if keys else ""
