"""Tables by chance, for tests that need some tables and not good ones."""

import numpy as np
import numpy.typing as npt

from extremum.engine.kernels.othello_midgame import MOST_DEPTH
from extremum.engine.kernels.othello_patterns import FOLDED, NUM_COLUMNS, NUM_STAGES

NO_ERRORS = np.zeros((NUM_STAGES, MOST_DEPTH), np.int64)


def random_weights(seed: int = 1) -> npt.NDArray[np.int16]:
    """Mirror images have the same weight, as in tables that were learned."""
    weights = np.random.default_rng(seed).integers(-60, 61, (NUM_STAGES, NUM_COLUMNS)).astype(np.int16)
    return np.ascontiguousarray(weights[:, FOLDED])
