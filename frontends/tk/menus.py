"""The menu bar and the keys."""

from __future__ import annotations

import tkinter as tk  # noqa: TID253, the window is tkinter's
from collections.abc import Callable, Mapping

from ..shared.texts import LANGUAGES, Texts

Actions = Mapping[str, Callable[[], object]]

MENUS = {
    "game": ("new_game", "open", "save", "copy", "paste", "quit"),
    "moves": ("undo", "redo", "first", "last", "hint", "now", "pause"),
    "engine": ("analyze", "ponder", "restart"),
    "view": ("numbers", "legal", "candidates"),
}
KEYS = {
    "new_game": ("<Control-n>",),
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
    "up": ("<Up>",),
    "down": ("<Down>",),
    "left": ("<Left>",),
    "right": ("<Right>",),
    "put": ("<Return>", "<space>"),
}


def make_menus(root: tk.Tk, texts: Texts, actions: Actions, choose: Callable[[str], None]) -> None:
    """Make the menu bar; `choose` takes a language."""
    bar = tk.Menu(root)
    for name, entries in MENUS.items():
        menu = tk.Menu(bar, tearoff=False)
        for entry in entries:
            menu.add_command(label=texts(entry), command=actions[entry], accelerator=_shown(KEYS.get(entry, ())))
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
        for key in keys:

            def pressed(event: object, name: str = name) -> None:
                actions[name]()

            root.bind(key, pressed)


def _shown(keys: tuple[str, ...]) -> str:
    return keys[0].strip("<>").replace("Control-", "Ctrl+").upper().replace("CTRL", "Ctrl") if keys else ""
