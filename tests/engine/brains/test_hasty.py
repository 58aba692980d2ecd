from __future__ import annotations

import subprocess
import sys

import pytest

from extremum.engine.brains.hasty import hasty_move
from extremum.engine.games import make_game
from extremum.engine.games.game import Color
from extremum.engine.games.misere import misere


def test_a_win_is_taken_a_four_is_blocked_and_the_center_comes_first() -> None:
    game = make_game("gomoku", 15)
    assert hasty_move(game.start()) == 112
    four = sum(1 << move for move in (47, 48, 49, 50))
    other = sum(1 << move for move in (100, 101, 102, 103))
    assert hasty_move(game.setup(four, other, Color.BLACK)) in (46, 51)
    assert hasty_move(game.setup(four, 1 << 46 | 1 << 200, Color.WHITE)) == 51
    assert hasty_move(misere(game.setup(four, other, Color.BLACK))) not in (46, 51, 99, 104)


def test_a_corner_is_taken_and_its_neighbor_left_alone() -> None:
    game = make_game("othello")
    position = game.setup(1 << 2, 1 << 1 | 1 << 10, Color.BLACK)
    assert hasty_move(position) == 0
    assert hasty_move(misere(position)) != 0


@pytest.mark.parametrize(("name", "size", "rule"), [("gomoku", 20, "renju"), ("gomoku", 5, None), ("othello", 6, None)])
def test_hasty_games_come_to_their_end(name: str, size: int, rule: str | None) -> None:
    position = make_game(name, size, rule).start()
    while position.outcome() is None:
        position = position.play(hasty_move(position))


def test_nothing_heavy_is_needed() -> None:
    script = (
        "import sys; from extremum.engine.brains.hasty import hasty_move; from extremum.engine.games import make_game;"
        "hasty_move(make_game('gomoku').start()); print([n for n in ('numpy', 'numba') if n in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout == "[]\n"
