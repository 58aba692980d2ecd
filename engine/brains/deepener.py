"""What the brains by iterative deepening share: a kernel for each game, a hash table and an order of equals."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game, Move, Position
from ..kernels.layout import EMPTIES
from ..processors import num_threads
from ..search.analysis import Analysis, Choice, Reporter
from ..search.deepening import Deepening, Root, Search
from ..search.states import state_of
from ..search.stopper import Stopper
from .random import seed_or_new
from .root_misere import RootMisere, is_ending
from .root_threats import RootThreats, has_threats

if TYPE_CHECKING:
    from ..options import Options

AUTO = "auto"  # weights: those shipped
ENTRY_BYTES = 16
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Kernel:
    """How a game is searched."""

    module: str  # imported when the game is first searched
    scale: float  # the score that is worth a value of tanh 1
    solving: Callable[[int, int], float]  # seconds expected to the end, by empty points and objective
    plies_beyond: int = 0  # the end of the game at which it solves
    disc: int = 0  # the score of a disc

    def load(self, objective: int, weights: str = AUTO) -> Search:
        """The kernel's function, with its tables, of a file or those shipped, if it has learned ones."""
        if self is LEARNED_OTHELLO:
            from ..search.pattern_search import pattern_search

            return pattern_search(objective, weights)
        module = import_module(f"..kernels.{self.module}", __package__)
        search: Search = partial(module.search_together, claims=_claims()) if self is GOMOKU else module.search
        return search


def _claims() -> NDArray[np.uint64]:
    """For the threads that search one root."""
    from ..kernels.claims import CLAIMS

    return np.zeros(CLAIMS, np.uint64)


def _never(empties: int, objective: int) -> float:
    return inf


def _solving_othello(empties: int, objective: int) -> float:
    return (0.1 if objective > 0 else 0.5) * 2.4 ** (empties - 18)


def _solving_othello_by_tables(empties: int, objective: int) -> float:
    return (0.05 if objective > 0 else 0.1) * 2.4 ** (empties - 18)


LEARNED_OTHELLO = Kernel("othello_pattern_search", 1500.0, _solving_othello_by_tables, plies_beyond=1, disc=100)
GOMOKU = Kernel("gomoku_search", 200.0, _never)
KERNELS = {
    "gomoku": GOMOKU,
    "othello": Kernel("othello_search", 1500.0, _solving_othello, disc=100),
}


def seconds_to_solve(position: Position, evaluation: str) -> float:
    """What a search that prunes is expected to take to the end of the game."""
    empties = position.game.num_moves - (position.black | position.white).bit_count()
    return _kernel_of(position.game, evaluation).solving(empties, position.game.objective)


def _kernel_of(game: Game, evaluation: str) -> Kernel:
    """Learned tables are for the 8x8 board."""
    has_tables = evaluation == "patterns" and (game.name, game.size) == ("othello", 8)
    return LEARNED_OTHELLO if has_tables else KERNELS[game.name]


class Deepener:
    """Searches position after position with one hash table, which belongs to one game."""

    def __init__(self, options: Options, *, prune: bool, weights: str = AUTO) -> None:
        self._prune = prune
        self._evaluation = options.evaluation
        self._weights = weights
        self._seed = seed_or_new(options.seed)
        self._threads = num_threads(options.threads) if prune else 1
        entries = options.memory * MEGABYTE // ENTRY_BYTES
        self._table = np.empty((1 << entries.bit_length() - 1, 2), np.uint64)
        self._table.fill(0)  # now, not page by page while the clock runs
        self._game: Game | None = None
        self._threats, self._misere = RootThreats(nodes_a_visit=1), RootMisere(nodes_a_visit=3)

    def choose(self, position: Position, stopper: Stopper, report: Reporter) -> Choice:
        """Search until the stopper stops it or the result is proven."""
        self._begin(position.game)
        moves = _without(self._moves(position), stopper.limits.barred)
        if self._prune and stopper.limits.depth is None:
            win, moves = self._prove(position, moves, stopper)
            if win is not None:
                report(lambda: win)
                return Choice(win.best.move, win)
        analysis = Deepening(self._root(position, moves), self._table, stopper, report, self._threads).run()
        return Choice(analysis.best.move, analysis)

    def prove(self, position: Position, stopper: Stopper) -> Analysis | None:
        """A win that is proven without a search; None says nothing."""
        self._begin(position.game)
        return self._prove(position, _without(position.legal_moves(), stopper.limits.barred), stopper)[0]

    def _begin(self, game: Game) -> None:
        """What was kept belongs to one game; what another one takes is loaded with its first search."""
        if self._game == game:
            return
        if self._game is not None:
            self._table.fill(0)
        self._misere.prepare(game)
        self._game = game

    def _prove(self, position: Position, moves: list[Move], stopper: Stopper) -> tuple[Analysis | None, list[Move]]:
        """A win by one of the moves, if there is a proof, and the moves that are not proven to lose."""
        if is_ending(position):
            ending = self._misere.look(position, stopper, self._table)
            return _among(ending.win, moves), _without(moves, ending.losing)
        if not has_threats(position):
            return None, moves
        win = _among(self._threats.find(position, stopper), moves)
        return win, moves if win else _restrict(position, moves)

    def _root(self, position: Position, moves: list[Move]) -> Root:
        game, state = position.game, state_of(position)
        kernel = _kernel_of(game, self._evaluation if self._prune else "handmade")
        return Root(
            search=kernel.load(game.objective, self._weights),
            state=state,
            moves=moves,
            objective=game.objective,
            prune=self._prune,
            scale=kernel.scale,
            empties=int(state[EMPTIES]) + kernel.plies_beyond,
            seconds_to_solve=seconds_to_solve(position, self._evaluation) if self._prune else inf,
            disc=kernel.disc,
        )

    def _moves(self, position: Position) -> list[Move]:
        """The legal moves in an order by chance, for the first of equals is chosen; on an empty board the center."""
        game = position.game
        if game.name == "gomoku" and game.objective > 0 and not position.black | position.white:
            return [game.size // 2 * (game.size + 1)]
        moves = position.legal_moves()
        random.Random(f"{self._seed} {position.black} {position.white}").shuffle(moves)
        if game.name != "gomoku":
            return moves
        if game.objective < 0:
            from .spoiling import least_spoiling  # kernels that Othello need not load

            return least_spoiling(position, moves)
        threats = _threats(position)
        return sorted(moves, key=lambda move: move not in threats)


def _restrict(position: Position, moves: list[Move]) -> list[Move]:
    """The moves that do not lose to fours, if there are any and the others do."""
    from ..search.threats import defenses

    kept = defenses(position) or []
    return [move for move in moves if move in kept] or moves


def _among(win: Analysis | None, moves: list[Move]) -> Analysis | None:
    """The win, if it begins with one of the moves."""
    return win if win is not None and win.best.move in moves else None


def _without(moves: list[Move], barred: frozenset[Move]) -> list[Move]:
    """The moves that are not barred, if there are any."""
    return [move for move in moves if move not in barred] or moves


def _threats(position: Position) -> set[Move]:
    """Where the opponent would win at once, were it his turn: of moves that all lose, these come first."""
    opponent = position.turned(position.side_to_move.opponent)
    return {move for move in opponent.legal_moves() if opponent.play(move).outcome() is not None}
