from __future__ import annotations

import re
import time
from typing import Any

import pytest

from extremum.engine.errors import UsageError
from extremum.engine.games.game import Color, Position
from extremum.engine.options import Options
from extremum.engine.search.analysis import Analysis, Candidate, Choice, Reporter, ignore
from extremum.engine.search.stopper import Stopper
from extremum.engine.session import Session
from extremum.protocol.commands.analysis import Request, read_request
from extremum.protocol.gtp import Gtp
from tests.doubles import FakeWaiting, RecordingSend, ScriptedBrain, SessionWith, ThinkingBrain


class Hasty:
    """Has seen no move but the best."""

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        moves = position.legal_moves()
        candidates = [Candidate(move, 0, 0.0, 0.1, -1.0, (move,)) for move in moves[1:5]]
        best = Candidate(moves[0], 1, 0.0, 0.1, -1.0, (moves[0],))
        return Choice(moves[0], Analysis((best, *candidates), 1, 0.0, 1))


class Knowing:
    """Knows what most of its moves lead to; half of its visits are from a search before."""

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        known = ((1, 5), (0, 220), (None, None), (-1, 4), (1, None))
        candidates = tuple(
            Candidate(move, 1, float(proven or 0), 0.25, float(proven or 0), (move, move + 1), proven, distance)
            for move, (proven, distance) in enumerate(known)
        )
        return Choice(0, Analysis(candidates, visits=5000, seconds=2.0, depth=5, inherited=2500))


class LaterWaiting:
    """A message comes after some time."""

    def __init__(self, seconds: float) -> None:
        self._due = time.monotonic() + seconds

    def interrupted(self) -> bool:
        return False

    def has_message(self) -> bool:
        return time.monotonic() >= self._due


def told(line: str, session: Session, **waiting: Any) -> RecordingSend:
    send = RecordingSend()
    Gtp(session).handle(line.encode(), send, FakeWaiting(**waiting))
    return send


def test_leela_zeros_numbers_are_whole() -> None:
    send = told("lz-analyze b 10", SessionWith(ScriptedBrain([0])), message=True)
    assert send.messages[0] == b"=\n"
    first = "info move A15 visits 1 winrate 7500 prior 2500 lcb 7000 nps 1000 order 0 pv A15 B15"
    assert send.text.startswith(f"=\n{first} info move B15 ")
    assert send.text.endswith(" order 2 pv C15 B15\n\n")


def test_katagos_numbers_are_fractions() -> None:
    text = told("3 kata-analyze", SessionWith(ScriptedBrain([0])), message=True).text
    numbers = "utility 0.500000 utilityLcb 0.400000 winrate 0.750000 prior 0.250000 lcb 0.700000 nps 1000"
    assert text.startswith(f"=3\ninfo move A15 visits 1 {numbers} order 0 pv A15 B15 info")


@pytest.mark.parametrize("command", ["lz-analyze b 10", "kata-analyze b 10", "kata-genmove_analyze b 10"])
def test_a_proven_result_is_told_with_its_length_in_pairs_of_words(command: str) -> None:
    text = told(command, SessionWith(Knowing()), message=True).text
    entries = [read_entry(entry) for entry in text.split("\n")[1].split("info ")[1:]]
    assert [(each.get("proven"), each.get("distance")) for each in entries] == [
        ("win", "5"),
        ("draw", "220"),
        (None, None),
        ("loss", "4"),
        ("win", None),  # nobody counted its plies
    ]
    assert [each["nps"] for each in entries] == ["1250"] * 5  # without what searches before it made
    assert entries[0]["pv"] == "A15 B15"


@pytest.mark.parametrize("brain", ["alphabeta", "mcts", "minimax", "rollout"])
def test_every_searching_brain_announces_its_proofs(brain: str) -> None:
    session = Session(Options(memory=16, visits=2000, evaluator="patterns", seed=1))
    session.set_brain(brain)
    session.set_size(9)
    black, white = (range(29, 33), (54, 57, 59, 62))  # four in a row, with both ends open
    session.setup(black, white)
    first = read_entry(told("lz-analyze b", session, message=True).text.split("info ")[1])
    assert (first["proven"], first["distance"]) == ("win", "1")
    assert int(first["nps"]) >= 0


def read_entry(text: str) -> dict[str, str]:
    """The keys of an entry with their values, as Sabaki has it: pairs of words, and the line of play at the end."""
    keys, line = text.strip().split(" pv ")
    words = keys.split()
    return {**dict(zip(words[::2], words[1::2], strict=True)), "pv": line}


def test_the_moves_of_a_report_can_be_limited() -> None:
    text = told("lz-analyze b 10 maxmoves 1", SessionWith(ScriptedBrain()), message=True).text
    assert text.count("info move") == 1


def test_moves_without_visits_are_left_out_unless_more_are_wanted() -> None:
    session = SessionWith(Hasty())
    assert told("lz-analyze b 10", session, message=True).text.count("info move") == 1
    assert told("lz-analyze b 10 minmoves 3", session, message=True).text.count("info move") == 3


def test_reports_come_at_their_interval() -> None:
    session = SessionWith(ThinkingBrain())
    send = RecordingSend()
    Gtp(session).handle(b"lz-analyze b 2", send, LaterWaiting(seconds=0.2))
    assert 3 <= send.text.count("order 0") <= 10
    assert not session.moves


def test_an_analysis_stays_open_when_nothing_is_left_to_search() -> None:
    send, waiting = RecordingSend(), LaterWaiting(seconds=0.2)
    Gtp(SessionWith(ScriptedBrain([0]))).handle(b"lz-analyze b 1", send, waiting)
    assert waiting.has_message()
    assert send.text.count("order 0") == 1


def test_a_move_is_generated_with_reports_and_named_at_the_end() -> None:
    session = SessionWith(ScriptedBrain([17]))
    text = told("2 lz-genmove_analyze w 10", session).text
    assert re.fullmatch(r"=2\ninfo move C14 [^\n]+\nplay C14\n\n", text)
    assert session.moves[0].move == 17


def test_after_the_end_there_is_nothing_to_report() -> None:
    session = SessionWith(ScriptedBrain())
    session.set_size(3)
    session.play_sequence([(Color.BLACK, move) for move in range(3)])
    assert told("lz-analyze", session, message=True).text == "=\n\n"
    assert told("kata-genmove_analyze w 10", session).text == "=\nplay pass\n\n"


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ("", Request(Color.BLACK)),
        ("w", Request(Color.WHITE)),
        ("10", Request(Color.BLACK, 10)),
        ("White 10.5", Request(Color.WHITE, 10.5)),
        ("W interval 10 maxmoves 3 minmoves 2", Request(Color.WHITE, 10, 2, 3)),
        ("b 0", Request(Color.BLACK, 1)),
    ],
)
def test_a_request_is_read(words: str, request_: Request) -> None:
    assert read_request(words.split(), Session()) == request_


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("purple", "syntax error: 'purple' has no value"),
        ("purple 10", "unknown key 'purple': one of interval, minmoves, maxmoves"),
        ("b 10 maxmoves", "syntax error: 'maxmoves' has no value"),
        ("b 10 maxmoves x", "syntax error: 'x' is not an integer"),
        ("b 10x", "syntax error: '10x' is not a number"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused_before_anything_is_streamed(words: str, reason: str) -> None:
    with pytest.raises(UsageError, match=f"^{reason}$"):
        read_request(words.split(), Session())
    assert told(f"1 lz-analyze {words}", SessionWith(ScriptedBrain())).text == f"?1 {reason}\n\n"
