"""Othello: a disc turns the opponent's discs that it encloses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..errors import EngineError, IllegalMoveError, UnacceptableSizeError
from .game import Bits, Color, Move, Outcome, points
from .lines import rays

SIZES = (6, 8)


@dataclass(frozen=True, slots=True)
class Othello:
    """The rules of Othello at one board size."""

    size: int = 8

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise UnacceptableSizeError(f"unacceptable size: {self.size} is not one of 6, 8")

    @classmethod
    def make(cls, size: int | None, rule: str | None, in_a_row: int | None) -> Othello:
        """The game with these choices; by default 8x8."""
        if rule not in (None, "standard"):
            raise EngineError(f"unknown rule '{rule}': one of standard")
        if in_a_row is not None:
            raise EngineError("othello has no number in a row")
        return cls(8 if size is None else size)

    @property
    def name(self) -> str:
        """Always `othello`."""
        return "othello"

    @property
    def rule(self) -> str:
        """Always `standard`: there is one rule."""
        return "standard"

    @property
    def num_moves(self) -> int:
        """The length of a policy: a move for each point, and the pass."""
        return self.size * self.size + 1

    @property
    def pass_move(self) -> Move:
        """The index of the pass, the last one."""
        return self.size * self.size

    @property
    def objective(self) -> int:
        """The ordinary game."""
        return 1

    def start(self) -> OthelloPosition:
        """Four discs in the middle, black to move."""
        low = self.size // 2 - 1
        high = low + 1
        black = 1 << (low * self.size + high) | 1 << (high * self.size + low)
        white = 1 << (low * self.size + low) | 1 << (high * self.size + high)
        return _position(self, black, white, Color.BLACK, 0, None)

    def setup(self, black: Bits, white: Bits, side_to_move: Color) -> OthelloPosition:
        """A position without history."""
        if black & white:
            raise EngineError("a point cannot hold two discs")
        if (black | white) >> self.size * self.size:
            raise EngineError("a disc is off the board")
        return _position(self, black, white, side_to_move, 0, None)


@dataclass(frozen=True, slots=True)
class OthelloPosition:
    """Discs on an Othello board; never changes."""

    game: Othello
    black: Bits
    white: Bits
    side_to_move: Color
    ply: int
    last_move: Move | None
    mobility: Bits  # the points where the side to move may put a disc
    result: Outcome | None

    def legal_moves(self) -> list[Move]:
        """In ascending order, the pass alone when nothing else is possible; empty once the game is over."""
        if self.result is not None:
            return []
        return points(self.mobility) if self.mobility else [self.game.pass_move]

    def play(self, move: Move) -> OthelloPosition:
        """The next position; IllegalMoveError leaves nothing changed."""
        if move == self.game.pass_move:
            return self._pass()
        if move < 0 or not self.mobility >> move & 1:
            raise IllegalMoveError(move, self._why_illegal(move))
        black, white = self.black, self.white
        ply = self.ply + 1
        if self.side_to_move is Color.BLACK:
            flips = _flips(self.game.size, black, white, move)
            return _position(self.game, black | flips | 1 << move, white ^ flips, Color.WHITE, ply, move)
        flips = _flips(self.game.size, white, black, move)
        return _position(self.game, black ^ flips, white | flips | 1 << move, Color.BLACK, ply, move)

    def turned(self, color: Color) -> OthelloPosition:
        """The same discs with that side to move."""
        if color is self.side_to_move:
            return self
        return _position(self.game, self.black, self.white, color, self.ply, self.last_move)

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        return self.result

    def _pass(self) -> OthelloPosition:
        move = self.game.pass_move
        if self.result is not None:
            raise IllegalMoveError(move, "comes after the end of the game")
        if self.mobility:
            raise IllegalMoveError(move, "is not allowed while there is a move")
        return _position(self.game, self.black, self.white, self.side_to_move.opponent, self.ply + 1, move)

    def _why_illegal(self, move: Move) -> str:
        if not 0 <= move < self.game.size * self.game.size:
            return "is off the board"
        if (self.black | self.white) >> move & 1:
            return "is occupied"
        if self.result is not None:
            return "comes after the end of the game"
        return "flips nothing"


def _position(
    game: Othello, black: Bits, white: Bits, side_to_move: Color, ply: int, last_move: Move | None
) -> OthelloPosition:
    mine, yours = (black, white) if side_to_move is Color.BLACK else (white, black)
    mobility = _mobility(game.size, mine, yours)
    over = not mobility and not _mobility(game.size, yours, mine)
    result = _count(black, white) if over else None
    return OthelloPosition(game, black, white, side_to_move, ply, last_move, mobility, result)


def _count(black: Bits, white: Bits) -> Outcome:
    difference = black.bit_count() - white.bit_count()
    if difference == 0:
        return Outcome(None, 0)
    return Outcome(Color.BLACK if difference > 0 else Color.WHITE, abs(difference))


def _flips(size: int, mine: Bits, yours: Bits, move: Move) -> Bits:
    """The opponent's discs that a disc on this point encloses."""
    flips = 0
    for ray in rays(size, move):
        enclosed = 0
        for bit in ray:
            if not yours & bit:
                if mine & bit:
                    flips |= enclosed
                break
            enclosed |= bit
    return flips


def _mobility(size: int, mine: Bits, yours: Bits) -> Bits:
    """The empty points from which a disc would enclose something."""
    board, inner = _masks(size)
    between = yours & inner
    found = 0
    for step, crossed in ((1, between), (size, yours), (size - 1, between), (size + 1, between)):
        up = crossed & mine << step
        down = crossed & mine >> step
        for _ in range(size - 3):
            up |= crossed & up << step
            down |= crossed & down >> step
        found |= up << step | down >> step
    return found & board & ~(mine | yours)


@cache
def _masks(size: int) -> tuple[Bits, Bits]:
    """The board, and the board without its first and last column, where a shifted disc would wrap round."""
    row = (1 << size) - 1
    middle = row & ~(1 | 1 << (size - 1))
    return sum(row << size * r for r in range(size)), sum(middle << size * r for r in range(size))
