"""The misère of a game: whoever would have won has lost."""

from __future__ import annotations

from dataclasses import dataclass

from .game import Bits, Color, Game, Move, Outcome, Position


@dataclass(frozen=True, slots=True)
class Misere:
    """A game with its outcome turned round."""

    ordinary: Game

    @property
    def name(self) -> str:
        """The name of the ordinary game."""
        return self.ordinary.name

    @property
    def rule(self) -> str:
        """The rule of the ordinary game."""
        return self.ordinary.rule

    @property
    def size(self) -> int:
        """Rows, and columns."""
        return self.ordinary.size

    @property
    def num_moves(self) -> int:
        """The length of a policy, the pass included where there is one."""
        return self.ordinary.num_moves

    @property
    def pass_move(self) -> Move | None:
        """The index of the pass, if the game has one."""
        return self.ordinary.pass_move

    @property
    def objective(self) -> int:
        """The opposite of the ordinary game's."""
        return -self.ordinary.objective

    def start(self) -> MiserePosition:
        """The first position."""
        return MiserePosition(self, self.ordinary.start())

    def setup(self, black: Bits, white: Bits, side_to_move: Color) -> MiserePosition:
        """A position without history; raises EngineError when the stones cannot stand so."""
        return MiserePosition(self, self.ordinary.setup(black, white, side_to_move))


@dataclass(frozen=True, slots=True)
class MiserePosition:
    """A position of an ordinary game whose outcome is turned round."""

    game: Misere
    ordinary: Position

    @property
    def black(self) -> Bits:
        """Black's stones."""
        return self.ordinary.black

    @property
    def white(self) -> Bits:
        """White's stones."""
        return self.ordinary.white

    @property
    def side_to_move(self) -> Color:
        """Whose turn it is."""
        return self.ordinary.side_to_move

    @property
    def ply(self) -> int:
        """Moves played since the start, passes included."""
        return self.ordinary.ply

    @property
    def last_move(self) -> Move | None:
        """The move that led here, if one did."""
        return self.ordinary.last_move

    def legal_moves(self) -> list[Move]:
        """In ascending order; empty once the game is over."""
        return self.ordinary.legal_moves()

    def play(self, move: Move) -> MiserePosition:
        """The next position; IllegalMoveError leaves nothing changed."""
        return MiserePosition(self.game, self.ordinary.play(move))

    def turned(self, color: Color) -> MiserePosition:
        """The same stones with that side to move."""
        return MiserePosition(self.game, self.ordinary.turned(color))

    def outcome(self) -> Outcome | None:
        """The ordinary outcome with the winner swapped; the margin stays."""
        ordinary = self.ordinary.outcome()
        if ordinary is None or ordinary.winner is None:
            return ordinary
        return Outcome(ordinary.winner.opponent, ordinary.margin)


def misere(position: Position) -> MiserePosition:
    """The same position in the misère game."""
    return MiserePosition(Misere(position.game), position)
