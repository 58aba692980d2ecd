"""Weights of misère Gomoku's evaluation, by logistic regression on games that it plays against itself.

A round plays games with the weights of the round before, some chance included, and fits new weights to their results.
Every round is kept as a file: a run that was broken off goes on after its last whole round.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError
from ..games.gomoku import Gomoku, GomokuPosition
from ..games.misere import misere
from ..kernels.misere_games import RECORD_WORDS, play_game
from ..kernels.misere_weights import KNOTS, NUM_FEATURES, UNIT, interpolated
from ..kernels.rng import make_rng
from ..search.states import state_of
from .files import read_arrays, write_arrays
from .progress import Beat, no_beat

Weights = NDArray[np.float64]  # [knot, feature], in hundredths of a logit
OPENINGS = (2, 3, 4, 6, 8, 10, 12)  # plies by chance
PARTS = ("features", "stages", "results")  # of the records in a file
POOL = 3  # rounds whose games are fitted together
STEPS = 8  # of Newton's method
ALIKE = 20  # positions of one game tell so much as one
# What is believed of each weight before a game is seen, and how far it may be wrong; rare features stay near it.
FIRST = (10.0, 18.0, 6.0, 3.0, 90.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
DOUBT = (10.0, 10.0, 5.0, 3.0, 60.0, 20.0, 10.0, 5.0, 50.0, 50.0, 50.0)


@dataclass(frozen=True, slots=True)
class Tuning:
    """How weights are tuned."""

    size: int
    games: int = 1000  # a round
    noise: float = 15.0  # of the choice of moves, in hundredths of a logit
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Records:
    """Positions of finished games."""

    features: NDArray[np.int64]  # [positions, feature]
    stages: NDArray[np.int64]  # [positions]
    results: NDArray[np.int64]  # [positions], +1 when the side to move was spared, -1 when it had to complete its row


def tune(
    folder: Path,
    tuning: Tuning,
    report: Callable[[int, str], None],
    should_stop: Callable[[], bool],
    beat: Beat = no_beat,
) -> Weights:
    """Play and fit rounds beside those in the folder until somebody stops it, and return the last one's weights."""
    weights, pool = np.tile(FIRST, (len(KNOTS), 1)), list[Records]()
    for number in count(1):
        path = folder / f"misere-{tuning.size}-{number:03}.npz"
        if not path.exists():
            if should_stop():
                break
            records = play_round(tuning, number, weights, beat)
            _save(path, fit([*pool[-POOL + 1 :], records]), records)
        weights, records = _load(path)
        pool = [*pool[-POOL:], records]
        drawn = np.mean(records.results == 0)
        report(number, f"round {number}: {len(records.results)} positions, {drawn:.0%} drawn")
    return weights


def play_round(tuning: Tuning, number: int, weights: Weights, beat: Beat = no_beat) -> Records:
    """Play a round's games."""
    rng = random.Random(f"{tuning.seed} {tuning.size} {number}")
    features, stages, results = list[NDArray[np.int64]](), list[NDArray[np.int64]](), list[NDArray[np.int64]]()
    for _ in range(tuning.games):
        beat(lambda: f"round {number}, {len(results)} of {tuning.games} games")
        forced, positions = _play(tuning, weights, weights, rng)
        features.append(positions[:, :NUM_FEATURES])
        stages.append(positions[:, NUM_FEATURES])
        results.append(np.where(positions[:, -1] == forced, -1, 1) * (forced >= 0))
    return Records(np.concatenate(features), np.concatenate(stages), np.concatenate(results))


def compare(size: int, first: Weights, second: Weights, games: int, seed: int = 1) -> tuple[int, int, int]:
    """How many games of the misère the first weights win, draw and lose, each opening from both sides."""
    counts = {1: 0, 0: 0, -1: 0}
    for number in range(games):
        is_black, rng = number % 2 == 0, random.Random(f"{seed} {number // 2}")
        black, white = (first, second) if is_black else (second, first)
        forced, _ = _play(Tuning(size, noise=0.5), black, white, rng)
        counts[0 if forced < 0 else 1 if (forced == 1) == is_black else -1] += 1
    return counts[1], counts[0], counts[-1]


def fit(pool: Sequence[Records]) -> Weights:
    """The weights that are likeliest after these results, believed beforehand to be about FIRST."""
    stages = np.concatenate([records.stages for records in pool])
    hats = np.stack([np.interp(stages, KNOTS, row) for row in np.eye(len(KNOTS))], axis=1)
    features = np.concatenate([records.features for records in pool])
    inputs = (hats[:, :, None] * features[:, None, :]).reshape(len(stages), -1) / 100
    wanted = (1 + np.concatenate([records.results for records in pool])) / 2
    believed, firmness = np.tile(FIRST, len(KNOTS)), np.tile(DOUBT, len(KNOTS)) ** -2.0
    found = believed.copy()
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        slope = inputs.T @ (likely - wanted) / ALIKE + firmness * (found - believed)
        curve = (inputs * (likely * (1 - likely))[:, None]).T @ inputs / ALIKE + np.diag(firmness)
        found -= np.linalg.solve(curve, slope)
    return found.reshape(len(KNOTS), NUM_FEATURES)


def table_text(weights: Weights) -> str:
    """The weights as a literal for the kernels, a row a knot."""
    return "".join(f"({', '.join(str(round(weight)) for weight in UNIT * row)}),\n" for row in weights)


def _play(tuning: Tuning, black: Weights, white: Weights, rng: random.Random) -> tuple[int, NDArray[np.int64]]:
    """Who was forced to complete a row in a game, 0 black, 1 white, -1 nobody, and its positions' records."""
    position = _opening(tuning.size, rng)
    occupied = position.black | position.white
    taken = np.array([occupied >> point & 1 for point in range(tuning.size**2)], np.uint8)
    positions = np.empty((tuning.size**2, RECORD_WORDS), np.int64)
    tables = np.ascontiguousarray([interpolated(UNIT * weights) for weights in (black, white)])
    state, chance = state_of(misere(position)), make_rng(rng.getrandbits(31))
    forced, count = play_game(state, taken, tables, tuning.noise, chance, positions)
    return forced, positions[:count]


def _opening(size: int, rng: random.Random) -> GomokuPosition:
    """Some plies by chance that do not end the game."""
    while True:
        position = Gomoku(size).start()
        for _ in range(rng.choice(OPENINGS)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position


def _save(path: Path, weights: Weights, records: Records) -> None:
    """Write a round wholly or not at all."""
    parts = {name: getattr(records, name).astype(np.int16) for name in PARTS}
    write_arrays(path, weights=weights, **parts)


def _load(path: Path) -> tuple[Weights, Records]:
    """A round; EngineError when its file is damaged: moved away, it is played again."""
    weights, *parts = read_arrays(path, ("weights", *PARTS))
    if weights.shape != (len(KNOTS), NUM_FEATURES):
        raise EngineError(f"'{path}' is damaged: {weights.shape} are no weights")
    return weights, Records(*(part.astype(np.int64) for part in parts))
