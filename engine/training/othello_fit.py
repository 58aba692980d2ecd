"""Othello's tables fitted to searched games, and the errors of shallow searches that Multi-ProbCut goes by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ..evaluators.pattern_tables import PatternTables
from ..kernels.othello_fitting import add_slopes, write_targets
from ..kernels.othello_games import scores_by_depth
from ..kernels.othello_midgame import MOST_DEPTH, shallow_depth
from ..kernels.othello_patterns import FOLDED, NUM_STAGES, STAGE_PLIES
from .progress import Beat, no_beat

PATIENCE = 0.7  # the lambda between what searches said and how games ended
PASSES = 40  # over the positions of a stage
STEP, MOMENTUM = 0.012, 0.85
PRIOR = 30.0  # a weight moves as if so many more positions had found it right: rare ones stay where they were
MOST_ERROR = 20.0  # discs; what lies beyond pulls no harder
FEWEST = 1000  # positions without which a stage stays as it is
DEEPEST = 8  # searches compared; deeper ones are taken to err a tenth more
UNMEASURED = 1000  # hundredths of a disc, an error with which next to nothing is cut
LEAST_EMPTIES = DEEPEST + 1

Weights = npt.NDArray[np.float32]  # [NUM_STAGES, NUM_COLUMNS], in discs; only columns that stand for others count


@dataclass(frozen=True, slots=True)
class Games:
    """Positions of finished games, in the order in which they were played."""

    discs: npt.NDArray[np.uint64]  # [n, 2], the mover's and the other's
    notes: npt.NDArray[np.int16]  # [n, NUM_NOTES]

    @property
    def empties(self) -> npt.NDArray[np.int64]:
        """The number of empty squares of each position."""
        discs: npt.NDArray[np.uint8] = np.bitwise_count(self.discs[:, 0] | self.discs[:, 1])
        return 64 - discs.astype(np.int64)


def fit(weights: Weights, games: Games, passes: int = PASSES, beat: Beat = no_beat) -> Weights:
    """Weights nearer to what the games say, stage by stage; a stage also learns from two plies before and after it."""
    targets = np.zeros(len(games.discs), np.float32)
    write_targets(games.discs, games.notes, PATIENCE, targets)
    fitted, empties = weights.copy(), games.empties
    for stage in range(NUM_STAGES):
        beat(partial(_stage_text, "fits", stage))
        first = 60 - STAGE_PLIES * stage
        last = first - STAGE_PLIES + 1 if stage < NUM_STAGES - 1 else 0
        chosen = (empties <= first + 2) & (empties >= last - 2)
        if chosen.sum() >= FEWEST:
            _fit_stage(fitted[stage], stage, np.ascontiguousarray(games.discs[chosen]), targets[chosen], passes)
    return fitted


def _fit_stage(
    row: npt.NDArray[np.float32],
    stage: int,
    discs: npt.NDArray[np.uint64],
    targets: npt.NDArray[np.float32],
    passes: int,
) -> None:
    """Descend with momentum, each weight in steps of its mean error."""
    folding = FOLDED.astype(np.int32)
    speed, slopes, counts = np.zeros_like(row), np.zeros_like(row), np.zeros_like(row)
    for _ in range(passes):
        slopes[:], counts[:] = 0, 0
        add_slopes(discs, targets, stage, row, folding, MOST_ERROR, slopes, counts)
        speed[:] = MOMENTUM * speed + np.float32(STEP) * slopes / (counts + np.float32(PRIOR))
        row += speed


def tables_of(weights: Weights, errors: npt.NDArray[np.int64], objective: int) -> PatternTables:
    """The weights as the search takes them: whole hundredths, every mirror image written out."""
    hundredths = np.clip(np.rint(100 * weights[:, FOLDED]), -(2**15), 2**15 - 1)
    return PatternTables(np.ascontiguousarray(hundredths.astype(np.int16)), errors, objective)


def no_errors() -> npt.NDArray[np.int64]:
    """Errors for a search that does not cut."""
    return np.zeros((NUM_STAGES, MOST_DEPTH), np.int64)


def measure_errors(
    tables: PatternTables, games: Games, each: int, rng: np.random.Generator, beat: Beat = no_beat
) -> npt.NDArray[np.int64]:
    """The standard deviation between each depth and the shallow one that stands for it, from some positions a stage."""
    found, empties = np.full((NUM_STAGES, MOST_DEPTH), np.nan), games.empties
    table, depths = np.zeros((1 << 18, 2), np.uint64), np.arange(1, DEEPEST + 1)
    for stage in range(NUM_STAGES):
        beat(partial(_stage_text, "measures errors of shallow searches in", stage))
        first = 60 - STAGE_PLIES * stage
        chosen = np.flatnonzero((empties <= first) & (empties > first - STAGE_PLIES) & (empties >= LEAST_EMPTIES))
        if len(chosen) < each:
            continue
        some = np.ascontiguousarray(games.discs[rng.choice(chosen, min(each, len(chosen)), replace=False)])
        scores = np.zeros((len(some), DEEPEST), np.int32)
        scores_by_depth(some, tables.objective, depths, table, tables.weights, no_errors(), 0, scores)
        for depth in range(3, DEEPEST + 1):
            found[stage, depth] = (scores[:, depth - 1] - scores[:, shallow_depth(depth) - 1]).std()
    return _completed(found)


def _stage_text(what: str, stage: int) -> str:
    return f"{what} stage {stage + 1} of {NUM_STAGES}"


def _completed(found: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Errors for every stage and depth: those not measured are like the nearest that were."""
    stages = np.flatnonzero(~np.isnan(found[:, DEEPEST]))
    if not len(stages):
        return no_errors() + UNMEASURED
    nearest = [stages[np.abs(stages - stage).argmin()] for stage in range(NUM_STAGES)]
    found = found[nearest]
    found[:, :3] = 0
    found[:, DEEPEST + 1 :] = 1.1 * found[:, DEEPEST - 1 : DEEPEST + 1].max(axis=1, keepdims=True)
    return np.rint(found).astype(np.int64)
