"""An analysis of moves that were judged at once, without a tree."""

from __future__ import annotations

from math import exp

from ..games.game import Move
from ..search.analysis import Analysis, Candidate, Choice, Reporter
from ..search.stopper import Stopper

SHARPNESS = 10.0  # of the priors that the values stand for


def choose_best(values: dict[Move, float], stopper: Stopper, report: Reporter, depth: int = 1) -> Choice:
    """The move with the greatest value, -1..+1, as a choice; of equals the first."""
    ranked = sorted(values, key=lambda move: -values[move])
    weights = {move: exp(SHARPNESS * (values[move] - values[ranked[0]])) for move in ranked}
    total = sum(weights.values())
    candidates = tuple(
        Candidate(move, visits=1, value=values[move], prior=weights[move] / total, lcb=values[move], line=(move,))
        for move in ranked
    )
    analysis = Analysis(candidates, visits=len(candidates), seconds=stopper.elapsed, depth=depth)
    report(lambda: analysis)
    return Choice(ranked[0], analysis)
