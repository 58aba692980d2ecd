"""The referee: plays one game between two engines, and judges by the rules alone."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ...engine.errors import IllegalMoveError
from ...engine.games.game import Color, Game, Move, Position
from ...protocol.clients.client import RESIGNATION, Client, Pace
from ...protocol.clients.fault import FaultError, Kind, printable
from ...protocol.notation import write_result, write_vertex

RESIGNS = "resignation"
BOARD = "board"
DRAWS = ("0", "DRAW")
MOST_LETTERS = 80  # of a false claim


@dataclass(frozen=True, slots=True)
class Terms:
    """What both sides agree on."""

    game: Game
    pace: Pace
    margin: float  # seconds over the limit that are forgiven
    patience: float  # seconds for an answer of an engine elsewhere where there is no clock, and for starting
    misere: bool  # the point goes to whoever loses on the board


@dataclass(slots=True)
class Account:
    """A game as it went."""

    position: Position
    moves: list[Move] = field(default_factory=list)  # the opening's included
    seconds: list[float | None] = field(default_factory=list)  # of each move; None where nobody thought
    begun: bool = False  # both engines have taken their seats
    reason: str = BOARD
    result: str = ""  # as SGF has it
    score: float = 0.5  # black's
    culprit: Color | None = None
    text: str = ""  # what the culprit did
    claims: dict[Color, str] = field(default_factory=dict)  # false ones
    late: dict[Color, str] = field(default_factory=dict)  # faults after the end, which change nothing
    broken: set[Color] = field(default_factory=set)  # whose engine must be started anew


class _Seat:
    """A side of the game: its engine and its clock."""

    def __init__(self, color: Color, pace: Pace, patience: float) -> None:
        self.color = color
        self.patience = patience
        self.client: Client | None = None
        self.left = pace.main if pace.main else None


class Referee:
    """Plays a game; an engine that fails loses it.

    Who plays in this process has no limit where there is no clock: it counts visits, or looks at a clock of its own,
    and nobody could end it anyway.
    """

    def __init__(
        self, terms: Terms, makers: Mapping[Color, Callable[[], Client]], here: Collection[Color] = ()
    ) -> None:
        self._terms = terms
        self._makers = makers
        patience = {color: math.inf if color in here else terms.patience for color in Color}
        self._seats = {color: _Seat(color, terms.pace, patience[color]) for color in Color}
        self._account = Account(terms.game.start())
        self._acting = Color.BLACK  # whose fault a fault is

    def play(self, opening: Sequence[Move]) -> Account:
        """The whole game from an opening."""
        account = self._account
        for move in opening:
            self._record(account, move, None)
        try:
            self._begin(account)
            account.begun = True
            while account.position.outcome() is None:
                if not self._turn(account):
                    return account
        except FaultError as fault:
            self._forfeit(account, fault.kind, fault.text)
            return account
        self._judge(account)
        return account

    def abandon(self, text: str) -> Account:
        """The game that a bug in one of our own engines has ended."""
        self._forfeit(self._account, Kind.CRASH, text)
        return self._account

    def _begin(self, account: Account) -> None:
        colors = _colors(self._terms.game, account.moves)
        for color, seat in self._seats.items():
            self._acting = color
            seat.client = self._makers[color]()
            moves = list(zip(colors, account.moves, strict=True))
            seat.client.begin(self._terms.game, moves, self._terms.pace, self._soon())

    def _turn(self, account: Account) -> bool:
        """Have a move made; False when the game ends by it without the rules."""
        position = account.position
        seat = self._seats[position.side_to_move]
        forced = _forced_pass(position)
        move, seconds = self._ask(seat) if forced is None else (forced, None)
        if move == RESIGNATION:
            self._forfeit(account, RESIGNS, f"at ply {position.ply}")
            return False
        self._record(account, move, seconds)
        if account.position.outcome() is None:
            self._tell(seat.color, move, both=forced is not None)
        return True

    def _ask(self, seat: _Seat) -> tuple[Move, float]:
        self._acting = seat.color
        assert seat.client is not None
        limit, margin = self._limit(seat), self._terms.margin
        begun = time.monotonic()
        try:
            move = seat.client.genmove(seat.color, seat.left, begun + limit + margin)
        except FaultError as fault:
            if fault.kind is not Kind.TIME:
                raise
            allowed = f"{round(limit, 3):g} s and a margin of {margin:g} s"
            raise FaultError(Kind.TIME, f"no move within {allowed}") from fault
        seconds = time.monotonic() - begun
        if seconds > limit + margin:
            raise FaultError(Kind.TIME, f"{seconds:.3f} s, {limit:.3f} s and {margin:g} s of margin were allowed")
        if seat.left is not None:
            seat.left = max(0.0, seat.left - seconds) + self._terms.pace.increment
        return move, seconds

    def _limit(self, seat: _Seat) -> float:
        limits = [self._terms.pace.move or None, seat.left]
        return min((limit for limit in limits if limit is not None), default=seat.patience)

    def _record(self, account: Account, move: Move, seconds: float | None) -> None:
        try:
            account.position = account.position.play(move)
        except IllegalMoveError as error:
            raise FaultError(Kind.ILLEGAL, f"{write_vertex(move, self._terms.game)} {error.reason}") from error
        account.moves.append(move)
        account.seconds.append(seconds)

    def _tell(self, color: Color, move: Move, *, both: bool) -> None:
        for listener in (color, color.opponent) if both else (color.opponent,):
            self._acting = listener
            client = self._seats[listener].client
            assert client is not None
            client.play(color, move, self._soon())

    def _judge(self, account: Account) -> None:
        """Score a finished board; what the engines say of it is only compared."""
        outcome = account.position.outcome()
        assert outcome is not None
        account.result = write_result(outcome)
        value = outcome.value(Color.BLACK)
        account.score = (1 - value if self._terms.misere else 1 + value) / 2
        for color in Color:
            self._compare(account, color)

    def _compare(self, account: Account, color: Color) -> None:
        """Have an engine see the end and say who won; a fault now is only written down."""
        client, last = self._seats[color].client, account.position.last_move
        if client is None or last is None:
            return
        mover = account.position.side_to_move.opponent
        try:
            if color is not mover:
                client.play(mover, last, self._soon())
            claim = client.result(self._soon())
        except FaultError as fault:
            account.late[color] = str(fault)
            account.broken.add(color)
            return
        if claim is not None and not is_true(claim, account.position):
            account.claims[color] = printable(claim[:MOST_LETTERS])

    def _forfeit(self, account: Account, kind: str, text: str) -> None:
        culprit = self._acting
        account.reason, account.culprit, account.text = str(kind), culprit, text
        letter = {RESIGNS: "R", Kind.TIME: "T"}.get(str(kind), "F")
        account.result = f"{culprit.opponent.name[0]}+{letter}"
        account.score = 0.0 if culprit is Color.BLACK else 1.0
        if kind != RESIGNS:
            account.broken.add(culprit)

    def _soon(self) -> float:
        return time.monotonic() + self._terms.patience


def is_true(claim: str, end: Position) -> bool:
    """Whether a claimed result is that of a finished board.

    Discs in Othello must be right, too, the empty squares being nobody's or the winner's: people count both ways.
    """
    outcome, said = end.outcome(), claim.strip().upper()
    assert outcome is not None
    if outcome.winner is None:
        return said in DRAWS
    winner, _, margin = said.partition("+")
    if winner != outcome.winner.name[0]:
        return False
    if end.game.name != "othello":
        return True
    empty = end.game.size**2 - (end.black | end.white).bit_count()
    return margin in {text for discs in (outcome.margin, outcome.margin + empty) for text in (f"{discs}", f"{discs}.0")}


def _forced_pass(position: Position) -> Move | None:
    """The pass of a side that has no other move: nobody is asked for it, for engines differ in how they pass."""
    passing = position.game.pass_move
    return passing if passing is not None and position.legal_moves() == [passing] else None


def _colors(game: Game, moves: Sequence[Move]) -> list[Color]:
    """Who made each move from the start."""
    position, colors = game.start(), []
    for move in moves:
        colors.append(position.side_to_move)
        position = position.play(move)
    return colors
