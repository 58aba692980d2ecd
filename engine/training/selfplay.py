"""Self-play: many games in lockstep, one evaluation per step for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..errors import EngineError
from ..evaluators.evaluator import Evaluator
from ..games.game import Game
from ..kernels import lockstep, selfplay
from ..kernels.gather import are_numbers
from ..kernels.gomoku_vcf import make_vcf_work
from ..kernels.graph import EDGE_BYTES, NODE_BYTES, clear, make_graph
from ..kernels.gumbel import Gumbel, make_plans
from ..kernels.leaf import make_leaf_work
from ..kernels.puct import Puct
from ..kernels.rng import make_rng
from ..kernels.selfplay import ENDED, Course
from .openings import Openings
from .records import samples_of
from .samples import Samples

MEGABYTE = 1 << 20
EDGES_A_NODE = {"othello": 12}  # legal moves, roughly; in Gomoku every point


@dataclass(frozen=True, slots=True)
class Settings:
    """How self-play goes about it."""

    games: int = 48  # played side by side, of each kind
    rows: int = 512  # positions evaluated at once, at most
    budget: tuple[int, int] = (8, 24)  # moves tried and visits, for each move
    small_budget: tuple[int, int] = (4, 8)  # in decided games
    plays_on: float = 0.1  # of the games whose result is proven go on
    horizon: float = 6.0  # plies that the averages of values reach forward
    memory: int = 256 * MEGABYTE  # of each kind's graph
    leaf_fours: int = 64  # nodes of the search for a win by fours at each leaf
    leaf_empties: int = 8  # Othello's leaves are solved with at most so many empty squares
    puct: Puct = field(default_factory=Puct)
    gumbel: Gumbel = field(default_factory=Gumbel)
    course: Course = field(default_factory=Course)


class SelfPlay:
    """Plays the games of a mixture; each one's share is one of the positions played.

    The same seed and the same evaluators give the same samples.
    """

    def __init__(
        self,
        mixture: Sequence[tuple[Game, float]],
        evaluator_of: Callable[[Game], Evaluator],
        settings: Settings,
        rng: np.random.Generator,
    ) -> None:
        if not mixture or any(share <= 0 for _, share in mixture):
            raise EngineError("self-play needs a game, and a share above zero for each")
        self._shares = [share for _, share in mixture]
        self._arenas = [Arena(game, evaluator_of(game), settings, rng) for game, _ in mixture]

    @property
    def positions(self) -> int:
        """How many moves were played."""
        return sum(arena.plies for arena in self._arenas)

    @property
    def evaluations(self) -> int:
        """How many positions were evaluated."""
        return sum(arena.evaluations for arena in self._arenas)

    def use(self, evaluator_of: Callable[[Game], Evaluator]) -> None:
        """Go on with other evaluators; what the old ones said is forgotten, the games are played on."""
        for arena in self._arenas:
            arena.use(evaluator_of(arena.game))

    def set_budget(self, budget: tuple[int, int]) -> None:
        """Search with another number of moves tried and of visits from now on."""
        for arena in self._arenas:
            arena.set_budget(budget)

    def step(self) -> list[Samples]:
        """One evaluation of one kind of games, the one most behind its share; the samples of games that ended."""
        behind = min(range(len(self._arenas)), key=lambda index: self._arenas[index].plies / self._shares[index])
        return self._arenas[behind].step()

    def play(self, games: int) -> Iterator[Samples]:
        """Play until this many games have ended, and tell of each one when it has."""
        while games > 0:
            for samples in self.step()[:games]:
                games -= 1
                yield samples


class Arena:
    """Games of one kind in lockstep, on one graph."""

    def __init__(self, game: Game, evaluator: Evaluator, settings: Settings, rng: np.random.Generator) -> None:
        self.game = game
        self.plies, self.evaluations, self.clearings = 0, 0, 0
        self._evaluator = evaluator
        self._settings = settings
        self._rng = rng
        self._words = make_rng(int(rng.integers(2**62)))
        self._openings = Openings(game, rng)
        self._make_arrays(game, settings)
        self.set_budget(settings.budget)

    def _make_arrays(self, game: Game, settings: Settings) -> None:
        self._games = selfplay.make_games(settings.games, game.num_moves, 2 * game.size**2)
        self._rows = lockstep.make_rows(settings.rows)
        self._manner = lockstep.Manner(settings.puct._replace(objective=game.objective), settings.gumbel)
        self._work = make_leaf_work(settings.leaf_fours, settings.leaf_empties)
        self._fours = make_vcf_work()

    def use(self, evaluator: Evaluator) -> None:
        """Go on with another evaluator."""
        self._evaluator = evaluator
        self._forget()

    def set_budget(self, budget: tuple[int, int]) -> None:
        """Search with other numbers from now on; searches under way begin anew."""
        settings, game = self._settings, self.game
        edges_a_node = EDGES_A_NODE.get(game.name, game.size**2)
        # A graph that cannot hold every search to its end would be cleared for ever.
        least = 2 * settings.games * (budget[1] + 2)
        nodes = max(least, settings.memory // (NODE_BYTES + edges_a_node * EDGE_BYTES))
        self._graph = make_graph(nodes, nodes * edges_a_node + settings.rows * game.num_moves)
        self._plans = make_plans(budget, settings.small_budget)
        selfplay.restart(self._games.roots)

    def step(self) -> list[Samples]:
        """Evaluate one leaf of every game, play on, and return what the games that ended have to tell."""
        self._begin_games()
        has_room = selfplay.gather(
            self._graph,
            self._games,
            self._plans,
            self._manner,
            self._settings.course,
            self._rows,
            self._work,
            self._fours,
            self._words,
        )
        self._evaluate()
        if not has_room:
            self.clearings += 1
            self._forget()
        return [self._finished(game) for game in self._ended() if self._games.plies[game] > 0]

    def _ended(self) -> list[int]:
        return [int(game) for game in np.flatnonzero(self._games.status == ENDED)]

    def _begin_games(self) -> None:
        for game in self._ended():
            plays_on = bool(self._rng.random() < self._settings.plays_on)
            selfplay.begin_game(self._games, game, self._openings.take(self._evaluator), plays_on)

    def _evaluate(self) -> None:
        """Have the leaves evaluated; whatever is raised on the way leaves nothing in flight."""
        count = int(self._rows.filled[lockstep.LEAVES])
        if count == 0:
            return
        try:
            evaluation = self._evaluator.evaluate(self._rows.batch.states[:count])
            logits = np.ascontiguousarray(evaluation.logits, np.float32)
            value = np.ascontiguousarray(evaluation.value, np.float32)
            if not are_numbers(logits, value):
                raise EngineError("the evaluation is not a number")
            lockstep.update(self._graph, self._rows, logits, value)
            self.evaluations += count
        finally:
            if self._rows.filled.any():
                lockstep.release(self._graph, self._rows)
                selfplay.restart(self._games.roots)

    def _forget(self) -> None:
        """Clear the graph; the searches under way begin anew."""
        clear(self._graph)
        selfplay.restart(self._games.roots)

    def _finished(self, game: int) -> Samples:
        samples = samples_of(self.game, self._games, game, self._work, self._settings.horizon)
        self.plies += len(samples)
        return samples
