"""What a search was: in one line, and as data."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from ..engine.games.game import Game
from ..engine.search.analysis import Analysis, Candidate
from ..engine.session import Session
from .notation import write_color, write_line, write_vertex

PROOFS = {1: "win", 0: "draw", -1: "loss"}


def summarize(session: Session) -> None:
    """Tell the log about the search behind the last move, in one line."""
    played = session.moves[-1]
    if played.analysis is not None:
        move = f"{write_color(played.color)} {write_vertex(played.move, session.game)}"
        logging.getLogger(__name__).info("%s: %s", move, explanation(played.analysis, session))


def explanation(analysis: Analysis, session: Session) -> str:
    """One line about a search: its best move's prospects and its size."""
    best = analysis.best
    line = write_line(best.line, session.game)
    length = "" if best.distance is None else f" in {best.distance}"
    proof = "" if best.proven is None else f"{PROOFS[best.proven]}{length}, "
    size = f"visits {analysis.visits}, depth {analysis.depth}, {analysis.seconds:.2f} s, {analysis.speed:.0f}/s"
    return f"{proof}winrate {50 + 50 * best.value:.1f}%, {size}, pv {line}"


def analysis_record(analysis: Analysis, game: Game, told: Sequence[Candidate] | None = None) -> dict[str, Any]:
    """An analysis as data, best candidate first: those told, or all; values are for the side to move."""
    return {
        "visits": analysis.visits,
        "seconds": analysis.seconds,
        "nps": analysis.speed,
        "depth": analysis.depth,
        "candidates": [_candidate_record(each, game) for each in (analysis.candidates if told is None else told)],
    }


def _candidate_record(candidate: Candidate, game: Game) -> dict[str, Any]:
    return {
        "move": write_vertex(candidate.move, game),
        "visits": candidate.visits,
        "value": candidate.value,
        "winrate": min(1.0, max(0.0, (1 + candidate.value) / 2)),
        "prior": candidate.prior,
        "lcb": candidate.lcb,
        "proven": None if candidate.proven is None else PROOFS[candidate.proven],
        "distance": candidate.distance,
        "pv": [write_vertex(move, game) for move in candidate.line or (candidate.move,)],
    }
