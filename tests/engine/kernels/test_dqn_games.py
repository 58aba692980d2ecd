import numpy as np
import pytest

from extremum.engine.games.othello import Othello
from extremum.engine.games.symmetry import SYMMETRIES, permutation
from extremum.engine.kernels import dqn_games
from extremum.engine.kernels.dqn_games import MOST_PLIES, NUM_NOTES, OPENINGS, RIVAL, advance, begin_all, draw_discs
from extremum.engine.kernels.layout import BLACK_DISCS, SIDE, WHITE_DISCS
from extremum.engine.kernels.rng import make_rng
from extremum.engine.search.states import state_of
from tests.engine.kernels.positions import random_positions

GAMES = 8


def make_games() -> dqn_games.Games:
    record, moves = np.zeros((GAMES, MOST_PLIES, 2), np.uint64), np.zeros((GAMES, MOST_PLIES, 3), np.int8)
    return np.zeros((GAMES, 2), np.uint64), np.zeros((GAMES, NUM_NOTES), np.int64), record, moves


def make_replay(size: int) -> dqn_games.Replay:
    discs, moves = np.zeros((size, 4), np.uint64), np.zeros((size, 2), np.int8)
    return discs, moves, np.zeros(size, np.float32), np.zeros(2, np.int64)


def played(size: int, objective: int, patience: float, rows: int = 4000) -> dqn_games.Replay:
    """What is remembered of games by values that never change."""
    games, replay, rng = make_games(), make_replay(rows), make_rng(3)
    games[1][:2, RIVAL] = 1
    begin_all(size, games, rng)
    values = np.random.default_rng(1).random((GAMES, size * size)).astype(np.float32)
    finished = 0
    while finished < 12:
        finished += advance(size, objective, values, 0.1, patience, games, replay, rng)
    return replay


def discs_of(position: object) -> tuple[int, int]:
    state = state_of(position)  # type: ignore[arg-type]  # any position
    side = int(state[SIDE])
    return int(state[BLACK_DISCS + side]), int(state[WHITE_DISCS - side])


@pytest.mark.parametrize("size", [6, 8])
def test_remembered_games_follow_the_rules(size: int) -> None:
    """Every remembered move is legal, and one ply later is the position that the rules say, passes played."""
    discs, moves, rewards, (_, count) = played(size, 1, patience=0.0)
    game = Othello(size)
    for row in range(count):
        own, opp, *later = (int(word) for word in discs[row])
        position = game.setup(narrow(own, size), narrow(opp, size), game.start().side_to_move)
        move = int(moves[row, 0]) // 8 * size + int(moves[row, 0]) % 8
        assert move in position.legal_moves()
        position = position.play(move)
        while position.outcome() is None and position.legal_moves() == [game.pass_move]:
            position = position.play(game.num_moves - 1)
        outcome = position.outcome()
        if outcome is not None:
            margin = position.black.bit_count() - position.white.bit_count()
            assert moves[row, 1] == 0
            assert rewards[row] == pytest.approx(0.8 * np.sign(margin) + 0.2 * margin / 64)
        else:
            is_same = position.side_to_move is game.start().side_to_move
            assert moves[row, 1] == (1 if is_same else -1)
            assert tuple(later) == discs_of(position)


def narrow(squares: int, size: int) -> int:
    """A set with eight squares a row as one with as many as the board has."""
    return sum(1 << row * size + column for row in range(8) for column in range(8) if squares >> 8 * row + column & 1)


def test_the_misere_turns_the_rewards_round() -> None:
    ordinary, misere = (played(6, objective, patience=0.0) for objective in (1, -1))
    assert ordinary[3][1] == misere[3][1]
    assert (ordinary[2] == -misere[2]).all()
    assert ordinary[2].any()


def test_with_patience_more_is_learned_from_the_end() -> None:
    ends = [(played(6, 1, patience)[1][:300, 1] == 0).mean() for patience in (0.0, 0.9)]
    assert ends[1] > 2 * ends[0]


def test_the_replay_goes_round() -> None:
    replay = played(6, 1, 0.0, rows=50)
    assert replay[3][1] == 50
    assert 0 <= replay[3][0] < 50


def test_openings_are_by_chance() -> None:
    games, rng = make_games(), make_rng(1)
    begin_all(8, games, rng)
    assert set(games[1][:, 3]) <= set(range(OPENINGS[0], OPENINGS[1] + 1))


@pytest.mark.parametrize("size", [6, 8])
def test_planes_are_discs_and_moves_under_each_symmetry(size: int) -> None:
    positions = [position for position in random_positions(Othello(size), 1) if position.outcome() is None][:16]
    permutations = np.array([permutation(size, symmetry) for symmetry in SYMMETRIES], np.int64)
    discs = np.array([discs_of(position) for position in positions], np.uint64)
    turns = np.arange(len(positions)) % len(SYMMETRIES)
    planes = np.full((len(positions), 4, size * size), 7, np.float32)
    draw_discs(discs, turns, permutations, planes)
    for position, turn, drawn in zip(positions, turns, planes, strict=True):
        turned = position.turned(position.side_to_move.opponent)
        sides = [position.black, position.white]
        own, opp = sides if position.side_to_move == 0 else sides[::-1]
        for point in range(size * size):
            wanted = [
                own >> point & 1,
                opp >> point & 1,
                point in position.legal_moves(),
                point in turned.legal_moves(),
            ]
            assert drawn[:, permutations[turn][point]].tolist() == wanted
