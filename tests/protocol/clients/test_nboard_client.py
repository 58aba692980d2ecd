from __future__ import annotations

import sys
import time

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Color
from extremum.protocol.clients.client import Pace
from extremum.protocol.clients.fault import FaultError, Kind
from extremum.protocol.clients.nboard import NBoardClient
from extremum.protocol.clients.process import kill_group

OTHELLO = make_game("othello")


def soon(seconds: float = 20.0) -> float:
    return time.monotonic() + seconds


def moves_of(fault: str, seconds: float = 20.0, count: int = 2) -> list[int]:
    """What such an engine answers with both colors after a first move."""
    command = [sys.executable, "-m", "tests.protocol.clients.faulty_nboard", fault]
    client = NBoardClient(command, ["set depth 2"])
    try:
        client.greet(soon(seconds))
        client.begin(OTHELLO, [(Color.BLACK, 19)], Pace(move=1), soon())
        return [client.genmove(color, None, soon()) for color in (Color.WHITE, Color.BLACK)[:count]]
    finally:
        client.close(0.5)


@pytest.mark.parametrize("fault", ["none", "spaces"])
def test_a_good_engine_plays(fault: str) -> None:
    position = OTHELLO.start().play(19)
    expected = [position.legal_moves()[0]]
    expected.append(position.play(expected[0]).legal_moves()[0])
    assert moves_of(fault) == expected


@pytest.mark.parametrize(
    ("fault", "kind", "text"),
    [("nonsense", Kind.ILLEGAL, "'xyzzy' is no move"), ("twice", Kind.GARBAGE, "'=== C3/1.5/0.01' answers no command")],
)
def test_a_fault_is_named(fault: str, kind: Kind, text: str) -> None:
    with pytest.raises(FaultError) as caught:
        moves_of(fault)
    assert (caught.value.kind, caught.value.text) == (kind, text)


def test_an_illegal_move_is_for_the_referee_to_see() -> None:
    assert moves_of("illegal", count=1) == [0]


def test_an_engine_that_never_answers_does_not_start() -> None:
    with pytest.raises(FaultError, match="does not start: time-out: no answer"):
        moves_of("silent", 0.5)


@pytest.mark.parametrize(
    ("pace", "left", "told"),
    [
        (Pace(), None, "1440:00"),
        (Pace(move=1), None, "00:04"),
        (Pace(move=0.1), None, "00:00.40"),
        (Pace(move=30), None, "02:00"),
        (Pace(main=100), 75.9, "01:15"),
        (Pace(main=100), 0.25, "00:00.25"),
        (Pace(move=1, main=100), 75.9, "00:04"),
        (Pace(move=1, main=100), 2.9, "00:02"),
    ],
)
def test_a_clock_is_told_in_which_a_quarter_is_in_time(pace: Pace, left: float | None, told: str) -> None:
    command = [sys.executable, "-m", "tests.protocol.clients.faulty_nboard", "tells-clock"]
    client = NBoardClient(command, ())
    try:
        client.greet(soon())
        client.begin(OTHELLO, [], pace, soon())
        with pytest.raises(FaultError, match=f"'{told.replace(':', '_').replace('.', '_')}' is no move"):
            client.genmove(Color.BLACK, left, soon())
    finally:
        client.close(0.5)


def test_an_engine_that_has_not_answered_yet_can_be_ended() -> None:
    client = NBoardClient([sys.executable, "-m", "tests.protocol.clients.faulty_nboard", "silent"], ())
    kill_group(client.pid)
    with pytest.raises(FaultError, match="does not start: crash: killed by SIGKILL"):
        client.greet(soon())
    client.close(0.0)


def test_gomoku_is_not_played() -> None:
    client = NBoardClient([sys.executable, "-m", "tests.protocol.clients.faulty_nboard", "none"], ())
    try:
        with pytest.raises(FaultError, match="the NBoard protocol has no gomoku 15x15"):
            client.begin(make_game("gomoku"), [], Pace(), soon())
    finally:
        client.close()
