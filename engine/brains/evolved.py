"""Othello by evaluations that evolved, searched as deep as they were while they evolved, or deeper by request."""

from __future__ import annotations

from math import tanh
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..evaluators.genomes import DEPTHS, KINDS, Genome, load_genome
from ..evaluators.wishes import find_file
from ..games.game import Game, Position
from ..kernels.evolved_games import CERTAIN, score_squares
from ..kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from ..kernels.othello import move_of
from ..search.analysis import Choice, Reporter, ignore
from ..search.states import state_of
from ..search.stopper import Stopper
from .immediate import choose_best
from .othello_only import refuse_other_games

if TYPE_CHECKING:
    from ..options import Options

DEEPEST = 6  # searches are not interrupted
SCALE = 0.1  # of a genome's values, whose scale is its own
NEARLY = 0.999  # the value of a certain win; no proof is told


class EvolvedBrain:
    """Chooses by a search of fixed depth; what it loads for a game it keeps until another one is played."""

    def __init__(self, options: Options) -> None:
        self._weights = options.weights
        self._depth = min(options.depth, DEEPEST)
        self._game: Game | None = None
        self._loaded: tuple[Genome, NDArray[np.float32]] | None = None

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Choose at once."""
        game, (genome, genes) = position.game, self._load(position.game)
        state, squares, scores = state_of(position), np.zeros(64, np.int16), np.zeros(64, np.float32)
        side, depth = int(state[SIDE]), self._depth or DEPTHS[genome.kind]
        judge = KINDS[genome.kind], game.size, game.objective, depth, genes
        count = score_squares(state[BLACK_DISCS + side], state[WHITE_DISCS - side], judge, squares, scores)
        if count == 0:
            return choose_best({position.legal_moves()[0]: 0.0}, stopper, report)
        found = zip(squares[:count].tolist(), scores[:count].tolist(), strict=True)
        return choose_best(
            {move_of(square, game.size): _value(score) for square, score in found}, stopper, report, depth
        )

    def _load(self, game: Game) -> tuple[Genome, NDArray[np.float32]]:
        if self._loaded is None or self._game != game:
            refuse_other_games("evolved", game)
            path, sha256 = find_file(self._weights, game, "evolved")
            self._loaded, self._game = load_genome(path, game.size, game.objective, sha256), game
        return self._loaded


def _value(score: float) -> float:
    """A score as a value; certain ones keep their order by discs."""
    if abs(score) < CERTAIN:
        return NEARLY * tanh(SCALE * score)
    return (NEARLY + (1 - NEARLY) * (abs(score) - float(CERTAIN)) / 64) * (1 if score > 0 else -1)
