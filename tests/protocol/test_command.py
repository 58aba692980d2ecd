from __future__ import annotations

import logging

import pytest

from extremum.engine.errors import EngineError, IllegalMoveError
from extremum.engine.games.game import Color
from extremum.engine.session import Session
from extremum.protocol.command import LONGEST_REFUSAL, Answer, CommandTable, Exchange
from extremum.protocol.notation import Vertex
from tests.doubles import FakeWaiting

TABLE = CommandTable()


@TABLE.command("add", "plus")
def add(first: int, second: float = 0.5, *more: int) -> str:
    """Add numbers."""
    return str(first + second + sum(more))


@TABLE.command("where")
def where(session: Session, color: Color, move: Vertex, remark: str | None = None) -> str:
    """Say a move back."""
    return f"{session.game.name} {color.name} {move} {remark}"


@TABLE.command("fail")
def fail(how: str) -> None:
    """Fail in some way."""
    match how:
        case "illegal":
            raise IllegalMoveError(0, "is occupied")
        case "refused":
            raise EngineError("no\nsuch\n\nthing")
        case "long":
            raise EngineError("x" * 10_000)
    raise ZeroDivisionError


def answer(line: str) -> Answer:
    return TABLE.answer(line.split(), Session(), Exchange(FakeWaiting(), lambda text: None))


def test_a_signature_is_a_grammar() -> None:
    assert TABLE["add"].usage == "add FIRST [SECOND] [MORE...]"
    assert TABLE["where"].usage == "where COLOR MOVE [REMARK]"
    assert TABLE["add"].help == "Add numbers."


def test_arguments_are_read_by_their_kind() -> None:
    assert answer("add 1") == Answer(True, "1.5")
    assert answer("plus 1 2 3 4") == Answer(True, "10.0")
    assert answer("where w A15") == Answer(True, "gomoku WHITE 0 None")
    assert answer("where w pass x") == Answer(True, "gomoku WHITE None x")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("add", "usage: add FIRST [SECOND] [MORE...]"),
        ("add x", "syntax error: 'x' is not an integer"),
        ("add 1.5", "syntax error: '1.5' is not an integer"),
        ("add ١", "syntax error: '١' is not an integer"),
        ("add 1_0", "syntax error: '1_0' is not an integer"),
        ("add 1 inf", "syntax error: 'inf' is not a number"),
        ("add 1 1e999", "syntax error: '1e999' is not a number"),
        ("add 1 2 x", "syntax error: 'x' is not an integer"),
        ("where x H8", "invalid color 'x'"),
        ("where b H8 one two", "usage: where COLOR MOVE [REMARK]"),
        ("subtract 1", "unknown command"),
        ("fail illegal", "illegal move: A15 is occupied"),
        ("fail refused", "no such thing"),
    ],
)
def test_a_refusal_is_one_line(line: str, text: str) -> None:
    assert answer(line) == Answer(False, text)


def test_a_long_refusal_is_cut() -> None:
    assert len(answer("fail long").text) == LONGEST_REFUSAL + 3


def test_a_bug_is_logged_and_answered(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert answer("fail otherwise") == Answer(False, "internal error")
    assert "ZeroDivisionError" in caplog.text
