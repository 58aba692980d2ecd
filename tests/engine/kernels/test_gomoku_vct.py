from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest

from extremum.engine.games.game import Color, Move, Position
from extremum.engine.games.gomoku import RULES, Gomoku
from extremum.engine.kernels.gomoku_search import search
from extremum.engine.kernels.gomoku_vcf import solve
from extremum.engine.kernels.gomoku_vct import CONTROL_WORDS, TOTAL_LIMIT, prove
from extremum.engine.kernels.scores import PROVEN
from extremum.engine.search.states import state_of
from tests.diagrams import read_file
from tests.engine.kernels.slow_vct import beats_all

DRAWN = {diagram.title: diagram for diagram in read_file("gomoku_vct.txt")}


@dataclass
class Prover:
    """The kernel with its tables, and the plan that it stands for."""

    limit: int = 300_000
    tables: tuple[np.ndarray, np.ndarray] = field(
        default_factory=lambda: (np.zeros((1 << 14, 2), np.uint64), np.zeros((1 << 16, 2), np.uint64))
    )

    def line(self, position: Position) -> list[Move]:
        """The win that is found; empty when none is."""
        return self.ask(position)[1]

    def ask(self, position: Position, stop: int = 0) -> tuple[int, list[Move], int]:
        line, control = np.zeros(401, np.int16), np.zeros(CONTROL_WORDS, np.int64)
        control[0], control[TOTAL_LIMIT] = stop, self.limit
        length = prove(state_of(position), *self.tables, line, control)
        assert (line[max(length, 0) :] == -1).all() or length < 0
        return length, [int(move) for move in line[: max(length, 0)]], int(control[1])

    def plan(self, position: Position) -> Move | None:
        """The next move of the win."""
        return next(iter(self.line(position)), None)


@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_two_threes_at_once_win_in_five(rule: str) -> None:
    prover, position = Prover(), _drawn("two threes at once", rule)
    assert len(prover.line(position)) == 5
    assert beats_all(position, prover.plan)


def test_black_needs_another_way_in_renju() -> None:
    prover, position = Prover(), _drawn("two threes at once", "renju")
    assert position.play(prover.line(position)[0]).outcome() is None
    assert prover.line(position)[0] != 5 * 11 + 5
    _check_line(position, prover.line(position))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("title", ["but white has a three", "but a block makes a four"])
def test_fours_of_the_defender_come_first(title: str, rule: str) -> None:
    assert Prover().ask(_drawn(f"two threes at once, {title}", rule))[0] == 0


@pytest.mark.parametrize("rule", RULES)
def test_a_long_win_is_told_to_its_end(rule: str) -> None:
    position = _drawn("three stones against strays", rule)
    line = Prover().line(position)
    assert len(line) > 15
    _check_line(position, line)


def test_both_colors_attack() -> None:
    for rule in RULES:
        black = _drawn("two threes at once", rule)
        position = Gomoku(black.game.size, 5, rule).setup(black.white, black.black, Color.WHITE)
        prover = Prover()
        assert len(prover.line(position)) == 5
        assert beats_all(position, prover.plan)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_a_win_beats_all_defenses(rule: str) -> None:
    prover, checked = Prover(limit=20_000), 0
    for position in _quiet(Gomoku(8, 5, rule), 300, range(6, 12)):
        line = prover.line(position)
        if 0 < len(line) < 10:
            _check_line(position, line)
            assert beats_all(position, prover.plan)
            checked += 1
    print(f"{rule}: {checked} wins")
    assert checked > 3


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["freestyle", "standard"])
def test_alphabeta_finds_the_same_winner(rule: str) -> None:
    prover, checked = Prover(limit=20_000), 0
    for position in _quiet(Gomoku(6, 4, rule), 600, range(4, 8)):
        line = prover.line(position)
        if line:
            assert _best_score(position, depth=len(line)) >= PROVEN
            checked += 1
    print(f"{rule}: {checked} wins")
    assert checked > 3


@pytest.mark.parametrize("rule", RULES)
def test_kept_tables_change_nothing_that_is_proven(rule: str) -> None:
    kept = Prover(limit=5000)
    for position in _quiet(Gomoku(15, 5, rule), 40, range(20, 40)):
        fresh, first, second = Prover(limit=5000).ask(position), kept.ask(position), kept.ask(position)
        assert min(fresh[0], first[0]) != 0 or max(fresh[0], first[0]) <= 0
        assert (first[0] > 0) <= (second[0] > 0)
        _check_line(position, second[1])


def test_the_limit_is_kept_and_the_stop_is_obeyed() -> None:
    position = _drawn("three stones against strays", "freestyle")
    length, line, nodes = Prover(limit=500).ask(position)
    assert (length, line) == (-1, [])
    assert 500 <= nodes < 2000
    stopped = Prover()
    assert stopped.ask(position, stop=1)[0] == -1
    assert stopped.line(position)


def test_a_finished_game_has_no_win() -> None:
    assert Prover().ask(Gomoku(8).setup(0b11111, 0b111 << 20, Color.WHITE))[0] == 0


def test_the_position_is_left_as_it_was() -> None:
    position = _drawn("three stones against strays", "renju")
    state, control = state_of(position), np.zeros(CONTROL_WORDS, np.int64)
    prove(state, *Prover().tables, np.zeros(401, np.int16), control)
    assert (state == state_of(position)).all()


def _drawn(title: str, rule: str) -> Position:
    board = DRAWN[title]
    return Gomoku(board.size, 5, rule).setup(board.black, board.white, Color.BLACK)


def _quiet(game: Gomoku, count: int, stones: range, seed: int = 1) -> Iterator[Position]:
    """Positions of stones thrown on the board, so many of each color, without a win by fours of the side to move."""
    rng, table = random.Random(seed), np.zeros((1 << 12, 2), np.uint64)
    while count:
        cells = rng.sample(range(game.num_moves), 2 * rng.choice(stones))
        black, white = (sum(1 << cell for cell in cells[part::2]) for part in range(2))
        position = game.setup(black, white, Color(rng.randrange(2)))
        line, control = np.zeros(401, np.int16), np.zeros(3, np.int64)
        if position.outcome() is None and solve(state_of(position), table, line, control) == 0:
            count -= 1
            yield position


def _best_score(position: Position, depth: int) -> int:
    """The score that alpha-beta finds, which looks ever deeper up to this depth until a win is proven."""
    moves, best = np.array(position.legal_moves(), np.int16), 0
    scores, nodes, table = (
        np.zeros(len(moves), np.int32),
        np.zeros(len(moves), np.int64),
        np.zeros((1 << 16, 2), np.uint64),
    )
    for deeper in range(1, depth + 1):
        if best < PROVEN:
            line, control = np.zeros(64, np.int16), np.zeros(3, np.int64)
            search(state_of(position), deeper, 1, True, table, moves, scores, nodes, line, control)
            best = int(scores.max())
    return best


def _check_line(position: Position, line: list[Move]) -> None:
    """Play the line: it ends with the row of the side that began it."""
    attacker = position.side_to_move
    for move in line:
        assert position.outcome() is None
        position = position.play(move)
    outcome = position.outcome()
    assert not line or (outcome is not None and outcome.winner is attacker)
