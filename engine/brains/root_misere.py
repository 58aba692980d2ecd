"""The end of misère Gomoku, judged before a search of it begins."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from math import inf

from ..games.game import Game, Move, Position
from ..search.analysis import Analysis, Candidate
from ..search.deepening import Table
from ..search.stopper import Stopper

SHARE = 0.5  # of the limits
MOST_NODES = 5_000_000  # where there is no limit
LEAST_EMPTIES, MOST_EMPTIES = 9, 26  # a search sees the end of fewer by itself, and no solver that of more


@dataclass(frozen=True, slots=True)
class Ending:
    """What is proven of a position."""

    win: Analysis | None = None
    losing: frozenset[Move] = frozenset()  # looked for only where it is known that no move wins


class RootMisere:
    """Judges moves with a share of a search's limits; a visit of the search is worth so many nodes."""

    def __init__(self, nodes_a_visit: float) -> None:
        self._nodes_a_visit = nodes_a_visit

    def prepare(self, game: Game) -> None:
        """Load what judging takes, before a clock runs."""
        if has_endings(game):
            import_module("..search.misere_endgame", __package__)

    def look(self, position: Position, stopper: Stopper, table: Table) -> Ending:
        """A move that wins, or those that lose, as far as the limits allow; the table belongs to one game."""
        from ..search.misere_endgame import judge_moves  # other games need not load it

        seconds = inf if stopper.seconds is None else stopper.elapsed + SHARE * stopper.seconds
        most = self._most_nodes(stopper)
        side, moves = position.side_to_move, set(position.legal_moves())
        found = judge_moves(position, side, stopper, table, most, seconds)
        if found.forcing:
            return Ending(_win(min(found.forcing), found.nodes, stopper.elapsed))
        if found.harmless != moves:
            return Ending()
        lost = judge_moves(position, side.opponent, stopper, table, most - found.nodes, seconds)
        return Ending(losing=lost.forcing)

    def _most_nodes(self, stopper: Stopper) -> int:
        visits = stopper.limits.visits
        return MOST_NODES if visits is None else min(MOST_NODES, round(SHARE * visits * self._nodes_a_visit))


def is_ending(position: Position) -> bool:
    """True for the end of such a game."""
    empties = position.game.num_moves - (position.black | position.white).bit_count()
    return has_endings(position.game) and LEAST_EMPTIES <= empties <= MOST_EMPTIES


def has_endings(game: Game) -> bool:
    """True for misère Gomoku where a longer row counts, too."""
    return game.name == "gomoku" and game.objective < 0 and game.rule == "freestyle"


def _win(move: Move, nodes: int, seconds: float) -> Analysis:
    best = Candidate(move, nodes, 1.0, 1.0, 1.0, (move,), proven=1)
    return Analysis((best,), nodes, seconds, 1)
