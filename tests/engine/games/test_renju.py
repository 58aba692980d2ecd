import pytest

from extremum.engine.errors import IllegalMoveError
from extremum.engine.games.game import Color, Outcome
from extremum.engine.games.gomoku import Gomoku
from extremum.engine.games.renju import forbidden, forbidden_points, has_allowed_point
from tests.diagrams import Diagram, read, read_file

REASONS = {"l": "overline", "f": "double-four", "t": "double-three"}


@pytest.mark.parametrize("diagram", read_file("renju.txt"), ids=lambda diagram: diagram.title)
def test_exactly_the_marked_points_are_forbidden(diagram: Diagram) -> None:
    found = {move: forbidden(diagram.black, diagram.white, diagram.size, move) for move in diagram.empty()}
    assert found == {move: REASONS.get(diagram.cells[move]) for move in diagram.empty()}
    marked = sum(1 << move for move, sign in enumerate(diagram.cells) if sign in REASONS)
    assert forbidden_points(diagram.black, diagram.white, diagram.size) == marked


@pytest.mark.parametrize("reason", list(REASONS.values()))
def test_black_is_refused_a_forbidden_point_and_told_why(reason: str) -> None:
    sign = next(sign for sign, name in REASONS.items() if name == reason)
    diagram = next(diagram for diagram in read_file("renju.txt") if sign in diagram.cells)
    game = Gomoku(diagram.size, rule="renju")
    position = game.setup(diagram.black, diagram.white, Color.BLACK)
    move = diagram.point(sign)
    assert move not in position.legal_moves()
    with pytest.raises(IllegalMoveError, match=f"illegal move: is forbidden: {reason}"):
        position.play(move)


def test_white_may_play_where_black_may_not() -> None:
    diagram = next(diagram for diagram in read_file("renju.txt") if "t" in diagram.cells)
    position = Gomoku(diagram.size, rule="renju").setup(diagram.black, diagram.white, Color.WHITE)
    assert position.legal_moves() == diagram.empty()
    assert position.play(diagram.point("t")).outcome() is None


def test_black_wins_by_exactly_five_even_on_an_overline() -> None:
    diagram = next(diagram for diagram in read_file("renju.txt") if diagram.title == "five beats an overline")
    position = Gomoku(diagram.size, rule="renju").setup(diagram.black, diagram.white, Color.BLACK)
    assert position.play(diagram.point("a")).outcome() == Outcome(Color.BLACK, 1)


def test_white_wins_by_six() -> None:
    diagram = read(
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        O O O a O O .
        . . . . . . .
        . . . . . . .
        X X . X X . X
        """
    )
    position = Gomoku(7, rule="renju").setup(diagram.black, diagram.white, Color.WHITE)
    assert position.play(diagram.point("a")).outcome() == Outcome(Color.WHITE, 1)


def test_the_game_is_drawn_when_all_points_left_are_forbidden_to_black() -> None:
    diagram = read(
        """
        X X a O X X O
        O O X X O O X
        X X O O X X O
        X X X l X X X
        X X O O X X O
        O O X X O O X
        X X O O X X O
        """
    )
    game = Gomoku(7, rule="renju")
    last, left = diagram.point("a"), diagram.point("l")
    finished = game.setup(diagram.black, diagram.white, Color.WHITE).play(last)
    assert forbidden_points(finished.black, finished.white, game.size) == 1 << left
    assert not has_allowed_point(finished.black, finished.white, game.size)
    assert finished.outcome() == Outcome(None, 0)
    assert finished.legal_moves() == []
    assert finished.turned(Color.WHITE).legal_moves() == [left]
