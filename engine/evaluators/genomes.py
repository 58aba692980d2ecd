"""Evolved evaluations of Othello as files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError
from ..kernels.evolved_games import COEFFICIENTS, NETWORK, NUM_PHASES, NUM_UNITS, STATES
from ..kernels.othello_weights import NUM_FEATURES
from ..nets.tensors import load_tensors, refuse_other_format, save_tensors
from .pattern_tables import OBJECTIVES

FORMAT = "othello-evolved-1"
KINDS = {"network": NETWORK, "coefficients": COEFFICIENTS}
DEPTHS = {"network": 1, "coefficients": 2}  # of the searches by which they are evolved


@dataclass(frozen=True, slots=True)
class Genome:
    """What an evolved evaluation is for."""

    kind: str  # a key of KINDS
    size: int
    objective: int  # +1 the ordinary game, -1 its misère


def num_genes(kind: str, size: int) -> int:
    """The length of a genome."""
    return len(units_of(kind, size))


def units_of(kind: str, size: int) -> NDArray[np.int64]:
    """Which genes stay together: the weights of one pair of squares, or those of one feature in all phases."""
    if kind == "network":
        return np.arange(NUM_UNITS[size]).repeat(STATES)
    return np.tile(np.arange(NUM_FEATURES), NUM_PHASES)


def save_genome(path: Path, genome: Genome, genes: NDArray[np.float32]) -> None:
    """Write a file."""
    save_tensors(path, {"genes": genes}, _words(genome) | {"kind": genome.kind})


def load_genome(path: Path, size: int, objective: int, sha256: str | None = None) -> tuple[Genome, NDArray[np.float32]]:
    """Read a file; EngineError when it is missing, damaged, or for something else."""
    arrays, texts = load_tensors(path, sha256)
    genome = Genome(texts.get("kind", ""), size, objective)
    refuse_other_format(path, texts, _words(genome))
    genes = arrays.get("genes")
    if genome.kind not in KINDS or genes is None or genes.shape != (num_genes(genome.kind, size),):
        raise EngineError(f"weights '{path}' are no genome of {size}x{size}")
    return genome, genes.astype(np.float32)


def _words(genome: Genome) -> dict[str, str]:
    return {"format": FORMAT, "size": str(genome.size), "objective": OBJECTIVES[genome.objective]}
