from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from extremum.engine.errors import EngineError
from extremum.engine.evaluators.evaluator import Evaluation, Evaluator, States
from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.kernels.board import legal_moves
from extremum.engine.kernels.graph import PENDING, RESERVED, settle
from extremum.engine.kernels.layout import (
    BLACK_DISCS,
    EMPTIES,
    GUARD,
    NUM_LINES,
    OBJECTIVE,
    ROWS,
    SIDE,
    STONES,
    WHITE_DISCS,
)
from extremum.engine.kernels.selfplay import Course
from extremum.engine.search.states import State
from extremum.engine.training.samples import Samples
from extremum.engine.training.selfplay import Arena, SelfPlay, Settings
from tests.engine.search.small_games import OpinionatedEvaluator, solved

SMALL = Settings(games=6, rows=24, budget=(4, 8), memory=1 << 20)
GAMES: list[Game] = [
    Gomoku(3, 3),
    Gomoku(8),
    Gomoku(9, 5, "renju"),
    Othello(6),
    Misere(Gomoku(6)),
    Misere(Othello(6)),
]


def played(game: Game, settings: Settings = SMALL, games: int = 10, seed: int = 1) -> list[Samples]:
    play = SelfPlay([(game, 1.0)], lambda game: OpinionatedEvaluator(), settings, np.random.default_rng(seed))
    return list(play.play(games))


def position_of(game: Game, state: State) -> Position:
    ordinary = game.ordinary if isinstance(game, Misere) else game
    black, white = (bits_of(ordinary, state, color) for color in (0, 1))
    return game.setup(black, white, Color(int(state[SIDE])))


def bits_of(game: Game, state: State, color: int) -> int:
    size, bits = game.size, 0
    for row in range(size):
        if game.name == "othello":
            stones = int(state[BLACK_DISCS if color == 0 else WHITE_DISCS]) >> 8 * row
        else:
            stones = int(state[STONES + color * NUM_LINES + ROWS + row]) >> GUARD
        bits |= (stones & (1 << size) - 1) << row * size
    return bits


def first_choices(careless: float) -> float:
    """The share of the moves that the search thought best."""
    settings = replace(SMALL, course=Course(careless=careless))
    arena = Arena(Gomoku(8), OpinionatedEvaluator(), settings, np.random.default_rng(1))
    for _ in range(120):
        arena.step()
    games = arena._games
    best = [
        int(games.policies[game, ply].argmax()) == games.moves[game, ply]
        for game in range(SMALL.games)
        for ply in range(games.plies[game])
    ]
    assert len(best) > 20
    return float(np.mean(best))


def test_careless_moves_are_not_the_ones_that_the_search_found() -> None:
    assert first_choices(0.0) > 0.5 > 0.3 > first_choices(1.0)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_samples_keep_what_they_promise(game: Game) -> None:
    moves = np.zeros(512, np.int16)
    for samples in played(game):
        rows = len(samples)
        assert rows > 0
        assert samples.policy.dtype == np.float16
        assert samples.policy.shape == (rows, game.num_moves)
        np.testing.assert_allclose(samples.policy.astype(np.float32).sum(axis=1), 1, atol=0.01)
        for state, policy in zip(samples.states, samples.policy, strict=True):
            legal = moves[: legal_moves(state, moves)]
            assert np.delete(policy, legal).max(initial=0) == 0
        assert (samples.states[:, OBJECTIVE] == (game.objective < 0)).all()
        assert (np.abs(samples.value) <= 1.0001).all()
        assert (samples.surprise >= 0).all()
        assert set(samples.outcome.tolist()) <= {-1, 0, 1}
        assert samples.reply[-1] == -1
        assert (samples.reply[:-1] >= 0).all()
        assert samples.ownership.shape == (rows, game.size**2 if game.name == "othello" else 0)
        assert set(samples.weight.tolist()) <= {1.0, np.float32(0.1)}


@pytest.mark.parametrize("game", [Gomoku(8), Misere(Gomoku(6)), Othello(6), Misere(Othello(6))], ids=str)
def test_the_same_seed_gives_the_same_samples(game: Game) -> None:
    for one, other in zip(played(game), played(game), strict=True):
        for column in fields(Samples):
            np.testing.assert_array_equal(getattr(one, column.name), getattr(other, column.name))
    first, second = ([samples.states.tobytes() for samples in played(game, seed=seed)] for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize("game", [Gomoku(8), Othello(6), Misere(Gomoku(6)), Misere(Othello(6))], ids=str)
def test_outcomes_alternate_where_no_proof_corrects_them(game: Game) -> None:
    turns = [
        (before, after)
        for samples in played(game)
        for before, after in zip(samples.outcome[:-1].tolist(), samples.outcome[1:].tolist(), strict=True)
    ]
    assert sum(before == -after for before, after in turns) > 0.8 * len(turns)


@pytest.mark.parametrize("game", [Gomoku(3, 3), Misere(Gomoku(3, 3)), Gomoku(4, 4), Misere(Gomoku(4, 3))], ids=str)
def test_the_last_label_is_the_truth_where_the_game_was_cut(game: Game) -> None:
    settings = Settings(games=6, rows=96, budget=(16, 64), memory=1 << 20, plays_on=0.0)
    checked = 0
    for samples in played(game, settings, games=12):
        position = position_of(game, samples.states[-1])
        if position.game.size == 3 or samples.states[-1, EMPTIES] <= 9:
            checked += 1
            assert samples.outcome[-1] == solved(position)
    assert checked > 3


@pytest.mark.parametrize("game", [Othello(6), Misere(Othello(6))], ids=str)
def test_othello_is_labelled_with_its_exact_end(game: Game) -> None:
    settings = Settings(games=4, rows=16, budget=(4, 8), memory=1 << 20, plays_on=0.0, course=Course(exact=5))
    for samples in played(game, settings, games=4):
        np.testing.assert_array_equal(samples.ownership.sum(axis=1), samples.score)
        np.testing.assert_array_equal(np.sign(samples.score) * game.objective, samples.outcome)
        position = position_of(game, samples.states[-1])
        margins = [-margin(position.play(move)) for move in position.legal_moves()]
        assert samples.states[-1, EMPTIES] > 5
        assert samples.score[-1] * game.objective in margins


def margin(position: Position) -> int:
    """The discs that the side to move gains with the best play of both, in the terms of the objective."""
    if position.outcome() is not None:
        difference = position.black.bit_count() - position.white.bit_count()
        return position.game.objective * (difference if position.side_to_move is Color.BLACK else -difference)
    return max(-margin(position.play(move)) for move in position.legal_moves())


def test_values_look_forward_and_end_in_the_outcome() -> None:
    for samples in played(Misere(Gomoku(6)), Settings(games=6, rows=24, budget=(4, 8), memory=1 << 20, horizon=1.0)):
        assert samples.value[-1] == pytest.approx(samples.outcome[-1])


def test_nothing_stays_in_flight_and_a_small_graph_is_cleared() -> None:
    settings = Settings(games=6, rows=24, budget=(4, 8), memory=0)
    arena = Arena(Gomoku(8), OpinionatedEvaluator(), settings, np.random.default_rng(1))
    for _ in range(300):
        arena.step()
        graph, nodes, edges = arena._graph, int(arena._graph.used[0]), int(arena._graph.used[1])
        assert graph.used[PENDING] == graph.used[RESERVED] == 0
        assert not graph.nodes["is_pending"][:nodes].any()
        assert not graph.nodes["in_flight"][:nodes].any()
        assert not graph.edges["in_flight"][:edges].any()
    assert arena.clearings > 0
    assert arena.plies > 0


class Counting:
    """Notes how many visits were under way, those that wait for others' leaves included."""

    def __init__(self) -> None:
        self.filled, self.most = np.zeros(2, np.int64), 0

    def evaluate(self, states: States) -> Evaluation:
        self.most = max(self.most, int(self.filled.sum()))
        return OpinionatedEvaluator().evaluate(states)


def test_games_that_want_more_rows_than_there_are_take_turns() -> None:
    settings = Settings(games=12, rows=8, budget=(4, 8), memory=1 << 20)
    evaluator = Counting()
    arena = Arena(Gomoku(6), evaluator, settings, np.random.default_rng(1))
    evaluator.filled = arena._rows.filled
    for _ in range(200):
        arena.step()
        assert not arena._rows.filled.any()
    assert evaluator.most == 8
    assert arena.plies > 0


def test_a_root_whose_moves_are_all_lost_meanwhile_has_a_policy_and_a_legal_move() -> None:
    settings = Settings(games=1, rows=16, budget=(9, 9), memory=1 << 20, plays_on=1.0)
    arena = Arena(Gomoku(3, 3), OpinionatedEvaluator(), settings, np.random.default_rng(1))
    games, graph = arena._games, arena._graph
    while games.roots.made[0] < 9:
        arena.step()
    for child in graph.edges["child"][: graph.nodes["num_edges"][0]]:  # as another game on the same graph might find
        settle(graph, int(child), 1)
    while games.plies[0] == 0:
        arena.step()
    assert games.policies[0, 0].sum() == pytest.approx(1)
    assert games.proofs[0, 0] == -1
    assert games.policies[0, 0, games.moves[0, 0]] > 0


def test_each_game_has_its_share_of_the_positions() -> None:
    mixture: list[tuple[Game, float]] = [(Gomoku(6), 3.0), (Misere(Gomoku(6)), 1.0)]
    play = SelfPlay(mixture, lambda game: OpinionatedEvaluator(), SMALL, np.random.default_rng(1))
    rows = [0, 0]
    for samples in play.play(120):
        rows[int(samples.states[0, OBJECTIVE])] += len(samples)
    assert sum(rows) == pytest.approx(play.positions, abs=200)
    assert rows[0] / sum(rows) == pytest.approx(0.75, abs=0.15)


class Failing:
    """Fails once, then has no opinion of its own."""

    def __init__(self) -> None:
        self.calls = 0

    def evaluate(self, states: States) -> Evaluation:
        self.calls += 1
        if self.calls == 3:
            raise EngineError("the evaluation failed")
        return OpinionatedEvaluator().evaluate(states)


def test_a_failed_evaluation_leaves_games_that_can_be_played_on() -> None:
    evaluator: Evaluator = Failing()
    play = SelfPlay([(Gomoku(6), 1.0)], lambda game: evaluator, SMALL, np.random.default_rng(1))
    with pytest.raises(EngineError, match="failed"):
        list(play.play(4))
    play.use(lambda game: OpinionatedEvaluator())
    play.set_budget((8, 24))
    assert len(list(play.play(4))) == 4


def test_a_mixture_without_games_is_refused() -> None:
    with pytest.raises(EngineError, match="needs a game"):
        SelfPlay([], lambda game: OpinionatedEvaluator(), SMALL, np.random.default_rng(1))
