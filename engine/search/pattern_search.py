"""Othello's search with learned tables, in the form of the other searches by iterative deepening."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from ..evaluators.pattern_tables import PatternTables, load_tables
from ..evaluators.wishes import AUTO, find_file
from ..games import make_game
from ..games.misere import Misere
from ..kernels.claims import CLAIMS
from ..kernels.othello_pattern_search import search
from .deepening import Search

# Hundredths of a standard deviation by which a shallow search must miss a bound to be believed. By matches of 200 games
# at 100,000 nodes: 100 beats 130 by 53 Elo, 75 beats 100 by 40, 55 beats 100 by 14; at a million
# 75 has 59 % of 60 games against 130.
CAUTION = 75


def pattern_search(objective: int, weights: str = AUTO, caution: int = CAUTION) -> Search:
    """The search of the 8x8 board, by the shipped tables or those of a file; EngineError when they are not there.

    A position with n empty squares is solved at depth n + 1: the depth before looks to the end too, but with cuts.
    """
    tables = _tables(objective, weights)
    claims = np.zeros(CLAIMS, np.uint64)  # of the threads that search one root
    found: Search = partial(search, weights=tables.weights, errors=tables.errors, caution=caution, claims=claims)
    return found


@lru_cache(maxsize=4)
def _tables(objective: int, weights: str) -> PatternTables:
    """Read once."""
    game = make_game("othello", 8)
    path, sha256 = find_file(weights, game if objective > 0 else Misere(game), "patterns")
    return load_tables(path, objective, sha256)
