"""Trains Othello's pattern tables from nothing: quick games by temporal differences, then rounds of better ones.

A run that begins with tables leaves the quick games out.

A run's directory holds state.npz, all that is needed to go on, and a file of games for each part of a round. What was
under way when a run was killed is played again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import EngineError
from ..evaluators.pattern_tables import OBJECTIVES, PatternTables, load_tables, save_tables
from ..kernels.othello_games import NUM_NOTES, play_games
from ..kernels.othello_learning import LONGEST_GAME, learn_from_quick_games
from ..kernels.othello_midgame import DISC
from ..kernels.othello_patterns import FOLDED, NUM_COLUMNS, NUM_STAGES
from ..kernels.rng import make_rng
from ..search.stopper import never
from .files import read_arrays, write_arrays, write_whole
from .othello_fit import Games, Weights, fit, measure_errors, no_errors, tables_of

VERSION = 1
ROUNDS = 3
QUICK_SHARE = 0.3  # of the time
QUICK_OPENING = 16  # plies by chance, at most
FIRST_RATE, LAST_RATE = 0.3, 0.01  # of learning by temporal differences
PATIENCE = 0.7
DEPTH, EXACT_FROM = 4, 11
SHORTEST_OPENING, LONGEST_OPENING = 8, 30
QUICK_CHUNK, CHUNK = 1000, 50  # games between two looks at the clock
SAVED_EVERY = 20.0  # seconds
MEASURED = 2, 100  # least and most positions of each stage for the errors of shallow searches, 4 a minute

Report: TypeAlias = Callable[[str], None]
ShouldStop: TypeAlias = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class State:
    """A run between two of its parts."""

    objective: int
    seed: int
    weights: Weights
    rng: npt.NDArray[np.uint64]  # [1]
    part: int = 0  # 0: quick games; r: the games of round r
    spent: float = 0.0  # seconds on this part
    games: int = 0  # in all


def train_patterns(
    run_dir: Path,
    objective: int,
    minutes: float,
    seed: int,
    report: Report,
    should_stop: ShouldStop = never,
    init: Path | None = None,
) -> Path:
    """Train for so many minutes in all, going on where the run was left, and return the file of tables.

    EngineError when the directory belongs to another run or cannot be written, or the tables to begin with do not fit.
    """
    state = _open(run_dir, objective, seed, init)
    report(f"{run_dir}: {OBJECTIVES[objective]} Othello, part {state.part} of {ROUNDS}, {state.games} games so far")
    if state.part == 0:
        state = _learn_quickly(run_dir, state, 60 * minutes * QUICK_SHARE, report, should_stop)
    searched = 60 * minutes * (1 - QUICK_SHARE if init is None else 1)
    while state.part <= ROUNDS and not should_stop():
        state = _play_round(run_dir, state, searched / ROUNDS, report, should_stop)
    if should_stop():
        return run_dir / "state.npz"
    return _export(run_dir, state, round(min(max(4 * minutes, MEASURED[0]), MEASURED[1])), report)


def _learn_quickly(folder: Path, state: State, seconds: float, report: Report, should_stop: ShouldStop) -> State:
    clock, saved = time.monotonic() - state.spent, -inf
    tables = state.weights, FOLDED.astype(np.int32)
    while (spent := time.monotonic() - clock) < seconds:
        if should_stop():
            return _save(folder, state)
        rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** (spent / seconds)
        error = learn_from_quick_games(QUICK_CHUNK, state.objective, QUICK_OPENING, rate, PATIENCE, tables, state.rng)
        state = replace(state, spent=spent, games=state.games + QUICK_CHUNK)
        if time.monotonic() - saved > SAVED_EVERY:
            saved = time.monotonic()
            _save(folder, state)
            report(f"{state.games} quick games, rate {rate:.3f}, error {error**0.5:.2f} discs")
    return _save(folder, replace(state, part=1, spent=0.0))


def _play_round(folder: Path, state: State, seconds: float, report: Report, should_stop: ShouldStop) -> State:
    """Play games with the present tables, then fit the tables to all games so far."""
    tables = tables_of(state.weights, no_errors(), state.objective)
    clock = time.monotonic() - state.spent
    while (spent := time.monotonic() - clock) < seconds:
        if should_stop():
            return state
        games, count = _play(tables, state, min(SAVED_EVERY, seconds - spent))
        state = replace(state, spent=time.monotonic() - clock, games=state.games + count)
        _write_games(folder / f"games-{state.part}-{state.games:09d}.npz", games)
        _save(folder, state)
        report(f"round {state.part}: {state.games} games, {len(games.discs)} positions more")
    played = _read_games(folder, set(range(1, state.part + 1)))
    state = replace(state, weights=fit(state.weights, played), part=state.part + 1, spent=0.0)
    report(f"fitted to {len(played.discs)} positions")
    return _save(folder, state)


def _play(tables: PatternTables, state: State, seconds: float) -> tuple[Games, int]:
    """Play for some seconds; the generator moves on in place."""
    begun, count = time.monotonic(), 0
    found: list[tuple[npt.NDArray[np.uint64], npt.NDArray[np.int16]]] = []
    table = np.zeros((1 << 16, 2), np.uint64)
    while not found or time.monotonic() - begun < seconds:
        discs = np.zeros((CHUNK * LONGEST_GAME, 2), np.uint64)
        notes = np.zeros((CHUNK * LONGEST_GAME, NUM_NOTES), np.int16)
        how = (CHUNK, state.objective, SHORTEST_OPENING, LONGEST_OPENING, DEPTH, EXACT_FROM, table)
        size = play_games(*how, tables.weights, tables.errors, 0, discs, notes, state.rng)
        found.append((discs[:size], notes[:size]))
        count += CHUNK
    return Games(np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found])), count


def _export(folder: Path, state: State, each: int, report: Report) -> Path:
    games = _read_games(folder, {ROUNDS})
    tables = tables_of(state.weights, no_errors(), state.objective)
    errors = measure_errors(tables, games, each, np.random.default_rng(state.seed))
    path = folder / f"othello-{OBJECTIVES[state.objective]}.patterns.safetensors"
    done = replace(tables, errors=errors)
    write_whole(path, lambda partial: save_tables(done, partial, {"games": str(state.games)}))
    report(f"wrote {path}")
    return path


def _open(folder: Path, objective: int, seed: int, init: Path | None) -> State:
    """The run's state, or a new one in an empty directory."""
    path = folder / "state.npz"
    if not path.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise EngineError(f"cannot make '{folder}': {error.strerror}") from None
        if any(folder.iterdir()):
            raise EngineError(f"'{folder}' is no run of pattern tables, and not empty")
        if init is not None:
            known = np.array(load_tables(init, objective).weights, np.float32)
            return State(objective, seed, known / np.float32(DISC), make_rng(seed), part=1)
        weights = np.zeros((NUM_STAGES, NUM_COLUMNS), np.float32)
        return State(objective, seed, weights, make_rng(seed))
    state = _read_state(path)
    if (state.objective, state.seed) != (objective, seed):
        raise EngineError(f"'{folder}' is a run of {OBJECTIVES[state.objective]} Othello with seed {state.seed}")
    return state


def _read_state(path: Path) -> State:
    numbers, weights, rng = read_arrays(path, ("numbers", "weights", "rng"))
    version, objective, seed, part, spent, games = (float(number) for number in numbers)
    if version > VERSION:
        raise EngineError(f"'{path}' is of a newer version: {version:.0f}, not {VERSION}")
    return State(int(objective), int(seed), weights, rng, int(part), spent, int(games))


def _save(folder: Path, state: State) -> State:
    numbers = np.array([VERSION, state.objective, state.seed, state.part, state.spent, state.games], np.float64)
    write_arrays(folder / "state.npz", numbers=numbers, weights=state.weights, rng=state.rng)
    return state


def _write_games(path: Path, games: Games) -> None:
    write_arrays(path, discs=games.discs, notes=games.notes)


def _read_games(folder: Path, rounds: set[int]) -> Games:
    paths = sorted(path for part in rounds for path in folder.glob(f"games-{part}-*.npz"))
    if not paths:
        raise EngineError(f"'{folder}' has lost its games")
    found = [read_arrays(path, ("discs", "notes")) for path in paths]
    return Games(np.concatenate([one[0] for one in found]), np.concatenate([one[1] for one in found]))
