from __future__ import annotations

from typing import Any

import pytest

from extremum.engine.games.game import Color
from extremum.engine.session import Session
from extremum.protocol.command import COMMANDS, Exchange
from extremum.protocol.reply import Reply, Told, text_of, value_of, words
from tests.doubles import FakeWaiting, ScriptedBrain, SessionWith


def value(line: str, session: Session | None = None) -> Any:
    answer = COMMANDS.answer(line.split(), session or Session(), Exchange(FakeWaiting(message=True), lambda told: None))
    assert answer.accepted, answer.text
    return answer.value


@pytest.mark.parametrize(
    ("reply", "text", "data"),
    [
        (None, "", None),
        ("a b", "a b", "a b"),
        (True, "true", True),
        (3, "3", 3),
        (["a", "b"], "a\nb", ["a", "b"]),
        (words(["a", "b"]), "a b", ["a", "b"]),
        (Told("B+1", 1), "B+1", 1),
    ],
)
def test_a_reply_has_two_forms(reply: Reply, text: str, data: object) -> None:
    assert text_of(reply) == text
    assert value_of(reply) == data


def test_data_need_not_be_read_from_text() -> None:
    assert value("protocol_version") == 2
    assert value("known_command play") is True
    assert value("gogui-rules_board_size") == 15
    assert "play" in value("list_commands")
    assert value("get_option movetime") == 1.0
    assert value("list_options")["ponder"] is False
    assert value("gogui-rules_legal_moves")[:2] == ["A15", "B15"]
    assert value("status")["sessions"] == 1
    assert value("komi 6.5") is None


def test_a_board_is_told_with_its_moves_and_its_result() -> None:
    session = Session()
    session.set_size(3)
    session.play_sequence([(Color.BLACK, 0), (Color.WHITE, 3), (Color.BLACK, 1), (Color.WHITE, 4), (Color.BLACK, 2)])
    board = value("showboard", session)
    assert board["rows"] == ["XXX", "OO.", "..."]
    assert board["moves"][0] == ["black", "A3"]
    assert board["outcome"] == {"winner": "black", "margin": 1, "result": "B+1"} == value("final_score", session)


def test_an_analysis_ends_with_its_last_record() -> None:
    record = value("lz-analyze b 10 maxmoves 1", SessionWith(ScriptedBrain([0])))
    assert (record["visits"], record["depth"], record["nps"]) == (1, 1, 1000)
    best = record["candidates"][0]
    assert best == {
        "move": "A15",
        "visits": 1,
        "value": 0.5,
        "winrate": 0.75,
        "prior": 0.25,
        "lcb": 0.4,
        "proven": None,
        "distance": None,
        "pv": ["A15", "B15"],
    }
