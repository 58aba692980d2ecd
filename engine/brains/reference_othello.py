"""The reference players of Othello."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from ..games.game import Move, Position
from ..kernels.flat import count_losses
from ..kernels.layout import EMPTIES
from ..kernels.reference_othello import FLIPPED, ORDINARY, SQUARES, score_helped, score_moves
from ..kernels.rng import make_rng
from ..search.states import state_of
from .reference import Player

DEPTH = 4  # where the client wished none
EXACT = 10  # empty squares from which a search goes to the end
HELPED = 3  # plies of the helpmate
ROLLOUTS = 30  # a move


def _by_discs(position: Position, rng: random.Random, depth: int, *, sign: int) -> Move:
    """Takes the most discs, or the fewest."""
    moves, side = position.legal_moves(), position.side_to_move
    after = [position.play(move) for move in moves]
    return _greatest(moves, [sign * (child.black, child.white)[side].bit_count() for child in after], rng)


def _by_search(position: Position, rng: random.Random, depth: int, *, evaluation: int, sign: int = 1) -> Move:
    """Takes the move with the best score of a search in the terms of its evaluation, or with the worst."""
    state, depth = state_of(position), depth or DEPTH
    empties = int(state[EMPTIES])
    exact = max(6, 2 * depth) if evaluation == SQUARES else EXACT
    plies = empties if depth > 1 and empties <= exact else depth
    return _scored(position, rng, partial(score_moves, state, plies, evaluation), sign)


def _argmin(position: Position, rng: random.Random, depth: int) -> Move:
    """Takes the move after which the evaluation is worst."""
    return _scored(position, rng, partial(score_moves, state_of(position), 1, ORDINARY), -1)


def _help(position: Position, rng: random.Random, depth: int) -> Move:
    """Takes the move after which both sides together soonest spoil its position."""
    return _scored(position, rng, partial(score_helped, state_of(position), HELPED), -1)


def _monte_carlo(position: Position, rng: random.Random, depth: int) -> Move:
    """Takes the move after which games at random are lost most often."""
    moves = position.legal_moves()
    losses = np.zeros(len(moves), np.int64)
    count_losses(state_of(position), np.array(moves, np.int16), ROLLOUTS, make_rng(rng.getrandbits(31)), losses)
    return _greatest(moves, losses.tolist(), rng)


PLAYERS: Mapping[str, Player] = {
    "argmin": _argmin,
    "argmin-q": partial(_by_search, evaluation=ORDINARY, sign=-1),
    "greedy": partial(_by_discs, sign=1),
    "greedy-loser": partial(_by_discs, sign=-1),
    "help": _help,
    "monte-carlo": _monte_carlo,
    "sign-flip": partial(_by_search, evaluation=FLIPPED),
    "strong": partial(_by_search, evaluation=ORDINARY),
    "textbook-loser": partial(_by_search, evaluation=SQUARES),
}


def _scored(position: Position, rng: random.Random, score: Callable[..., int], sign: int) -> Move:
    """A move with the greatest signed score that a kernel writes; a pass is not scored, for it has no choice."""
    moves, scores = np.zeros(64, np.int16), np.zeros(64, np.int64)
    count = score(moves, scores)
    if count == 0:
        return position.legal_moves()[0]
    return _greatest(moves[:count].tolist(), (sign * scores[:count]).tolist(), rng)


def _greatest(moves: Sequence[Move], scores: Sequence[int], rng: random.Random) -> Move:
    """A move with the greatest score, by chance among equals."""
    best = max(scores)
    return rng.choice([move for move, score in zip(moves, scores, strict=True) if score == best])
