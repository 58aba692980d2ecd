from __future__ import annotations

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluation, States
from extremum.engine.games.game import Game
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.search.gumbel import GumbelSearch
from extremum.engine.search.stopper import Limits, Stopper
from tests.engine.search.small_games import OpinionatedEvaluator, UniformEvaluator, random_position, solved

GAMES: list[Game] = [Gomoku(8), Othello(6), Misere(Gomoku(6)), Misere(Othello(6))]


class Recording(OpinionatedEvaluator):
    """Counts the positions of each batch."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def evaluate(self, states: States) -> Evaluation:
        self.batches.append(len(states))
        return super().evaluate(states)


class Broken:
    """Says what is no number."""

    def evaluate(self, states: States) -> Evaluation:
        nothing = np.full(len(states), np.nan, np.float32)
        return Evaluation(np.full((len(states), int(states[0, 1]) ** 2), np.nan, np.float32), nothing, nothing)


def stopper() -> Stopper:
    return Stopper(Limits())


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_visits_are_halved_and_the_move_is_legal(game: Game) -> None:
    position = random_position(game, game.size**2 - 8, seed=3)
    choice = GumbelSearch(OpinionatedEvaluator(), (4, 8)).choose(position, stopper())
    assert choice.move in position.legal_moves()
    assert choice.analysis.best.move == choice.move
    visits = [candidate.visits for candidate in choice.analysis.candidates]
    assert sorted(visits, reverse=True) == [3, 3, 1, 1]


def test_each_round_is_one_evaluation() -> None:
    evaluator = Recording()
    GumbelSearch(evaluator, (8, 24)).choose(random_position(Gomoku(8), 60, seed=1), stopper())
    most = [1, 8, 4, 4, 2, 2, 2, 2]
    assert evaluator.batches[:2] == most[:2]
    assert all(batch <= bound for batch, bound in zip(evaluator.batches, most, strict=False))
    assert len(evaluator.batches) <= len(most)


def test_it_says_the_same_twice() -> None:
    position = random_position(Gomoku(8), 52, seed=5)
    search = GumbelSearch(OpinionatedEvaluator())
    choices = [search.choose(position, stopper()) for _ in range(2)]
    assert [choice.analysis.candidates for choice in choices] == [choices[0].analysis.candidates] * 2


@pytest.mark.parametrize("game", [Gomoku(3, 3), Misere(Gomoku(3, 3))], ids=str)
def test_what_is_proven_is_true(game: Game) -> None:
    search, proven = GumbelSearch(UniformEvaluator(), (8, 160)), 0
    for seed in range(30):
        position = random_position(game, 5, seed)
        for candidate in search.choose(position, stopper()).analysis.candidates:
            if candidate.proven is not None:
                proven += 1
                assert candidate.proven == -solved(position.play(candidate.move))
    assert proven > 60


def test_a_stopper_ends_it_after_the_root_is_evaluated() -> None:
    choice = GumbelSearch(UniformEvaluator()).choose(Gomoku(8).start(), Stopper(Limits(visits=0)))
    assert choice.move in range(64)


def test_an_evaluation_that_is_no_number_is_refused_and_leaves_nothing_behind() -> None:
    search = GumbelSearch(Broken())
    for _ in range(2):
        with pytest.raises(EngineError, match="not a number"):
            search.choose(Gomoku(8).start(), stopper())
