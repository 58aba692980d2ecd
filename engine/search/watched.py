"""Solvers that run aside, with a control array that tells them to stop."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from ..kernels.gomoku_play import STOP
from .aside import Work, run_aside
from .deepening import POLL
from .stopper import Stopper


def run_watched(work: Work, control: NDArray[np.int64], stopper: Stopper, seconds: float = inf) -> None:
    """Do the work until it ends, the stopper stops it or so many seconds of its clock have passed."""

    def patience() -> float:
        return min(POLL, max(seconds - stopper.elapsed, POLL / 10))

    def watch() -> None:
        control[STOP] |= stopper.elapsed >= seconds or stopper.should_stop(0)

    run_aside(work, patience, watch)
