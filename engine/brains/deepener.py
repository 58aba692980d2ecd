"""What the brains by iterative deepening share: a kernel for each game, a hash table and an order of equals."""

from __future__ import annotations

import random
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from ..games.game import Game, Move, Position
from ..kernels.layout import EMPTIES
from ..search.analysis import Choice, Reporter
from ..search.deepening import Deepening, Root, Search
from ..search.states import state_of
from ..search.stopper import Stopper
from .random import seed_or_new

if TYPE_CHECKING:
    from ..options import Options

ENTRY_BYTES = 16
MEGABYTE = 1 << 20

# The kernel of each game, imported when it is first needed, and the score that is worth a value of tanh 1.
_KERNELS = {"gomoku": ("gomoku_search", 400.0), "othello": ("othello_search", 1500.0)}


class Deepener:
    """Searches position after position with one hash table, which belongs to one game."""

    def __init__(self, options: Options, *, prune: bool) -> None:
        self._prune = prune
        self._seed = seed_or_new(options.seed)
        entries = options.memory * MEGABYTE // ENTRY_BYTES
        self._table = np.zeros((1 << entries.bit_length() - 1, 2), np.uint64)
        self._game: Game | None = None

    def choose(self, position: Position, stopper: Stopper, report: Reporter) -> Choice:
        """Search until the stopper stops it or the result is proven."""
        if self._game != position.game:
            self._game = position.game
            self._table[:] = 0
        analysis = Deepening(self._root(position), self._table, stopper, report).run()
        return Choice(analysis.best.move, analysis)

    def _root(self, position: Position) -> Root:
        module, scale = _KERNELS[position.game.name]
        search: Search = import_module(f"..kernels.{module}", __package__).search
        state = state_of(position)
        return Root(
            search=search,
            state=state,
            moves=self._moves(position),
            objective=position.game.objective,
            prune=self._prune,
            scale=scale,
            empties=int(state[EMPTIES]),
        )

    def _moves(self, position: Position) -> list[Move]:
        """The legal moves in a random order, in which the first of equals is chosen; at first only the center."""
        game = position.game
        if game.name == "gomoku" and game.objective > 0 and not position.black | position.white:
            return [game.size * game.size // 2 if game.size % 2 else game.size * (game.size + 1) // 2]
        moves = position.legal_moves()
        random.Random(f"{self._seed} {position.black} {position.white}").shuffle(moves)
        return moves
