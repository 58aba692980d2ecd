"""The parts of a game: setups, lines, clocks, thoughts, scores and texts."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from extremum.frontends.shared.line import Line, Start, commands
from extremum.frontends.shared.notice import Notice
from extremum.frontends.shared.points import point_of, vertex_of
from extremum.frontends.shared.score import Score, Tally, score_file
from extremum.frontends.shared.setup import Seat, Setup, SetupError, read_setup
from extremum.frontends.shared.texts import LANGUAGES, Texts, language_of
from extremum.frontends.shared.thought import read_thought

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"game": "chess"}, "bad_game"),
        ({"size": 21}, "bad_size"),
        ({"size": "15"}, "bad_size"),
        ({"game": "othello", "size": 7}, "bad_size"),
        ({"rule": "go"}, "bad_rule"),
        ({"in_a_row": 16}, "bad_row"),
        ({"in_a_row": None}, "bad_row"),
        ({"rule": "renju", "in_a_row": 4}, "bad_renju"),
        ({"movetime": 0}, "bad_time"),
        ({"movetime": float("nan")}, "bad_time"),
        ({"main": -1}, "bad_time"),
        ({"black": "me"}, "bad_seat"),
        ({"black": {"level": 101}}, "bad_level"),
        ({"black": {"level": True}}, "bad_level"),
        ({"white": {"brain": "a\nquit"}}, "bad_brain"),
        ({"colour": "red"}, "bad_setup"),
    ],
)
def test_a_setup_that_cannot_be_is_refused(values: dict[str, Any], key: str) -> None:
    with pytest.raises(SetupError, match=key):
        read_setup(values)


def test_a_game_is_laid_out_by_commands() -> None:
    start = Start(Setup(size=8, rule="standard", in_a_row=4), (("black", "A1"),), "white")
    assert commands(Line(start, (("white", "B2"), ("black", "C3")))) == [
        "set_game gomoku",
        "boardsize 8",
        "set_game gomoku standard 4",
        "gogui-setup black A1",
        "gogui-setup_player white",
        "gogui-play_sequence white B2 black C3",
    ]


def test_taking_back_goes_to_the_persons_move() -> None:
    moves = (("black", "A1"), ("white", "B2"), ("white", "C3"))
    against_white = Line(Start(Setup()), moves)
    assert (against_white.before(), against_white.at(0).after()) == (0, 3)
    engine_first = Line(Start(Setup(black=Seat(is_engine=True), white=Seat())), moves[:1])
    assert engine_first.before() is None
    alone = Line(Start(Setup(white=Seat())), moves)
    assert (alone.before(), alone.after(), alone.at(1).after()) == (2, None, 2)


def test_a_move_that_repeats_what_was_taken_back_keeps_the_rest() -> None:
    line = Line(Start(Setup(white=Seat())), (("black", "A1"), ("white", "B2"))).at(0)
    assert line.played("black", "A1").future == (("white", "B2"),)
    assert line.played("black", "A2").future == ()


@pytest.mark.parametrize("game", ["gomoku", "othello"])
def test_vertices_and_points_are_each_others_inverse(game: str) -> None:
    for row in range(8):
        for column in range(8):
            assert point_of(vertex_of((row, column), game, 8), game, 8) == (row, column)
    assert vertex_of((0, 0), game, 8) == {"gomoku": "A8", "othello": "A1"}[game]
    assert [point_of(text, game, 8) for text in ("pass", "I1", "A9", "A0", "", "8", "A-1", "A²")] == [None] * 8


def test_a_thought_tells_blacks_chance_for_either_side_and_aim() -> None:
    line = (
        "info move C3 visits 90 utility 0.6 winrate 0.800000 prior 0.1 lcb 0.7 order 0 pv C3 D4 info move A1 visits 2"
    )
    line += " winrate 0.1 order 1 pv A1"
    chances = {
        (color, losing): read_thought(line, 3, color, losing=losing).black_wins  # type: ignore[union-attr]  # it is one
        for color in ("black", "white")
        for losing in (False, True)
    }
    expected = {("black", False): 0.8, ("black", True): 0.2, ("white", False): 0.2, ("white", True): 0.8}
    assert chances == pytest.approx(expected)
    thought = read_thought(line, 3, "black", losing=False)
    assert thought is not None
    assert [(each.vertex, each.visits, each.line) for each in thought.candidates] == [
        ("C3", 90, ("C3", "D4")),
        ("A1", 2, ("A1",)),
    ]


@pytest.mark.parametrize("line", ["", "play C3", "info", "info move C3 visits many winrate 0.5", "info pv"])
def test_what_is_no_report_is_no_thought(line: str) -> None:
    assert read_thought(line, 0, "black", losing=False) is None


def test_the_score_survives_many_writers_and_broken_files(tmp_path: Path) -> None:
    score = Score(tmp_path / "deep" / "score.json")
    assert score.read() == Tally(0, 0)
    threads = [threading.Thread(target=lambda n=n: score.add(lost=n % 2 == 0)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert score.read() == Tally(20, 10)
    assert sorted(file.name for file in (tmp_path / "deep").iterdir()) == ["score.json", "score.json.lock"]
    for text in ("", "{", '{"games": 1, "lost": 2}', "[]"):
        (tmp_path / "deep" / "score.json").write_text(text)
        assert score.read() == Tally(0, 0)


def test_the_score_lives_in_the_users_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert score_file() == tmp_path / "extremum" / "weakest.json"


def test_every_language_has_every_text_with_the_same_gaps() -> None:
    english = LANGUAGES["en"]
    for table in LANGUAGES.values():
        assert table.keys() == english.keys()
        for key in english:
            assert sorted(re.findall(r"\{\d\}", table[key])) == sorted(re.findall(r"\{\d\}", english[key])), key


def test_every_text_that_is_told_exists() -> None:
    told = set()
    for file in (ROOT / "frontends").rglob("*.py"):
        told |= set(re.findall(r'(?:tell|Notice|_check\([^\n]*,|texts|_texts)\(?\s*"([a-z_]+)"', file.read_text()))
    for file in (ROOT / "frontends" / "web" / "page").glob("*"):
        told |= set(re.findall(r'(?:data-text="|\btext\("|leave\(")([a-z_]+)"', file.read_text()))
    assert len(told) > 40
    assert told <= LANGUAGES["en"].keys()


def test_a_color_is_named_in_the_readers_language() -> None:
    assert Texts("zh_CN").notice(Notice("thinking", ("white",))) == "白方思考中……"
    assert Texts("en").notice(Notice("thinking", ("white",))) == "White is thinking …"


def test_the_language_is_the_locales() -> None:
    assert language_of({"LANG": "zh_CN.UTF-8"}) == "zh_CN"
    assert language_of({"LANG": "zh_CN.UTF-8", "LC_ALL": "de_DE"}) == "en"
    assert language_of({}) == "en"


def test_a_setup_comes_from_plain_values() -> None:
    text = json.dumps({"game": "othello", "size": 6, "white": {"is_engine": True, "level": 0, "brain": "auto"}})
    setup = read_setup(json.loads(text))
    assert setup == replace(Setup("othello", 6), white=Seat(is_engine=True, level=0))
    assert setup.against_weakest == "black"
