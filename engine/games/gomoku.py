"""Gomoku: stones are placed in turn until one side has its row."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import EngineError, IllegalMoveError, UnacceptableSizeError
from . import renju
from .game import Bits, Color, Move, Outcome, points
from .lines import axes

RULES = ("freestyle", "renju", "standard")
SIZES = range(3, 21)


@dataclass(frozen=True, slots=True)
class Gomoku:
    """The rules of Gomoku at one board size."""

    size: int = 15
    in_a_row: int = 5
    rule: str = "freestyle"

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise EngineError(f"unknown rule '{self.rule}': one of {', '.join(RULES)}")
        least = 5 if self.rule == "renju" else SIZES.start
        if not least <= self.size < SIZES.stop:
            raise UnacceptableSizeError(f"unacceptable size: {self.size} is not in {least}..{SIZES.stop - 1}")
        if self.rule == "renju" and self.in_a_row != 5:
            raise EngineError(f"unacceptable number in a row: {self.in_a_row} is not 5 in renju")
        if not SIZES.start <= self.in_a_row <= self.size:
            raise EngineError(f"unacceptable number in a row: {self.in_a_row} is not in {SIZES.start}..{self.size}")

    @classmethod
    def make(cls, size: int | None, rule: str | None, in_a_row: int | None) -> Gomoku:
        """The game with these choices; by default 15x15, freestyle, five in a row where the board has room for it."""
        size = 15 if size is None else size
        in_a_row = max(SIZES.start, min(5, size)) if in_a_row is None else in_a_row
        return cls(size, in_a_row, rule or "freestyle")

    @property
    def name(self) -> str:
        """Always `gomoku`."""
        return "gomoku"

    @property
    def num_moves(self) -> int:
        """The length of a policy: a move for each point."""
        return self.size * self.size

    @property
    def pass_move(self) -> Move | None:
        """There is no pass."""
        return None

    @property
    def objective(self) -> int:
        """The ordinary game."""
        return 1

    def start(self) -> GomokuPosition:
        """The empty board with black to move."""
        return GomokuPosition(self, 0, 0, Color.BLACK, 0, None, None)

    def setup(self, black: Bits, white: Bits, side_to_move: Color) -> GomokuPosition:
        """A position without history; it is finished when a row is complete, first the one of the side not to move."""
        if black & white:
            raise EngineError("a point cannot hold two stones")
        if (black | white) >> self.num_moves:
            raise EngineError("a stone is off the board")
        outcome = self._drawn(black, white, side_to_move)
        if self._has_row(black, Color.BLACK):
            outcome = BLACK_WINS
        if self._has_row(white, Color.WHITE) and (outcome is not BLACK_WINS or side_to_move is Color.BLACK):
            outcome = WHITE_WINS
        return GomokuPosition(self, black, white, side_to_move, 0, None, outcome)

    def _has_row(self, stones: Bits, color: Color) -> bool:
        return any(self._completes_row(stones, color, move) for move in points(stones))

    def _completes_row(self, stones: Bits, color: Color, move: Move) -> bool:
        """True when the stone on that point stands in a row that wins."""
        wanted = self.in_a_row
        for forward, backward in axes(self.size, move):
            length = 1
            for bit in forward:
                if not stones & bit:
                    break
                length += 1
            for bit in backward:
                if not stones & bit:
                    break
                length += 1
            if length == wanted or (length > wanted and self._overline_wins(color)):
                return True
        return False

    def _overline_wins(self, color: Color) -> bool:
        return self.rule == "freestyle" or (self.rule == "renju" and color is Color.WHITE)

    def _drawn(self, black: Bits, white: Bits, side_to_move: Color) -> Outcome | None:
        """A draw when the side to move has no legal point."""
        empty = ((1 << self.size * self.size) - 1) ^ black ^ white
        if not empty:
            return DRAW
        if self.rule != "renju" or side_to_move is Color.WHITE:
            return None
        return None if renju.has_allowed_point(black, white, self.size) else DRAW


@dataclass(frozen=True, slots=True)
class GomokuPosition:
    """Stones on a Gomoku board; never changes."""

    game: Gomoku
    black: Bits
    white: Bits
    side_to_move: Color
    ply: int
    last_move: Move | None
    result: Outcome | None

    def legal_moves(self) -> list[Move]:
        """In ascending order; empty once the game is over."""
        if self.result is not None:
            return []
        game = self.game
        empty = ((1 << game.num_moves) - 1) ^ self.black ^ self.white
        if game.rule == "renju" and self.side_to_move is Color.BLACK:
            empty ^= renju.forbidden_points(self.black, self.white, game.size)
        return points(empty)

    def play(self, move: Move) -> GomokuPosition:
        """The next position; IllegalMoveError leaves nothing changed."""
        self._refuse_illegal(move)
        game, side = self.game, self.side_to_move
        if side is Color.BLACK:
            stones = black = self.black | 1 << move
            white, opponent, win = self.white, Color.WHITE, BLACK_WINS
        else:
            stones = white = self.white | 1 << move
            black, opponent, win = self.black, Color.BLACK, WHITE_WINS
        won = game._completes_row(stones, side, move)
        outcome = win if won else game._drawn(black, white, opponent)
        return GomokuPosition(game, black, white, opponent, self.ply + 1, move, outcome)

    def turned(self, color: Color) -> GomokuPosition:
        """The same stones with that side to move."""
        if color is self.side_to_move:
            return self
        won = self.result is not None and self.result.winner is not None
        outcome = self.result if won else self.game._drawn(self.black, self.white, color)
        return GomokuPosition(self.game, self.black, self.white, color, self.ply, self.last_move, outcome)

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        return self.result

    def _refuse_illegal(self, move: Move) -> None:
        game = self.game
        if not 0 <= move < game.size * game.size:
            raise IllegalMoveError(move, "is off the board")
        if (self.black | self.white) >> move & 1:
            raise IllegalMoveError(move, "is occupied")
        if self.result is not None:
            raise IllegalMoveError(move, "comes after the end of the game")
        if game.rule == "renju" and self.side_to_move is Color.BLACK:
            reason = renju.forbidden(self.black, self.white, game.size, move)
            if reason is not None:
                raise IllegalMoveError(move, f"is forbidden: {reason}")


BLACK_WINS = Outcome(Color.BLACK, 1)
WHITE_WINS = Outcome(Color.WHITE, 1)
DRAW = Outcome(None, 0)
