"""Whether a net in eight bits still says what it says in single precision; one that does not is not shipped."""

from __future__ import annotations

import numpy as np

from ..evaluators.evaluator import Evaluator, States
from ..games.game import Game
from ..search.states import state_of

NEAR = 0.08  # what values may differ by, on average
GAMES, PLIES = 12, 16  # in which that is measured


def value_error(rough: Evaluator, exact: Evaluator, game: Game) -> float:
    """How far the values of two evaluators differ on average, in games that the exact one plays."""
    states = played_states(exact, game, GAMES, PLIES)
    return float(np.abs(rough.evaluate(states).value - exact.evaluate(states).value).mean())


def played_states(evaluator: Evaluator, game: Game, games: int, plies: int) -> States:
    """Positions of games in which moves are drawn by their priors, always the same."""
    rng, positions, found = np.random.default_rng(1), [game.start()] * games, []
    for _ in range(plies):
        states = np.stack([state_of(position) for position in positions])
        found.append(states)
        for number, logits in enumerate(evaluator.evaluate(states).logits):
            moves = positions[number].legal_moves()
            chances = np.exp(logits[moves].astype(np.float64) - logits[moves].max())
            after = positions[number].play(int(rng.choice(moves, p=chances / chances.sum())))
            positions[number] = after if after.outcome() is None else game.start()
    return np.concatenate(found)
