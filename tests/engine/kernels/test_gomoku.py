import random

import numpy as np
import pytest

from extremum.engine.games.game import Color, Game, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.othello import Othello
from extremum.engine.kernels import board
from extremum.engine.kernels.gomoku import CELL_MASK, CELL_SHIFT, completing, legal_moves, place_completing, play
from extremum.engine.kernels.layout import IN_A_ROW, RULE, STANDARD, STATE_WORDS
from extremum.engine.search.states import State, state_of

GAMES = [
    *(Gomoku(size, min(size, in_a_row)) for size in (3, 4, 6, 9, 15, 20) for in_a_row in (3, 5)),
    *(Gomoku(size, in_a_row, "standard") for size, in_a_row in ((6, 4), (8, 5), (15, 5), (12, 8), (20, 20))),
    *(Gomoku(size, 5, "renju") for size in (5, 7, 15)),
]


def names(game: Game) -> str:
    return f"{game.rule}{game.size}"


def legal(state: State) -> list[int]:
    moves = np.zeros(400, np.int16)
    return [int(move) for move in moves[: legal_moves(state, moves)]]


def crowded(game: Gomoku, share: float, rng: random.Random) -> Position:
    """A game going on where each side has this share of the points."""
    while True:
        stones = [(1 << point, rng.random()) for point in range(game.num_moves)]
        black, white = (sum(bit for bit, chance in stones if low <= chance < low + share) for low in (0.0, share))
        position = game.setup(black, white, rng.choice(list(Color)))
        if position.outcome() is None:
            return position


@pytest.mark.parametrize("game", GAMES, ids=names)
def test_random_games_equal_the_plain_ones(game: Gomoku) -> None:
    rng = random.Random(game.size)
    for _ in range(3):
        position: Position = game.start()
        state = state_of(position)
        while position.outcome() is None:
            moves = position.legal_moves()
            assert legal(state) == moves
            move = rng.choice(moves)
            position = position.play(move)
            play(state, move)
            assert np.array_equal(state, state_of(position))
        assert legal(state) == []


def winning(position: Position) -> list[int]:
    """The points where the side to move completes a row, by the plain game."""
    side = position.side_to_move
    after = ((move, position.play(move).outcome()) for move in position.legal_moves())
    return [move for move, outcome in after if outcome is not None and outcome.winner is side]


def as_moves(cells: np.ndarray, count: int, size: int) -> list[int]:
    return sorted({(int(cell) >> CELL_SHIFT) * size + (int(cell) & CELL_MASK) for cell in cells[:count]})


@pytest.mark.parametrize(
    ("game", "share"),
    [(Gomoku(7, 3), 0.15), (Gomoku(7, 4, "standard"), 0.35), (Gomoku(9, 5, "renju"), 0.4), (Gomoku(15), 0.25)],
)
def test_completing_finds_every_winning_cell(game: Gomoku, share: float) -> None:
    rng, found = random.Random(1), 0
    cells = np.zeros(1600, np.int16)
    for _ in range(60):
        position = crowded(game, share, rng)
        side = position.side_to_move
        wins = winning(position)
        found += len(wins)
        assert as_moves(cells, completing(state_of(position), int(side), cells), game.size) == wins
    assert found > 10


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_a_stone_adds_the_cells_that_it_makes_winning(rule: str) -> None:
    game, rng = Gomoku(9, 4, rule), random.Random(2)
    before, after = np.zeros(1600, np.int16), np.zeros(1600, np.int16)
    for _ in range(200):
        stones = sum(1 << point for point in rng.sample(range(81), 12))
        position = game.setup(stones, 0, Color.BLACK)
        if position.outcome() is not None:
            continue
        state = state_of(position)
        old = as_moves(before, completing(state, 0, before), 9)
        move = rng.choice([move for move in position.legal_moves() if move not in old])
        cell = move // 9 << CELL_SHIFT | move % 9
        exactly = int(state[RULE]) == STANDARD
        added = as_moves(after, place_completing(state, 0, cell, int(state[IN_A_ROW]), exactly, after, 0), 9)
        now = as_moves(before, completing(state, 0, before), 9)
        assert set(now) - set(old) <= set(added) <= set(now)


@pytest.mark.parametrize("game", [Gomoku(6, 4), Othello(6), Othello(8)], ids=names)
def test_the_board_plays_either_game(game: Game) -> None:
    rng, moves = random.Random(3), np.zeros(400, np.int16)
    position = game.start()
    state = state_of(position)
    while position.outcome() is None:
        count = board.legal_moves(state, moves)
        assert moves[:count].tolist() == position.legal_moves()
        move = rng.choice(position.legal_moves())
        position = position.play(move)
        board.play(state, move)
        assert board.is_same(state, state_of(position))
        assert board.is_played(state, move)


@pytest.mark.parametrize("game", [Gomoku(15), Othello(8)], ids=names)
def test_keys_tell_positions_apart(game: Game) -> None:
    keys: set[int] = set()
    seen: set[tuple[int, int, Color]] = set()
    rng = random.Random(4)
    for _ in range(20):
        position = game.start()
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
            seen.add((position.black, position.white, position.side_to_move))
            keys.add(int(board.key(state_of(position))))
    assert len(keys) == len(seen)


def test_the_key_does_not_depend_on_the_way() -> None:
    start = Gomoku(9).start()
    one, other = start.play(0).play(40).play(8), start.play(8).play(40).play(0)
    assert board.key(state_of(one)) == board.key(state_of(other))
    assert board.key(state_of(one)) != board.key(state_of(one.turned(Color.BLACK)))


def test_copy_copies_all_words() -> None:
    source, target = state_of(Gomoku(9).start().play(3)), np.zeros(STATE_WORDS, np.uint64)
    board.copy(source, target)
    assert np.array_equal(source, target)
