from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extremum.engine.session import Session
from extremum.protocol.commands import COMMANDS
from extremum.protocol.connection import Urgency
from extremum.protocol.gtp import Gtp, read, without_gaps
from extremum.protocol.stream import LONGEST
from tests.doubles import FakeWaiting, RecordingSend, ScriptedBrain, SessionWith

# One answer: a sign, the id, a blank, lines that are not empty, and the empty line.
ANSWER = re.compile(rb"[=?][0-9]* [^\n]*\n([^\n]+\n)*\n")
STREAMED = re.compile(rb"=[0-9]*\n([^\n]+\n)*\n")
SAFE = [command.name for command in COMMANDS if command.name not in ("loadsgf", "printsgf")]
WORDS = [*SAFE, "b", "W", "H8", "I9", "u20", "pass", "6", "-1", "1e9", "othello", "renju", "random", "#", "\t", "7"]


def told(line: bytes, gtp: Gtp | None = None) -> bytes:
    send = RecordingSend()
    (gtp or Gtp(Session())).handle(line, send, FakeWaiting(message=True))
    return b"".join(send.messages)


def check_survival(line: bytes) -> None:
    gtp = Gtp(SessionWith(ScriptedBrain()))
    reply = told(line, gtp)
    assert b"internal error" not in reply
    if read(line)[1]:
        assert ANSWER.fullmatch(reply) or STREAMED.fullmatch(reply), reply
    else:
        assert reply == b""
    assert told(b"1 name", gtp) == b"=1 Extremum\n\n"


@given(st.binary(max_size=60).filter(lambda line: b"\n" not in line and b"sgf" not in line))
def test_any_bytes_have_at_most_one_answer(line: bytes) -> None:
    check_survival(line)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join))
def test_any_words_have_one_answer(line: str) -> None:
    check_survival(line.encode())


@given(st.binary(max_size=40).filter(lambda rest: b"\n" not in rest))
def test_a_file_name_may_be_anything(rest: bytes) -> None:
    check_survival(b"loadsgf no_such_folder/" + rest)


def test_an_empty_answer_has_the_blank_and_the_empty_line() -> None:
    assert told(b"clear_board") == b"= \n\n"
    assert told(b"7 clear_board") == b"=7 \n\n"


@pytest.mark.parametrize(
    ("line", "identity", "words"),
    [
        (b"play b h8\r", "", ["play", "b", "h8"]),
        (b"\t 12\tplay  b\th8 # remark", "12", ["play", "b", "h8"]),
        (b"9name", "9", ["name"]),
        (b"na\0me\x7f\x1b", "", ["name"]),
        (b"# name", "", []),
        (b"7", "7", []),
        (b"7 # name", "7", []),
        (b"99999999999999999999999 name", "99999999999999999999999", ["name"]),
        (b"\xff\xfe", "", ["\udcff\udcfe"]),
    ],
)
def test_a_line_is_cleaned_up_as_the_specification_says(line: bytes, identity: str, words: list[str]) -> None:
    assert read(line) == (identity, words)


def test_what_is_not_utf8_comes_back_as_question_marks() -> None:
    assert told(b"set_brain \xff\xfe").startswith(b"? unknown brain '??': one of ")
    assert told(b"set_brain \xc3\xa9").startswith(b"? unknown brain '\xc3\xa9': one of ")


def test_a_line_of_64_kib_is_read_and_a_longer_one_refused() -> None:
    assert told(b"3 name" + b" " * (LONGEST - 6)) == b"=3 Extremum\n\n"
    assert told(b"3 name" + b" " * (LONGEST - 5)) == b"?3 line too long: more than 65536 bytes\n\n"


def test_a_long_line_is_refused_also_when_its_command_was_cut_off() -> None:
    digits = b"9" * (LONGEST + 1)
    assert told(digits) == b"?" + digits + b" line too long: more than 65536 bytes\n\n"
    assert told(b"#" + b" " * LONGEST) == b""


def test_no_answer_has_an_empty_line_inside() -> None:
    assert without_gaps("a\n\n\nb\n\n") == "a\n \n \nb"


@pytest.mark.parametrize(
    ("line", "urgency"),
    [
        (b"# interrupt", Urgency.INTERRUPT),
        (b"# interrupt\r", Urgency.INTERRUPT),
        (b"# interrupted", Urgency.NONE),
        (b"stop", Urgency.STOP),
        (b"12 stop # now", Urgency.STOP),
        (b"quit", Urgency.QUIT),
        (b"\t3\tquit now", Urgency.QUIT),
        (b"known_command quit", Urgency.NONE),
        (b"# quit", Urgency.NONE),
        (b"name", Urgency.NONE),
        (b"", Urgency.NONE),
    ],
)
def test_what_ends_a_search_is_seen_before_its_turn(line: bytes, urgency: Urgency) -> None:
    assert Gtp(Session()).urgency(line) is urgency


def test_quit_closes_after_its_answer() -> None:
    gtp = Gtp(Session())
    assert told(b"4 quit", gtp) == b"=4 \n\n"
    assert gtp.closed


@pytest.mark.parametrize(
    "line", ["boardsize 21", "play b Z9", "gogui-play_sequence b A1 w A1", "set_game chess", "undo"]
)
def test_a_refused_command_leaves_the_session_as_it_was(line: str) -> None:
    session = Session()
    before = session.position
    assert told(line.encode(), Gtp(session)).startswith(b"?")
    assert session.position is before
    assert not session.moves
