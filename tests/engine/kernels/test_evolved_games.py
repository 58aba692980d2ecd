import numpy as np
import pytest

from extremum.engine.games.game import Position
from extremum.engine.games.misere import MiserePosition, misere
from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, transform_position
from extremum.engine.kernels.evolved_games import (
    CERTAIN,
    CHANCE,
    COEFFICIENTS,
    GREEDY,
    HANDMADE,
    NETWORK,
    NUM_PHASES,
    NUM_UNITS,
    STATES,
    judged,
    play_pairs,
    score_squares,
)
from extremum.engine.kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from extremum.engine.kernels.othello import move_of
from extremum.engine.kernels.othello_weights import NUM_FEATURES
from extremum.engine.kernels.rng import make_rng
from extremum.engine.search.states import state_of
from tests.engine.kernels.positions import random_positions

Judge = tuple[int, int, int, int, np.ndarray]


def judge_of(kind: int, size: int, objective: int = 1, depth: int = 2) -> Judge:
    genes = STATES * NUM_UNITS[size] if kind == NETWORK else NUM_PHASES * NUM_FEATURES
    return kind, size, objective, depth, np.random.default_rng(kind).normal(size=genes).astype(np.float32)


def discs_of(position: Position) -> tuple[np.uint64, np.uint64]:
    state = state_of(position)
    side = int(state[SIDE])
    return state[BLACK_DISCS + side], state[WHITE_DISCS - side]


def searched(position: Position, depth: int, judge: Judge) -> float:
    """The definition: a full search by the rules of the game, in which a pass costs no depth."""
    ordinary = position.ordinary if isinstance(position, MiserePosition) else position
    if ordinary.outcome() is not None:
        own, opp = (int(discs).bit_count() for discs in discs_of(ordinary))
        margin = judge[2] * (own - opp)
        return margin + float(np.sign(margin)) * float(CERTAIN)
    moves = position.legal_moves()
    if moves == [position.game.pass_move]:
        return -searched(position.play(moves[0]), depth, judge)
    if depth == 0:
        return float(judged(*discs_of(position), judge))
    return max(-searched(position.play(move), depth - 1, judge) for move in moves)


@pytest.mark.parametrize("kind", [NETWORK, COEFFICIENTS])
@pytest.mark.parametrize("objective", [1, -1])
def test_scores_are_those_of_a_full_search(kind: int, objective: int) -> None:
    judge = judge_of(kind, 6, objective)
    for position in random_positions(Othello(6), 2)[::4]:
        if position.outcome() is not None or position.legal_moves() == [36]:
            continue
        asked = position if objective > 0 else misere(position)
        squares, scores = np.zeros(64, np.int16), np.zeros(64, np.float32)
        count = score_squares(*discs_of(position), judge, squares, scores)
        found = {move_of(int(square), 6): score for square, score in zip(squares, scores[:count], strict=False)}
        wanted = {move: -searched(asked.play(move), judge[3] - 1, judge) for move in position.legal_moves()}
        assert found == pytest.approx(wanted, rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("size", [6, 8])
def test_a_network_judges_mirror_images_alike(size: int) -> None:
    judge = judge_of(NETWORK, size)
    for position in random_positions(Othello(size), 1)[::7]:
        values = [judged(*discs_of(transform_position(position, symmetry)), judge) for symmetry in SYMMETRIES]
        assert values == pytest.approx([values[0]] * len(SYMMETRIES), abs=1e-3)


def test_the_pairs_of_neighbors_are_as_many_as_published() -> None:
    assert NUM_UNITS[8] == 32


def test_the_same_player_on_both_sides_draws_every_pair_of_games() -> None:
    kind, size, objective, depth, genes = judge_of(NETWORK, 8, depth=1)
    margins = np.zeros((6, 2), np.int64)
    rules = np.array([size, objective, depth, 6], np.int64)
    play_pairs(kind, rules, genes[None], np.zeros((6, 2), np.int64), margins, make_rng(1))
    assert (margins[:, 0] == -margins[:, 1]).all()
    assert margins.any()


@pytest.mark.parametrize("objective", [1, -1])
def test_the_hand_made_evaluation_beats_chance_and_greed(objective: int) -> None:
    rules, genes = np.array([8, objective, 2, 6], np.int64), np.zeros((1, NUM_PHASES * NUM_FEATURES), np.float32)
    for opponent in (CHANCE, GREEDY):
        margins = np.zeros((20, 2), np.int64)
        pairs = np.array([(HANDMADE, opponent)] * 20, np.int64)
        play_pairs(COEFFICIENTS, rules, genes, pairs, margins, make_rng(1))
        assert (margins > 0).sum() > 34
