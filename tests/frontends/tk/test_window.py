"""The window, used as a person uses it: real clicks on a real screen, a real engine behind it."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from extremum.frontends.shared.points import vertex_of
from extremum.frontends.shared.setup import Seat, Setup
from tests.frontends.shared.plays import AGAINST_RANDOM, SLOW, TWO_PEOPLE
from tests.frontends.shared.test_play import RENJU_FORK
from tests.frontends.tk.person import best_point, sitting
from tests.frontends.tk.screen import Screen

pytestmark = pytest.mark.slow

WEAKEST = Setup("othello", 6, white=Seat(is_engine=True, level=0), movetime=0.03)


def test_a_whole_game_of_gomoku_by_clicks(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, AGAINST_RANDOM) as person:
        play = person.play
        while not play.is_over:
            assert play.board is not None
            person.click(vertex_of(best_point(play.board.stones(), 9), "gomoku", 9))
            person.settle()
        assert person.said == "Black wins"
        assert person.drawn("stone") == len(play.line.moves) >= 9
        person.click("A1")
        person.hear("The game is over")
        person.window.panel.buttons["undo"].invoke()
        person.settle()
        assert not play.is_over
        person.window.panel.buttons["redo"].invoke()
        person.settle()
        assert play.is_over


def test_a_whole_game_of_othello_by_clicks_against_the_weakest(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, WEAKEST) as person:
        play, panel = person.play, person.window.panel
        assert str(panel._score["text"]) == "Humans who managed to lose: 0 of 0"
        assert str(panel.buttons["hint"]["text"]) == "Help me lose"
        panel.buttons["hint"].invoke()
        person.hear("To lose, play")
        turned = 0
        while not play.is_over:
            assert play.board is not None
            assert person.drawn("marks", "image") >= len(play.board.legal_points())
            person.click(sorted(play.board.legal)[0])
            person.wait(lambda: not play.driver.busy and person.window._version == play.version)
            turned += person.window.board.is_turning
        person.settle()
        assert turned > 5
        assert "wins" in person.said or "Draw" in person.said
        assert str(panel._score["text"]).endswith("of 1")
        assert play.board is not None
        assert person.drawn("stone") == len(play.board.stones())


def test_clicks_that_are_refused_change_nothing_and_are_explained(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, AGAINST_RANDOM, SLOW) as person:
        person.click("E5")
        person.wait(lambda: person.play.driver.thinking)
        person.click("A1")
        person.hear("The engine is thinking")
        person.window.panel.buttons["now"].invoke()
        person.settle()
        person.click("E5")
        person.hear("E5 is occupied")
        assert len(person.play.line.moves) == 2
        person.window.board.canvas.event_generate("<Button-1>", x=1, y=1)  # beside the board
        person.settle()
        assert len(person.play.line.moves) == 2


def test_the_window_does_not_freeze_while_the_engine_thinks(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, replace(AGAINST_RANDOM, movetime=3600), SLOW) as person:
        person.click("E5")
        person.wait(lambda: person.play.driver.thinking)
        root, beats = person.window.root, [time.monotonic()]

        def beat() -> None:
            beats.append(time.monotonic())
            root.after(10, beat)

        beat()
        root.geometry("900x650")
        person.wait(lambda: time.monotonic() > beats[0] + 1 and root.winfo_width() == 900)
        assert person.play.driver.thinking
        assert person.play.driver.thought is not None
        assert max(after - before for before, after in pairwise(beats)) < 0.5


def test_an_engine_that_dies_is_shown_and_restarted(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, AGAINST_RANDOM) as person:
        person.click("E5")
        person.settle()
        moves, alarm = person.play.line.moves, person.window.alarm
        assert not alarm.frame.winfo_ismapped()
        os.killpg(person.play.driver.engine._link._process.pid, signal.SIGKILL)  # type: ignore[attr-defined]  # a real death
        person.wait(lambda: bool(alarm.frame.winfo_ismapped()))
        assert "killed by SIGKILL" in str(alarm.headline["text"])
        assert "white" in alarm.words.get("1.0", "end")  # the engine's own account of its last move
        assert person.drawn("stone") == 2
        alarm.button.invoke()
        person.settle()
        person.wait(lambda: not alarm.frame.winfo_ismapped())
        assert person.play.line.moves == moves


def test_closing_the_window_in_mid_search_takes_no_time(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, AGAINST_RANDOM, SLOW) as person:
        person.click("E5")
        person.wait(lambda: person.play.driver.thinking)
        begun = time.monotonic()
        person.window.quit()
        assert time.monotonic() - begun < 0.5
        person.play.driver.join()
        assert time.monotonic() - begun < 3


def test_a_broken_file_is_refused_and_a_good_one_is_loaded_and_saved(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE) as person:
        broken, good = tmp_path / "a broken game.sgf", tmp_path / "a good game.sgf"
        broken.write_text("(;GM[4]SZ[9];B[")
        person.window.load(broken)
        person.hear("no game we can load")
        person.window.load(tmp_path / "missing.sgf")
        person.hear("No such file")
        person.click("E5")
        person.settle()
        person.play.record(lambda text: person.window.write(good, text))
        person.hear("Saved as")
        person.window.begin(TWO_PEOPLE)
        person.settle()
        assert person.drawn("stone") == 0
        person.window.load(good)
        person.settle()
        assert person.play.line.moves == (("black", "E5"),)
        person.play.record(lambda text: person.window.write(Path("/dev/null/x.sgf"), text))
        person.hear("Not a directory")


def test_the_language_changes_while_the_game_goes_on(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, language="zh_CN") as person:
        assert person.said == "轮到黑方"
        person.click("E5")
        person.settle()
        person.window.speak("en")
        person.settle()
        assert person.said == "White to move"
        assert str(person.window.panel.buttons["undo"]["text"]) == "Undo"
        assert person.drawn("stone") == 1


def test_a_new_game_is_chosen_in_the_dialog(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, SLOW) as person:
        person.press("<Control-n>")
        dialog = person.window.dialog
        assert dialog is not None
        dialog.in_a_row.delete(0, "end")
        dialog.in_a_row.insert(0, "99")
        dialog.accept()
        assert "fits on the board" in str(dialog._problem["text"])
        dialog.movetime.insert(0, "x")
        dialog.game.current(1)
        dialog.game.event_generate("<<ComboboxSelected>>")
        dialog.accept()
        assert "0.01" in str(dialog._problem["text"])
        dialog.movetime.delete(0, "end")
        dialog.movetime.insert(0, "0.5")
        dialog.main.delete(0, "end")
        dialog.main.insert(0, "5")
        dialog.start.invoke()
        person.settle()
        setup = person.play.setup
        assert (setup.game, setup.size, setup.movetime, setup.main) == ("othello", 8, 0.5, 300)
        assert str(person.window.panel.cards[0]._clock["text"]).startswith("2   ")


def test_candidates_variations_hints_and_forbidden_points_are_drawn(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, SLOW) as person:
        person.play.load(RENJU_FORK)
        person.settle()
        assert person.play.board is not None
        assert person.drawn("marks", "line") == 2 * len(person.play.board.forbidden_points()) > 0
        person.press("<a>")
        person.wait(lambda: person.drawn("marks", "image") >= 3)
        best = person.window.panel.list.get_children()[0]
        person.hover(best)
        assert person.drawn("variation", "image") == 2
        person.hover("P1")
        assert person.drawn("variation") == 0
        person.press("<h>")
        person.hear(f"Hint: {best}")
        person.press("<n>")
        assert person.drawn("stones", "text") == 8


def test_everything_can_be_done_with_the_keyboard(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE) as person:
        person.press("<Up>", "<Up>", "<Right>", "<Return>")
        person.settle()
        assert person.play.line.moves == (("black", "F6"),)
        person.press("<BackSpace>")
        person.settle()
        assert person.play.line.ply == 0
        person.press("<Control-y>")
        person.settle()
        person.press("<Home>")
        person.settle()
        assert person.play.line.ply == 0
        person.press("<End>")
        person.settle()
        assert person.play.line.ply == 1


def test_a_seat_is_changed_on_its_card(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE) as person:
        card = person.window.panel.cards[1]
        card._who.current(1)
        card._who.event_generate("<<ComboboxSelected>>")
        card._brain.set("random")
        card._brain.event_generate("<<ComboboxSelected>>")
        card._level.set(50)
        person.wait(lambda: person.play.setup.white == Seat(is_engine=True, level=50, brain="random"))
        person.click("E5")
        person.settle()
        assert len(person.play.line.moves) == 2


def test_sizes_follow_the_zoom(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, TWO_PEOPLE, zoom=2.0) as person:
        assert person.window.style.pixels(10) == 20
        assert person.window.panel.frame.winfo_reqwidth() == 660
        person.click("E5")
        person.settle()
        assert person.play.line.moves == (("black", "E5"),)


def test_what_is_on_the_screen_is_the_board(screen: Screen, tmp_path: Path) -> None:
    with sitting(tmp_path, replace(TWO_PEOPLE, size=15)) as person:
        for vertex in ("H8", "J9"):
            person.click(vertex)
            person.settle()
        canvas = person.window.board.canvas
        x, y = person.point("H8")
        pixels = screen.pixels()
        left, top = canvas.winfo_rootx(), canvas.winfo_rooty()
        black = pixels[top + y + 12, left + x]
        white_x, white_y = person.point("J9")
        white = pixels[top + white_y + 12, left + white_x]
        assert black.max() < 80
        assert white.min() > 180
