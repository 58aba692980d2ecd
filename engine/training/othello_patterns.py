"""What makes Othello's pattern tables: quick games by temporal differences, better ones by search, and matches."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import EngineError
from ..evaluators.pattern_tables import PatternTables
from ..games.game import Color, Move, Position
from ..kernels.othello_games import NUM_NOTES, play_games, scores_by_depth
from ..kernels.othello_learning import LONGEST_GAME, learn_from_quick_games
from ..kernels.othello_midgame import DISC
from ..kernels.othello_patterns import FOLDED
from ..search.analysis import Analysis, Candidate, Choice, Reporter, ignore
from ..search.pattern_search import CAUTION
from ..search.stopper import Limits, Stopper
from .files import read_arrays, write_arrays
from .opponents import Player
from .othello_fit import Games, Weights, no_errors

QUICK_OPENING = 16  # plies by chance, at most
FIRST_RATE, LAST_RATE = 0.3, 0.01  # of learning by temporal differences
PATIENCE = 0.7
DEPTH, MOST_DEPTH = 4, 12  # of the games' searches
EXACT_BEYOND, MOST_EXACT = 7, 14  # games of depth n are exact from n + 7 empty squares on, 14 at most
SHORTEST_OPENING, LONGEST_OPENING = 8, 30
QUICK_CHUNK, CHUNK = 1000, 50  # games between two looks at the clock
ENTRIES, FEW_ENTRIES = 1 << 17, 1 << 12  # of a search's table: for games, and for a move

Rng: TypeAlias = npt.NDArray[np.uint64]  # [1]


def quick_rate(progress: float) -> float:
    """The rate of learning by temporal differences, which falls by the same factor in the same time."""
    return float(FIRST_RATE * (LAST_RATE / FIRST_RATE) ** progress)


def play_quickly(weights: Weights, objective: int, rate: float, rng: Rng) -> float:
    """Play a chunk of quick games and move the weights in place; returns the error of their values in discs."""
    tables = weights, FOLDED.astype(np.int32)
    square = learn_from_quick_games(QUICK_CHUNK, objective, QUICK_OPENING, rate, PATIENCE, tables, rng)
    return float(square**0.5)


def play_well(
    tables: PatternTables, depth: int, seconds: float, rng: Rng, should_stop: Callable[[], bool]
) -> tuple[Games, int]:
    """Play searched games for some seconds, one chunk at least, and tell how many; the generator moves on in place.

    Tables that know their errors cut by them, where the depth is more than the least.
    """
    begun, count = time.monotonic(), 0
    found: list[Games] = []
    table, caution = np.zeros((ENTRIES, 2), np.uint64), CAUTION if depth > DEPTH and tables.errors.any() else 0
    exact_from = min(depth + EXACT_BEYOND, MOST_EXACT)
    while not found or (time.monotonic() - begun < seconds and not should_stop()):
        discs = np.zeros((CHUNK * LONGEST_GAME, 2), np.uint64)
        notes = np.zeros((CHUNK * LONGEST_GAME, NUM_NOTES), np.int16)
        how = (CHUNK, tables.objective, SHORTEST_OPENING, LONGEST_OPENING, depth, exact_from, table)
        size = play_games(*how, tables.weights, tables.errors, caution, discs, notes, rng)
        found.append(Games(discs[:size], notes[:size]))
        count += CHUNK
    return _joined(found), count


def write_games(folder: Path, part: int, number: int, games: Games) -> None:
    """Keep the games of a part of a round; the number is that of the last one."""
    write_arrays(folder / f"games-{part}-{number:09d}.npz", discs=games.discs, notes=games.notes)


def read_games(folder: Path, rounds: range) -> Games:
    """The games of some rounds; EngineError when there are none, or a file is damaged."""
    paths = sorted(path for part in rounds for path in folder.glob(f"games-{part}-*.npz"))
    if not paths:
        raise EngineError(f"'{folder}' has lost its games")
    return _joined([Games(*read_arrays(path, ("discs", "notes"))) for path in paths])


def _joined(parts: list[Games]) -> Games:
    return Games(np.concatenate([part.discs for part in parts]), np.concatenate([part.notes for part in parts]))


def tables_player(tables: PatternTables, depth: int) -> Player:
    """Tables that play by a search of fixed depth, without cuts."""
    return Player("tables", _TablesBrain(tables, depth), Limits(depth=depth))


@dataclass(frozen=True, slots=True)
class _TablesBrain:
    """Takes the move after which the opponent's score is least."""

    tables: PatternTables
    depth: int

    def choose(self, position: Position, stopper: Stopper, report: Reporter = ignore) -> Choice:
        """Score every move."""
        moves = position.legal_moves()
        scores = [-score for score in self._scores([position.play(move) for move in moves])]
        best = max(range(len(moves)), key=scores.__getitem__)
        return Choice(moves[best], _analysis(moves[best], scores[best], self.depth, stopper.elapsed))

    def _scores(self, positions: list[Position]) -> list[int]:
        """The scores of positions, for their sides to move; an end counts as it is."""
        discs = np.array([_discs(position) for position in positions], np.uint64)
        scores = np.zeros((len(discs), 1), np.int32)
        tables, table = self.tables, np.zeros((FEW_ENTRIES, 2), np.uint64)
        depths = np.array([self.depth - 1])
        scores_by_depth(discs, tables.objective, depths, table, tables.weights, no_errors(), 0, scores)
        return [_end(position, int(score)) for position, score in zip(positions, scores[:, 0], strict=True)]


def _discs(position: Position) -> tuple[int, int]:
    black, white = position.black, position.white
    return (black, white) if position.side_to_move == Color.BLACK else (white, black)


def _end(position: Position, score: int) -> int:
    outcome = position.outcome()
    return score if outcome is None else outcome.value(position.side_to_move) * 64 * DISC


def _analysis(move: Move, score: int, depth: int, seconds: float) -> Analysis:
    value = max(-1.0, min(1.0, score / (64 * DISC)))
    candidate = Candidate(move, visits=0, value=value, prior=1.0, lcb=-1.0, line=(move,))
    return Analysis((candidate,), visits=0, seconds=seconds, depth=depth)
