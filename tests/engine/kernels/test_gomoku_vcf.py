from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from extremum.engine.games.game import Color, Outcome, Position
from extremum.engine.games.gomoku import RULES, Gomoku
from extremum.engine.kernels.gomoku_vcf import solve
from extremum.engine.search.states import state_of
from tests.diagrams import read_file
from tests.engine.kernels.slow_vcf import five_points, shortest_vcf


@dataclass
class Solved:
    """What the kernel said."""

    length: int
    line: list[int]
    nodes: int


DRAWN = {diagram.title: diagram for diagram in read_file("gomoku_vcf.txt")}
MANY_FOURS = (10, 0, 12, 8, 1, 8, 3, 6)  # where the threes begin, on every other row


@pytest.mark.parametrize(
    ("title", "length"),
    [
        ("five", 1),
        ("open four", 3),
        ("two fours at once", 3),
        ("a four, then an open four", 5),
        ("two fours, then an open four", 7),
        ("the reply makes a four that is answered elsewhere", 0),
        ("the answer to the four of the reply makes an open four", 5),
        ("white threatens a five, black's open four comes too late", 0),
    ],
)
def test_a_drawn_position_is_solved(title: str, length: int) -> None:
    for rule in ("freestyle", "standard"):
        position = _drawn(title, rule)
        solved = _solve(position)
        assert solved.length == length
        _check_line(position, solved)


def test_both_colors_attack() -> None:
    for rule in RULES:
        black = _drawn("a four, then an open four", rule)
        position = Gomoku(black.game.size, 5, rule).setup(black.white, black.black, Color.WHITE)
        solved = _solve(position)
        assert solved.length == 5
        _check_line(position, solved)


def test_black_makes_no_two_fours_at_once_in_renju() -> None:
    assert _solve(_drawn("two fours at once", "renju")).length == 0
    assert _solve(_drawn("a four, then an open four", "renju")).length == 5


def test_white_wins_when_the_only_reply_is_forbidden() -> None:
    position = _drawn("only an overline would answer white", "renju", Color.WHITE)
    solved = _solve(position)
    assert solved.length == 3
    _check_line(position, solved)
    assert _solve(_drawn("only an overline would answer white", "standard", Color.WHITE)).length == 0


def test_a_four_wins_nothing_when_black_has_no_legal_point_left() -> None:
    position = _drawn("white's four leaves black no legal point", "renju", Color.WHITE)
    drawn = position.play(DRAWN["white's four leaves black no legal point"].point("*"))
    assert five_points(drawn, Color.WHITE)
    assert drawn.outcome() == Outcome(None, 0)
    assert _solve(position).length == 0


def test_an_overline_threatens_nothing_in_standard_gomoku() -> None:
    assert _solve(_drawn("two stones, one, two", "freestyle")).length == 3
    assert _solve(_drawn("two stones, one, two", "standard")).length == 0


@pytest.mark.parametrize("rule", RULES)
def test_the_edges_of_all_sizes_are_seen(rule: str) -> None:
    for size in range(5, 21):
        game = Gomoku(size, 5, rule)
        last = size * size - 1
        three = sum(1 << last - step for step in range(3))
        assert _solve(game.setup(three, 0, Color.BLACK)).length == 0
        position = game.setup(three | 1 << last - 3, 0, Color.BLACK)
        assert _solve(position).line == [last - 4]


def test_a_finished_game_has_no_win_by_fours() -> None:
    position = Gomoku(8).setup(0b11111, 0b111 << 20, Color.WHITE)
    assert _solve(position).length == 0


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "in_a_row"), [(8, 5), (6, 4)])
def test_it_agrees_with_a_slow_search(size: int, in_a_row: int, rule: str) -> None:
    game = Gomoku(size, 5 if rule == "renju" else in_a_row, rule)
    table = _table(12)
    lengths = []
    for position in _scattered(game, 120, seed=size):
        solved = _solve(position, table)
        assert solved.length == len(solved.line)
        shortest = shortest_vcf(position)
        assert (solved.length > 0) == (shortest > 0)
        assert solved.length >= shortest
        _check_line(position, solved)
        lengths.append(solved.length)
    assert lengths.count(0) > 20
    assert max(lengths) > 5


def test_a_kept_table_changes_nothing() -> None:
    table = _table(8)
    for position in _scattered(Gomoku(15), 60, seed=3):
        fresh, first, second = _solve(position), _solve(position, table), _solve(position, table)
        assert (fresh.length > 0) == (first.length > 0) == (second.length > 0)
        assert second.nodes <= first.nodes
        _check_line(position, second)


def test_the_position_is_left_as_it_was() -> None:
    state = state_of(_drawn("two fours, then an open four", "renju"))
    before = state.copy()
    solve(state, _table(8), np.zeros(9, np.int16), np.zeros(3, np.int64))
    assert (state == before).all()


def test_a_short_line_has_the_first_moves() -> None:
    line, control = np.zeros(2, np.int16), np.zeros(3, np.int64)
    position = _drawn("two fours, then an open four", "freestyle")
    assert solve(state_of(position), _table(8), line, control) == 7
    assert list(line) == _solve(position).line[:2]


def test_the_node_limit_is_kept() -> None:
    position = _with_many_fours("freestyle")
    whole = _solve(position)
    assert whole.length == 0
    assert whole.nodes > 10_000
    part = _solve(position, limit=1000)
    assert part.length == -1
    assert 1000 <= part.nodes <= 1001
    assert part.line == []


def test_nothing_false_is_kept_of_a_search_that_was_stopped() -> None:
    position, table = _drawn("two fours, then an open four", "freestyle"), _table(8)
    for limit in range(1, 8):
        _solve(position, table, limit=limit)
    assert _solve(position, table).length == 7


def test_the_stop_flag_is_obeyed() -> None:
    state, table, control = state_of(_with_many_fours("freestyle")), _table(8), np.array([1, 0, 0], np.int64)
    assert solve(state, table, np.zeros(401, np.int16), control) == -1
    assert control[1] == 1


@pytest.mark.parametrize("rule", RULES)
def test_a_second_is_enough_for_a_million_nodes(rule: str) -> None:
    position = _with_many_fours(rule)
    start = time.process_time()
    nodes = sum(_solve(position).nodes for _ in range(5))
    speed = nodes / (time.process_time() - start)
    print(f"{rule}: {nodes} nodes, {speed / 1e6:.2f} M nodes/s")
    assert speed > 1e6


def _drawn(title: str, rule: str, side: Color = Color.BLACK) -> Position:
    board = DRAWN[title]
    return Gomoku(board.size, 5, rule).setup(board.black, board.white, side)


def _with_many_fours(rule: str) -> Position:
    """Eight threes with two fours each, which do not help one another: black has no win."""
    size, black, white = 20, 0, 0
    for number, column in enumerate(MANY_FOURS):
        left = number * 2 * size + column
        white |= 1 << left | 1 << left + 6
        black |= 0b111 << left + 1
    return Gomoku(size, 5, rule).setup(black, white, Color.BLACK)


def _scattered(game: Gomoku, count: int, seed: int) -> Iterator[Position]:
    """Positions of stones thrown on the board, either side to move."""
    rng, most = random.Random(seed), game.num_moves // 3
    while count:
        cells = rng.sample(range(game.num_moves), 2 * rng.randint(most // 3, most))
        black, white = (sum(1 << cell for cell in cells[part::2]) for part in range(2))
        position = game.setup(black, white, Color(rng.randrange(2)))
        if position.outcome() is None:
            count -= 1
            yield position


def _solve(position: Position, table: np.ndarray | None = None, limit: int = 0) -> Solved:
    table = _table(16) if table is None else table
    line, control = np.zeros(401, np.int16), np.array([0, 0, limit], np.int64)
    length = solve(state_of(position), table, line, control)
    assert line[max(length, 0)] == -1
    return Solved(length, [int(move) for move in line[: max(length, 0)]], int(control[1]))


def _table(bits: int) -> np.ndarray:
    return np.zeros((1 << bits, 2), np.uint64)


def _check_line(position: Position, solved: Solved) -> None:
    """Play the line: each move makes a four, each reply is the only one or does not help, the last completes a row."""
    attacker = position.side_to_move
    for ply, move in enumerate(solved.line):
        if ply % 2:
            fives = five_points(position, attacker)
            useful = [point for point in fives if point in position.legal_moves()]
            assert fives
            assert not five_points(position, position.side_to_move)
            assert len(fives) > 1 or useful in ([], [move])
        position = position.play(move)
        assert (position.outcome() is None) == (ply + 1 < len(solved.line))
    outcome = position.outcome()
    assert not solved.line or (outcome is not None and outcome.winner is attacker)
