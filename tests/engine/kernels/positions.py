"""Positions of random games, as they are and as states."""

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from extremum.engine.games.game import Game, Position
from extremum.engine.search.states import state_of

NEAR = 2  # how far from the last move a Gomoku move is, mostly


def random_positions(game: Game, num_games: int, seed: int = 1) -> list[Position]:
    """All positions of some games, ends excluded; stones stand close enough to make shapes."""
    rng = random.Random(seed)
    found: list[Position] = []
    for _ in range(num_games):
        position = game.start()
        while position.outcome() is None:
            found.append(position)
            position = position.play(_some_move(position, rng))
    return found


def states_of(positions: Sequence[Position]) -> npt.NDArray[np.uint64]:
    """The states of positions, [batch, STATE_WORDS]."""
    return np.array([state_of(position) for position in positions])


def _some_move(position: Position, rng: random.Random) -> int:
    moves = position.legal_moves()
    last, size = position.last_move, position.game.size
    if position.game.name == "gomoku" and last is not None and rng.random() < 0.9:
        row, column = divmod(last, size)
        near = [move for move in moves if max(abs(move // size - row), abs(move % size - column)) <= NEAR]
        moves = near or moves
    return rng.choice(moves)
