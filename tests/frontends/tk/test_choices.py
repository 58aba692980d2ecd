"""What a person chooses in the window: the clock, and what is to be seen."""

from __future__ import annotations

import json
import re
import tkinter as tk  # noqa: TID253, the window is tkinter's
from pathlib import Path

import pytest

from extremum.frontends.tk.menus import KEYS, SWITCHES
from tests.frontends.shared.plays import SLOW, TWO_PEOPLE
from tests.frontends.shared.test_play import RENJU_FORK
from tests.frontends.tk.person import Person, sitting
from tests.frontends.tk.screen import Screen

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[3] / "frontends" / "web" / "page"
BROWSERS = {"Prior": "PageUp", "Next": "PageDown", "Return": "Enter", "space": " ", "BackSpace": "Backspace"}
BROWSERS |= {name: f"Arrow{name}" for name in ("Up", "Down", "Left", "Right")}


def write(field: tk.Entry, text: str) -> None:
    field.delete(0, "end")
    field.insert(0, text)


def test_a_clock_with_periods_is_chosen_in_the_dialog(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, SLOW) as person:
        person.press("<F2>")
        dialog = person.window.dialog
        assert dialog is not None
        assert [str(field["state"]) for field in (dialog.increment, dialog.period)] == ["normal", "disabled"]
        dialog.overtime.current(1)
        dialog.overtime.event_generate("<<ComboboxSelected>>")
        assert [str(field["state"]) for field in (dialog.increment, dialog.period)] == ["disabled", "normal"]
        write(dialog.count, "0")
        dialog.accept()
        assert "1 to 99" in str(dialog._problem["text"])
        write(dialog.count, "3")
        write(dialog.period, "20")
        dialog.start.invoke()
        person.settle()
        assert person.play.setup.clock == "byoyomi 0 20 3"
        assert re.fullmatch(r"0:\d\d × 3", str(person.window.panel.cards[0]._clock["text"]))


def test_what_is_chosen_stays_readable_while_its_field_has_the_keyboard(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, SLOW) as person:
        person.press("<F2>")
        dialog = person.window.dialog
        assert dialog is not None
        dialog.game.focus_force()
        person.wait(lambda: dialog.game.focus_get() is dialog.game)
        field = dialog.game
        left, top, width, height = field.winfo_rootx(), field.winfo_rooty(), field.winfo_width(), field.winfo_height()
        person.wait(lambda: bool(screen.pixels()[top + 4 : top + height - 4, left + 4 : left + width // 2].min() < 100))


def test_what_is_seen_is_chosen_by_keys_and_marked_in_the_menu(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, SLOW) as person:
        person.play.load(RENJU_FORK)
        person.settle()
        assert person.drawn("marks", "line") > 0
        assert marked(person) == {"legal", "forbidden", "candidates"}
        person.press("<f>")
        assert person.drawn("marks", "line") == 0
        person.press("<N>", "<L>")  # capitals are locked
        assert person.drawn("stones", "text") == 8
        assert marked(person) == {"numbers", "candidates"}
        person.press("<a>")
        person.wait(lambda: marked(person) == {"numbers", "candidates", "analyze"})


def test_arrows_in_a_field_do_not_move_the_cursor_on_the_board(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, SLOW) as person:
        field = person.window.panel.cards[1]._who
        field.focus_force()
        person.wait(lambda: field.focus_get() is field)
        field.event_generate("<Down>")
        field.event_generate("<Escape>")
        person.window.root.update()
        assert person.window.board.cursor is None
        person.press("<Down>")
        assert person.window.board.cursor is not None


def marked(person: Person) -> set[str]:
    """What the menus show as switched on."""
    return {name for name in SWITCHES if person.window._switches[name].get()}


def test_the_page_has_the_windows_keys() -> None:
    table = (PAGE / "keys.js").read_text().partition("KEYS = ")[2].partition(";\n")[0]
    theirs = json.loads(re.sub(r"(\w+):(?= \[)", r'"\1":', table).replace(",\n}", "\n}"))
    ours = {name: [key.strip("<>") for key in keys] for name, keys in KEYS.items()}
    del ours["paste"], ours["quit"]  # a browser has events and keys of its own for these
    assert theirs == {name: [BROWSERS.get(key, key) for key in keys] for name, keys in ours.items()}
