from __future__ import annotations

import time

import pytest

from extremum.engine.errors import EngineError
from extremum.engine.games.game import Color, Position
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere
from extremum.engine.games.othello import Othello
from extremum.engine.search.stopper import Limits, Stopper
from extremum.engine.search.threats import defenses, find_vcf, find_win, new_table, new_tables, nodes_a_second

# Black makes a four on the row, then an open four on the column.
WON = 0b111 << 5 * 12 + 2 | 1 << 2 * 12 + 5 | 1 << 3 * 12 + 5
BLOCK = 1 << 5 * 12 + 1


def test_a_win_is_told_to_its_end() -> None:
    vcf = find_vcf(_won())
    assert vcf.wins
    assert vcf.line[:3] == (5 * 12 + 5, 5 * 12 + 6, 4 * 12 + 5)
    position = _won()
    for move in vcf.line:
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner is Color.BLACK


def test_no_win_is_a_proof() -> None:
    vcf = find_vcf(Gomoku().start())
    assert vcf.wins is False
    assert vcf.line == ()


def test_each_side_has_its_own_fours() -> None:
    table = new_table(8)
    for _ in range(2):
        assert find_vcf(_won(), table=table).wins is True
        assert find_vcf(_won().turned(Color.WHITE), table=table).wins is False


@pytest.mark.parametrize("max_nodes", [0, 1, 2])
def test_spent_nodes_leave_it_unknown(max_nodes: int) -> None:
    vcf = find_vcf(_won(), max_nodes)
    assert vcf.wins is None
    assert vcf.line == ()
    assert vcf.nodes <= max_nodes + 1


def test_an_interrupted_search_knows_nothing() -> None:
    vcf = find_vcf(_won(), stopper=Stopper(Limits(), interrupted=lambda: True))
    assert vcf.wins is None
    assert vcf.nodes == 0


def test_a_search_under_way_is_stopped() -> None:
    answers = iter([False, False])
    stopper = Stopper(Limits(), interrupted=lambda: next(answers, True))
    vcf = find_vcf(_endless(), stopper=stopper, table=new_table(1))
    assert vcf.wins is None
    assert vcf.nodes > 0


@pytest.mark.parametrize("position", [Misere(Gomoku()).start(), Othello().start()], ids=["misere", "othello"])
def test_other_games_have_no_fours(position: Position) -> None:
    for find in (find_vcf, find_win, defenses):
        with pytest.raises(EngineError, match="fours win only in ordinary gomoku"):
            find(position)


def test_a_win_by_fours_is_preferred() -> None:
    win = find_win(_won())
    assert win is not None
    assert win.by_fours
    assert win.line == find_vcf(_won()).line


def test_a_win_by_threes_is_a_proof() -> None:
    win = find_win(_two_threes())
    assert win is not None
    assert not win.by_fours
    best = win.analysis(0.5).best
    assert (best.move, best.proven, best.distance, best.line) == (win.line[0], 1, len(win.line), win.line)


@pytest.mark.parametrize("max_nodes", [0, 1, 5])
def test_no_win_is_claimed_with_spent_nodes(max_nodes: int) -> None:
    assert find_win(_two_threes(), max_nodes=max_nodes) is None


def test_a_win_is_searched_for_until_it_is_time() -> None:
    tables = new_tables(8)
    for seconds in (0.0, -1.0):
        assert find_win(_won(), seconds=seconds, tables=tables) is None
    assert find_win(_won(), Stopper(Limits(), interrupted=lambda: True), tables=tables) is None
    assert find_win(_won(), seconds=60.0, tables=tables) is not None


def test_only_moves_that_stop_the_fours_defend() -> None:
    position = _won().turned(Color.WHITE)
    kept = defenses(position)
    assert kept is not None
    assert {4 * 12 + 5, 5 * 12 + 5} <= set(kept)
    for move in position.legal_moves():
        assert (move in kept) == (find_vcf(position.play(move)).wins is False)


def test_there_is_nothing_to_defend_against_at_the_start() -> None:
    assert defenses(Gomoku().start()) is None


def test_against_an_open_four_there_is_no_defense() -> None:
    assert defenses(Gomoku(12).setup(0b1111 << 5 * 12 + 2, 0, Color.WHITE)) == []


def test_the_searches_tell_their_speed() -> None:
    fours, threats = nodes_a_second([_endless()], 500_000, now=time.process_time)
    assert fours > 5e5
    assert threats > 1e4


def _won() -> Position:
    return Gomoku(12).setup(WON, BLOCK, Color.BLACK)


def _two_threes() -> Position:
    return Gomoku(12).setup(0b11 << 5 * 12 + 3 | 1 << 3 * 12 + 5 | 1 << 4 * 12 + 5, 0b1011 << 9 * 12, Color.BLACK)


def _endless() -> Position:
    """So many threes that a search without a win takes seconds with a table this small."""
    size, black, white = 20, 0, 0
    for number, column in enumerate((10, 0, 12, 8, 1, 8, 3, 6)):
        left = number * 2 * size + column
        white |= 1 << left | 1 << left + 6
        black |= 0b111 << left + 1
    return Gomoku(size).setup(black, white, Color.BLACK)
