from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from extremum.engine.games import make_game
from extremum.engine.games.game import Color, Game, Move
from extremum.frontends.match.referee import Account, Referee, Terms, is_true
from extremum.protocol.clients.client import Client, Pace
from extremum.protocol.clients.fault import FaultError, Kind
from extremum.protocol.clients.gtp import GtpClient

GAME = make_game("gomoku", 9)


class Scripted:
    """Plays given moves, and claims a given result."""

    def __init__(self, moves: list[Move], claim: str | None = None) -> None:
        self.told: list[tuple[Color, Move]] = []
        self._moves = iter(moves)
        self._claim = claim

    def begin(self, game: Game, moves: list[tuple[Color, Move]], pace: Pace, deadline: float) -> None:
        self.told += moves

    def genmove(self, color: Color, left: float | None, deadline: float) -> Move:
        return next(self._moves)

    def play(self, color: Color, move: Move, deadline: float) -> None:
        self.told.append((color, move))

    def result(self, deadline: float) -> str | None:
        return self._claim

    def close(self, grace: float = 2.0) -> None:
        """There is nothing to end."""


def terms(game: Game = GAME, pace: Pace | None = None, misere: bool = False) -> Terms:
    return Terms(game, pace or Pace(), margin=0.1, patience=20.0, misere=misere)


def played(black: Client, white: Client, rules: Terms | None = None, opening: list[Move] | None = None) -> Account:
    makers: dict[Color, Callable[[], Client]] = {Color.BLACK: lambda: black, Color.WHITE: lambda: white}
    return Referee(rules or terms(), makers).play(opening or [])


@contextmanager
def against(fault: str, pace: Pace | None = None) -> Iterator[Account]:
    """A game of a faulty engine in a process with black against scripted moves."""
    clients: list[GtpClient] = []

    def start() -> Client:
        command = [sys.executable, "-m", "tests.protocol.clients.faulty", fault]
        clients.append(GtpClient(command, ()))
        clients[0].greet(time.monotonic() + 20)
        return clients[0]

    white = Scripted(list(range(9, 81)))
    try:
        yield Referee(terms(pace=pace), {Color.BLACK: start, Color.WHITE: lambda: white}).play([40, 41])
    finally:
        for client in clients:
            client.close(0.1)


@pytest.mark.parametrize(
    ("fault", "reason", "text", "result"),
    [
        ("dies", "does not start", "crash: ended with status 7, saying 'no such weights'", "W+F"),
        ("banner", "garbage", "'Welcome to Faulty 1.0!' ", "W+F"),
        ("crashes", "crash", "ended with status 3, saying 'out of luck'", "W+F"),
        ("off-board", "illegal move", "'Z99' is no move", "W+F"),
        ("occupied", "illegal move", "F5 is occupied", "W+F"),
        ("passes", "illegal move", "pass before the end of the game", "W+F"),
        ("refuses", "refusal", "'I do not like it' to 'play black E5'", "W+F"),
        ("babbles", "garbage", "'thinking...' in answer to 'genmove black'", "W+F"),
        ("resigns", "resignation", "at ply 2", "W+R"),
    ],
)
def test_the_faulty_engine_forfeits(fault: str, reason: str, text: str, result: str) -> None:
    with against(fault) as account:
        assert (account.reason, account.result, account.score) == (reason, result, 0.0)
        assert account.text.startswith(text)
        assert account.culprit is Color.BLACK
        assert (Color.BLACK in account.broken) == (reason != "resignation")


def test_a_late_move_loses_and_the_margin_is_stated() -> None:
    with against("slow", Pace(move=0.2)) as account:
        assert (account.reason, account.result) == ("time-out", "W+T")
        assert account.text == "no move within 0.2 s and a margin of 0.1 s"


def test_a_move_within_the_margin_is_accepted() -> None:
    with against("slow", Pace(move=0.55)) as account:
        assert account.seconds[2] is not None
        assert account.reason == "board"
        assert account.seconds[2] >= 0.6


def test_time_of_the_whole_game_runs_out() -> None:
    with against("slow", Pace(main=1.5)) as account:
        assert (account.reason, account.result) == ("time-out", "W+T")
        assert account.moves[2:] != []


def test_a_false_claim_is_recorded_and_changes_nothing() -> None:
    row = played(Scripted([0, 1, 2, 3, 4], "W+1"), Scripted([9, 10, 11, 12], "B+1"))
    assert (row.result, row.score, row.reason) == ("B+1", 1.0, "board")
    assert row.claims == {Color.BLACK: "W+1"}


def test_a_false_claim_is_printable_and_short() -> None:
    row = played(Scripted([0, 1, 2, 3, 4], "\x1b[31m" + "W" * 100), Scripted([9, 10, 11, 12]))
    assert row.claims == {Color.BLACK: r"\x1b[31m" + "W" * 75}


class Failing(Scripted):
    """Says nothing more once the game is over."""

    def result(self, deadline: float) -> str | None:
        raise FaultError(Kind.CRASH, "ended with status 3")


def test_a_fault_after_the_end_is_kept_and_changes_nothing() -> None:
    row = played(Failing([0, 1, 2, 3, 4]), Scripted([9, 10, 11, 12]))
    assert (row.result, row.score, row.reason, row.culprit) == ("B+1", 1.0, "board", None)
    assert row.late == {Color.BLACK: "crash: ended with status 3"}
    assert row.broken == {Color.BLACK}


def test_a_claim_of_discs_is_compared_and_empty_squares_may_be_nobodys() -> None:
    othello = make_game("othello")
    black, white = 0b111 << 3, 0b1
    end = othello.setup(black, white, Color.BLACK)
    told = ("B+62", "b+2", " B+62.0", "B+12", "W+62", "0", "B+R", "?")
    assert [is_true(claim, end) for claim in told] == [True, True, True, False, False, False, False, False]
    even = othello.setup(0b11, 0b11 << 6, Color.BLACK)
    assert [is_true(claim, even) for claim in ("0", "Draw", "B+1")] == [True, True, False]


def test_only_engines_elsewhere_are_waited_for_in_vain() -> None:
    makers: dict[Color, Callable[[], Client]] = {
        Color.BLACK: lambda: Scripted([0, 1, 2, 3, 4]),
        Color.WHITE: lambda: Scripted([9, 10, 11, 12]),
    }
    hasty = Terms(GAME, Pace(), margin=0.0, patience=-1.0, misere=False)  # no answer is quick enough
    assert Referee(hasty, makers).play([]).reason == "time-out"
    assert Referee(hasty, makers, here=list(Color)).play([]).reason == "board"


def test_the_loser_on_the_board_has_the_point_in_a_misere_match() -> None:
    row = played(Scripted([0, 1, 2, 3, 4]), Scripted([9, 10, 11, 12]), terms(misere=True))
    assert (row.result, row.score) == ("B+1", 0.0)


def test_a_fault_costs_the_point_also_in_a_misere_match() -> None:
    account = played(Scripted([0, 0]), Scripted([9, 10]), terms(misere=True))
    assert (account.result, account.score, account.text) == ("W+F", 0.0, "A9 is occupied")


def test_a_bug_of_ours_is_a_crash_of_the_side_that_was_to_move() -> None:
    makers: dict[Color, Callable[[], Client]] = {
        Color.BLACK: lambda: Scripted([0, 1, 2]),
        Color.WHITE: lambda: Scripted([9]),
    }
    referee = Referee(terms(), makers)
    with pytest.raises(StopIteration):
        referee.play([])
    account = referee.abandon("StopIteration()")
    assert (account.reason, account.culprit, account.result) == ("crash", Color.WHITE, "B+F")
    assert account.moves == [0, 9, 1]


def test_a_full_board_is_a_draw() -> None:
    small = make_game("gomoku", 3)
    account = played(Scripted([0, 2, 3, 7, 8]), Scripted([1, 4, 5, 6]), terms(small))
    assert (account.result, account.score) == ("0", 0.5)


def test_a_forced_pass_is_played_by_the_referee_and_told_to_both() -> None:
    othello = make_game("othello")
    position, sides, passes = othello.start(), {color: list[Move]() for color in Color}, 0
    while position.outcome() is None:
        move = position.legal_moves()[0]
        passes += move == othello.pass_move
        if move != othello.pass_move:
            sides[position.side_to_move].append(move)
        position = position.play(move)
    assert passes > 0
    black, white = Scripted(sides[Color.BLACK]), Scripted(sides[Color.WHITE])
    account = played(black, white, terms(othello))
    assert account.position.black == position.black
    for client in (black, white):
        assert sum(move == othello.pass_move for _, move in client.told) == passes
    assert account.seconds.count(None) == passes
