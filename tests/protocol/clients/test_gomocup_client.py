from __future__ import annotations

import sys
import time

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Color, Game
from extremum.protocol.clients.client import Pace
from extremum.protocol.clients.fault import FaultError, Kind
from extremum.protocol.clients.gomocup import GomocupClient


def soon() -> float:
    return time.monotonic() + 20


def moves_of(fault: str, count: int = 2, pause: float = 0.05, patience: float = 20.0) -> list[int]:
    """What such an engine answers as black from an opening of two stones, white moving up from the bottom."""
    command = [sys.executable, "-m", "tests.protocol.clients.faulty_gomocup", fault]
    client = GomocupClient(command, ["max_memory 1", "INFO thread_num 1"])
    try:
        opening = [(Color.BLACK, 0), (Color.WHITE, 24)]
        client.begin(make_game("gomoku", 5), opening, Pace(move=1), time.monotonic() + patience)
        moves = []
        for turn in range(count):
            moves.append(client.genmove(Color.BLACK, None, soon()))
            time.sleep(pause)  # a second answer is on its way
            client.play(Color.WHITE, 23 - turn, soon())
        return moves
    finally:
        client.close()


@pytest.mark.parametrize("fault", ["none", "talks", "polite"])
def test_a_good_engine_plays(fault: str) -> None:
    assert moves_of(fault) == [1, 2]


def test_an_engine_has_time_to_put_its_search_away() -> None:
    assert moves_of("slow-to-stop", count=12, pause=0.0) == list(range(1, 13))


@pytest.mark.parametrize(
    ("fault", "kind", "text"),
    [
        ("dies", Kind.START, "crash: ended with status 7, saying 'no such weights'"),
        ("banner", Kind.GARBAGE, "'Faulty 1.0'"),
        ("refuses", Kind.REFUSAL, "'ERROR too small'"),
        ("twice", Kind.GARBAGE, "'1,0' before 'INFO time_left"),
        ("off-board", Kind.ILLEGAL, "99,99 is off the board"),
        ("error", Kind.REFUSAL, "'ERROR no idea'"),
        ("babbles", Kind.GARBAGE, "'hello'"),
    ],
)
def test_a_fault_is_named(fault: str, kind: Kind, text: str) -> None:
    with pytest.raises(FaultError) as caught:
        moves_of(fault)
    assert caught.value.kind is kind
    assert caught.value.text.startswith(text)


def test_an_engine_that_never_answers_does_not_start() -> None:
    with pytest.raises(FaultError, match="does not start: time-out: no answer"):
        moves_of("silent", patience=0.5)


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (make_game("othello"), "the Gomocup protocol has no othello"),
        (make_game("gomoku", 9, None, 4), "the Gomocup protocol has no 4 in a row"),
    ],
)
def test_what_the_protocol_does_not_have_is_not_played(game: Game, complaint: str) -> None:
    client = GomocupClient([sys.executable, "-m", "tests.protocol.clients.faulty_gomocup", "none"], ())
    try:
        with pytest.raises(FaultError, match=f"does not start: {complaint}"):
            client.begin(game, [], Pace(), soon())
    finally:
        client.close()
