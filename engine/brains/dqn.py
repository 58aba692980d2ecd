"""Othello by action values that were learned by deep Q-learning: no search, a move takes milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evaluators.action_values import ActionValues, load_values
from ..evaluators.wishes import find_file
from ..games.game import Game, Position
from ..search.analysis import Choice, Reporter, ignore
from ..search.states import state_of
from ..search.stopper import Stopper
from .immediate import choose_best
from .othello_only import refuse_other_games

if TYPE_CHECKING:
    from ..options import Options


class DqnBrain:
    """Chooses the move with the greatest value; what it loads for a game it keeps until another one is played."""

    def __init__(self, options: Options) -> None:
        self._weights = options.weights
        self._game: Game | None = None
        self._values: ActionValues | None = None

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Choose at once."""
        moves, values = position.legal_moves(), self._load(position.game)
        if moves == [position.game.pass_move]:
            return choose_best({moves[0]: 0.0}, stopper, report)
        worth = values.of(state_of(position))
        return choose_best({move: float(worth[move]) for move in moves}, stopper, report)

    def _load(self, game: Game) -> ActionValues:
        if self._values is None or self._game != game:
            refuse_other_games("dqn", game)
            path, sha256 = find_file(self._weights, game, "dqn")
            self._values, self._game = load_values(path, game.size, game.objective, sha256), game
        return self._values
