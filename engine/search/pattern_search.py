"""Othello's search with learned tables, in the form of the other searches by iterative deepening."""

from __future__ import annotations

from functools import partial

from ..evaluators.pattern_tables import shipped_tables
from ..kernels.othello_pattern_search import search
from .deepening import Search

CAUTION = 130  # hundredths of a standard deviation by which a shallow search must miss a bound to be believed


def pattern_search(objective: int, caution: int = CAUTION) -> Search:
    """The search of the 8x8 board for this objective; EngineError when its tables are not there.

    A position with n empty squares is solved at depth n + 1: the depth before looks to the end too, but with cuts.
    """
    tables = shipped_tables(objective)
    found: Search = partial(search, weights=tables.weights, errors=tables.errors, caution=caution)
    return found
