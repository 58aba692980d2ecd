import pytest

from extremum.engine.errors import IllegalMoveError
from extremum.engine.games.game import Color, Outcome
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.misere import Misere, misere
from extremum.engine.games.othello import Othello


def test_the_one_who_would_have_won_has_lost() -> None:
    ordinary = Gomoku().setup(0b11111, 0, Color.WHITE)
    assert misere(ordinary).outcome() == Outcome(Color.WHITE, 1)


def test_the_margin_stays() -> None:
    ordinary = Othello().setup(0b111, 0, Color.WHITE)
    assert ordinary.outcome() == Outcome(Color.BLACK, 3)
    assert misere(ordinary).outcome() == Outcome(Color.WHITE, 3)


def test_a_draw_stays_a_draw() -> None:
    ordinary = Othello().setup(1, 1 << 63, Color.BLACK)
    assert misere(ordinary).outcome() == ordinary.outcome() == Outcome(None, 0)


def test_the_rest_is_the_ordinary_game() -> None:
    game = Misere(Gomoku(6, in_a_row=4, rule="standard"))
    assert (game.name, game.rule, game.size, game.num_moves, game.pass_move) == ("gomoku", "standard", 6, 36, None)
    assert game.objective == -1
    assert Misere(Othello()).pass_move == 64
    position = game.start().play(0)
    assert position.game is game
    assert position.ordinary == game.ordinary.start().play(0)
    with pytest.raises(IllegalMoveError, match="is occupied"):
        position.play(0)
