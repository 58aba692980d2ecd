"""The samples of a finished game."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..evaluators.evaluator import States
from ..games.game import Game
from ..kernels import labels
from ..kernels.layout import SIDE, STATE, STATE_WORDS
from ..kernels.leaf import LeafWork
from ..kernels.selfplay import Games
from ..search.states import State
from .samples import Samples

Small: TypeAlias = npt.NDArray[np.int8]


def samples_of(game: Game, games: Games, index: int, work: LeafWork, horizon: float) -> Samples:
    """What a finished game tells; an Othello game is played out first, with the best moves of both sides."""
    plies = int(games.plies[index])
    states = np.zeros((plies + 1, STATE_WORDS), STATE)
    labels.replay(games, index, states)
    end = states[-1].copy()
    if game.name == "othello":
        labels.play_out(end, work, np.zeros(STATE_WORDS, STATE), np.zeros(game.num_moves, np.int16))
    outcomes, values = np.zeros(plies, np.int8), np.zeros(plies, np.float32)
    outcome = labels.last_outcome(games, index, end, int(states[-1, SIDE]))
    labels.look_back(games, index, outcome, horizon, outcomes, values)
    ownership = _owners(game, states[:-1], end)
    return Samples(
        states=states[:-1],
        policy=games.policies[index, :plies].astype(np.float16),
        surprise=games.surprises[index, :plies].copy(),
        reply=_replies(games, index, plies),
        outcome=outcomes,
        value=values,
        ownership=ownership,
        score=ownership.sum(axis=1, dtype=np.int8),
        weight=games.weights[index, :plies].copy(),
    )


def _replies(games: Games, index: int, plies: int) -> npt.NDArray[np.int16]:
    replies = np.full(plies, -1, np.int16)
    replies[:-1] = games.moves[index, 1:plies]
    return replies


def _owners(game: Game, states: States, end: State) -> Small:
    """Whose each disc is at the end, as the sides to move see it; nothing in Gomoku."""
    if game.name != "othello":
        return np.zeros((len(states), 0), np.int8)
    black = np.zeros(game.size**2, np.int8)
    labels.owners(end, 0, black)
    signs = np.where(states[:, SIDE] == 0, 1, -1).astype(np.int8)
    owners: Small = signs[:, None] * black
    return owners
