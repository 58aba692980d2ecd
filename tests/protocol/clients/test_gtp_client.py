from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Color
from extremum.protocol.clients.client import RESIGNATION, Pace
from extremum.protocol.clients.fault import FaultError, Kind
from extremum.protocol.clients.gtp import GtpClient
from extremum.protocol.clients.process import kill_group

GAME = make_game("gomoku", 9)
OPENING = [(Color.BLACK, 40), (Color.WHITE, 41)]


def soon(seconds: float = 20.0) -> float:
    return time.monotonic() + seconds


@contextmanager
def engine(fault: str, *setup: str, lenient: bool = False) -> Iterator[GtpClient]:
    command = [sys.executable, "-m", "tests.protocol.clients.faulty", fault]
    client = GtpClient(command, setup, lenient=lenient)
    try:
        client.greet(soon())
        client.begin(GAME, OPENING, Pace(), soon())
        yield client
    finally:
        client.close(0.1)


def fault_of(fault: str, seconds: float = 20.0) -> FaultError:
    """What two moves of such an engine end with."""
    with pytest.raises(FaultError) as caught:
        _play_two(fault, seconds)
    return caught.value


def _play_two(fault: str, seconds: float) -> None:
    with engine(fault) as client:
        for color in Color:
            client.genmove(color, None, soon(seconds))
            time.sleep(0.05)  # a second answer is on its way


def test_a_good_engine_plays() -> None:
    with engine("none") as client:
        move = client.genmove(Color.BLACK, None, soon())
        assert move in make_game("gomoku", 9).start().legal_moves()
        assert client.result(soon()) == "?"


@pytest.mark.parametrize(
    ("fault", "kind", "text"),
    [
        ("dies", Kind.START, "crash: ended with status 7, saying 'no such weights'"),
        ("banner", Kind.GARBAGE, "'Welcome to Faulty 1.0!'"),
        ("crashes", Kind.CRASH, "ended with status 3, saying 'out of luck'"),
        ("off-board", Kind.ILLEGAL, "'Z99' is no move"),
        ("passes", Kind.ILLEGAL, "pass before the end of the game"),
        ("refuses", Kind.REFUSAL, "'I do not like it' to 'play black E5'"),
        ("answers-twice", Kind.GARBAGE, "'=10"),
        ("babbles", Kind.GARBAGE, "'thinking...' in answer to 'genmove black'"),
    ],
)
def test_a_fault_is_named(fault: str, kind: Kind, text: str) -> None:
    found = fault_of(fault)
    assert found.kind is kind
    assert found.text.startswith(text)


def test_an_engine_that_never_answers_is_given_up_in_time() -> None:
    begun = time.monotonic()
    client = GtpClient([sys.executable, "-m", "tests.protocol.clients.faulty", "silent"], ())
    with pytest.raises(FaultError, match="does not start: time-out: no answer"):
        client.greet(soon(1.0))
    client.close(0.0)
    assert time.monotonic() - begun < 3.0


def test_an_engine_that_has_not_answered_yet_can_be_ended() -> None:
    client = GtpClient([sys.executable, "-m", "tests.protocol.clients.faulty", "silent"], ())
    kill_group(client.pid)
    with pytest.raises(FaultError, match="does not start: crash: killed by SIGKILL"):
        client.greet(soon())
    client.close(0.0)


def test_an_answer_without_an_end_is_given_up_before_it_fills_the_memory() -> None:
    begun = time.monotonic()
    found = fault_of("floods")
    assert (found.kind, found.text) == (Kind.GARBAGE, "an answer without an end")
    assert time.monotonic() - begun < 15.0  # the time for the move is twenty


def test_control_characters_of_an_engine_do_not_reach_the_terminal() -> None:
    found = fault_of("paints")
    assert found.text == r"'\x1b[31mred\x07' is no move"
    assert str(found) == rf"illegal move: {found.text}"


def test_a_move_that_does_not_come_is_a_time_out() -> None:
    assert fault_of("hangs", 0.3).kind is Kind.TIME


def test_a_program_that_is_not_there_does_not_start() -> None:
    with pytest.raises(FaultError, match="does not start: /no/such/engine: No such file or directory"):
        GtpClient(["/no/such/engine"], ())


def test_a_lenient_client_passes_over_what_is_no_answer() -> None:
    for fault in ("banner", "babbles"):
        with engine(fault, lenient=True) as client:
            assert client.genmove(Color.BLACK, None, soon()) >= 0


def test_a_resignation_is_no_fault() -> None:
    with engine("resigns") as client:
        assert client.genmove(Color.BLACK, None, soon()) == RESIGNATION


def test_setup_commands_are_sent_and_must_be_accepted() -> None:
    with engine("none", "set_game gomoku") as client:
        assert client.genmove(Color.BLACK, None, soon()) >= 0


KATA, PLAIN = ["time_settings", "time_left", "kata-time_settings"], ["time_settings", "time_left"]


@pytest.mark.parametrize(
    ("commands", "pace", "told", "remark"),
    [
        (KATA, Pace(move=0.1), ["time_settings 0 0.1 1"], None),
        (PLAIN, Pace(move=2.0), ["time_settings 0 2 1"], None),
        (
            PLAIN,
            Pace(move=0.1),
            ["time_settings 0 1 1"],
            "without kata-time_settings it reads whole seconds: it is told 1 s a move, not 0.1",
        ),
        ([], Pace(move=2.0), ["time_settings 0 2 1"], "it has no time_settings and is told of no clock"),
        (KATA, Pace(main=0.5), ["kata-time_settings absolute 0.5", "time_left black 7.50 0"], None),
        (KATA, Pace(main=9, increment=0.5), ["kata-time_settings fischer 9 0.5", "time_left black 7.50 0"], None),
        (
            PLAIN,
            Pace(main=9, increment=0.5),
            ["time_settings 9 0 0", "time_left black 7 0"],
            "without kata-time_settings it is told of no increment",
        ),
        (
            KATA,
            Pace(move=0.3, main=9),
            ["kata-time_settings fischer-capped 9 0 -1 0.3", "time_left black 7.50 0"],
            None,
        ),
        (KATA, Pace(), [], None),
    ],
)
def test_the_clock_is_told_as_the_engine_reads_it(
    commands: list[str], pace: Pace, told: list[str], remark: str | None, tmp_path: Path
) -> None:
    with recording(tmp_path / "heard", commands) as client:
        assert client.remark(pace) == remark
        client.begin(GAME, [], pace, soon())
        client.genmove(Color.BLACK, 7.5 if pace.main else None, soon())
    assert [line for line in (tmp_path / "heard").read_text().splitlines() if "time" in line] == told


def test_two_clocks_at_once_cannot_be_told_without_katagos_command(tmp_path: Path) -> None:
    complaint = "does not start: it has no kata-time_settings to tell it of --movetime and --time at once"
    with recording(tmp_path / "heard", PLAIN) as client, pytest.raises(FaultError, match=complaint):
        client.begin(GAME, [], Pace(move=1, main=10), soon())


@contextmanager
def recording(file: Path, commands: list[str]) -> Iterator[GtpClient]:
    command = [sys.executable, "-m", "tests.protocol.clients.recording", str(file), *commands]
    client = GtpClient(command, ())
    try:
        client.greet(soon())
        yield client
    finally:
        client.close(0.5)
